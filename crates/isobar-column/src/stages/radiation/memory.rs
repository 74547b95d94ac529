//! What the stage keeps on the device: columns with the layers above the model's top, and the fluxes there. A quantity
//! has a part of one buffer.

use isobar_core::fields::{AnyField, Declared, InputSet, Kind};
use isobar_core::{Field, FieldMut};
use isobar_launch::Buffer;
use isobar_radiation::ColumnViews;

use crate::Precision;

isobar_core::by_name! {
    /// Columns, by the names that the scheme has for what it reads.
    pub(super) struct Columns {
        level_pressure_pa,
        pressure_pa,
        temperature_k,
        level_temperature_k,
        h2o,
        o3,
        cloud_fraction,
        liquid_path_g_per_m2,
        ice_path_g_per_m2,
        liquid_radius_um,
        ice_size_um,
        total_solar_irradiance_w_per_m2,
        cosine_zenith,
        /// Nobody reads it: the sun's kernel gives it, too.
        photolysis_factor,
    }
}

isobar_core::by_name! {
    /// Results of one spectrum.
    pub(super) struct Fluxes { up, down, direct, derivative, heating }
}

isobar_core::by_name! {
    /// What has one value for all columns: mole fractions and the emissivity of the ground.
    pub(super) struct Uniform { co2, n2o, co, ch4, o2, emissivity, n2 }
}

impl Columns<usize> {
    /// The rows of each, layers above included.
    pub(super) fn rows(layers: usize, longwave: bool, cloudy: bool) -> Self {
        let (cloud, sun) = (if cloudy { layers } else { 0 }, usize::from(!longwave));
        Self {
            level_pressure_pa: layers + 1,
            pressure_pa: layers,
            temperature_k: layers,
            level_temperature_k: layers + 1,
            h2o: layers,
            o3: layers,
            cloud_fraction: cloud,
            liquid_path_g_per_m2: cloud,
            ice_path_g_per_m2: cloud,
            liquid_radius_um: cloud,
            ice_size_um: cloud,
            total_solar_irradiance_w_per_m2: sun,
            cosine_zenith: sun,
            photolysis_factor: sun,
        }
    }

    /// Views of the parts of a buffer, without items where a part has no rows.
    pub(super) fn of<R: Precision>(self, buffer: &Buffer<R>, columns: usize) -> Columns<Field<'_, R>> {
        let mut parts = buffer.parts(&self.into_array(), columns);
        self.map(|rows| part(rows, parts.next()))
    }

    /// [`Columns::of`], to write.
    pub(super) fn of_mut<R: Precision>(self, buffer: &mut Buffer<R>, columns: usize) -> Columns<FieldMut<'_, R>> {
        let mut parts = buffer.parts_mut(&self.into_array(), columns);
        self.map(|rows| part_mut(rows, parts.next()))
    }
}

impl Fluxes<usize> {
    /// The rows of each, layers above included.
    pub(super) fn rows(layers: usize, longwave: bool) -> Self {
        let levels = layers + 1;
        let (direct, derivative) = if longwave { (0, levels) } else { (levels, 0) };
        Self { up: levels, down: levels, direct, derivative, heating: layers }
    }

    /// Views of the parts of a buffer, without items where a part has no rows.
    pub(super) fn of<R: Precision>(self, buffer: &Buffer<R>, columns: usize) -> Fluxes<Field<'_, R>> {
        let mut parts = buffer.parts(&self.into_array(), columns);
        self.map(|rows| part(rows, parts.next()))
    }

    /// [`Fluxes::of`], to write.
    pub(super) fn of_mut<R: Precision>(self, buffer: &mut Buffer<R>, columns: usize) -> Fluxes<FieldMut<'_, R>> {
        let mut parts = buffer.parts_mut(&self.into_array(), columns);
        self.map(|rows| part_mut(rows, parts.next()))
    }
}

fn part<R: Copy>(rows: usize, view: Option<Field<'_, R>>) -> Field<'_, R> {
    if rows == 0 { Field::empty() } else { view.expect("a part for each number of rows") }
}

fn part_mut<R: Copy>(rows: usize, view: Option<FieldMut<'_, R>>) -> FieldMut<'_, R> {
    if rows == 0 { FieldMut::empty() } else { view.expect("a part for each number of rows") }
}

/// What the scheme reads.
pub(super) struct Inputs<'v, R: Precision> {
    pub(super) columns: Columns<Field<'v, R>>,
    /// Seeds of columns.
    pub(super) seeds: Field<'v, u32>,
    /// The values of [`Uniform`].
    pub(super) uniform: &'v Buffer<R>,
    /// The ground's temperature or albedo.
    pub(super) surface: Field<'v, R>,
}

impl<'v, R: Precision> Inputs<'v, R> {
    /// The scheme's views of what is `needed`.
    pub(super) fn views(&self, needed: &dyn Fn(&Declared) -> bool, bands: usize, columns: usize) -> ColumnViews<'v, R> {
        let layers = self.columns.pressure_pa.levels();
        let uniform = |number: usize, levels: usize| self.uniform.constant(number, levels, columns);
        ColumnViews::build(&mut |declared| {
            let one = Uniform::NUMBERS.find(declared.name).copied();
            match (declared.kind, declared.name) {
                (Kind::Word, "subcolumn_seed") => AnyField::Word(self.seeds),
                (Kind::Word, _) => AnyField::Word(Field::empty()),
                _ if !needed(declared) => AnyField::Real(Field::empty()),
                (_, "surface_temperature_k") => AnyField::Real(self.surface),
                (_, "surface_albedo_direct" | "surface_albedo_diffuse") => {
                    // SAFETY: the one row is that of each band.
                    let view =
                        unsafe { Field::from_raw(self.surface.as_ptr(), bands, columns, 0, self.surface.strides().1) };
                    AnyField::Real(view)
                }
                (_, "emissivity") => AnyField::Real(uniform(Uniform::NUMBERS.emissivity, bands)),
                (_, name) => AnyField::Real(match (self.columns.find(name), one) {
                    (Some(&part), _) => part,
                    (_, Some(one)) => uniform(one, layers),
                    _ => Field::empty(),
                }),
            }
        })
    }
}
