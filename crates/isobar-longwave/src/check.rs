//! What is accepted besides the ranges of the fields: options, fields that belong together, pressures in order, sizes
//! of particles that the chosen optics are for.

use std::ops::Range;

use isobar_core::fields::check::{complete, falling, first_of_each, first_wrong, size_error, values};
use isobar_core::fields::{
    AnyField, BAND, Declared, Error, Extents, G_POINT, InputSet, LAYER, MASK_WORD, Need, OwnedInputs,
};
use isobar_core::{Field, Real};

use crate::angles::slants;
use crate::fields::{ColumnViews, Columns, FluxViews, ITEM};
use crate::host::options::{Options, Solver};
use crate::host::outside::TableRange;
use crate::host::overlap::Decorrelation;

/// A surface at less \[Pa\] is higher than any mountain on Earth, and more likely in hPa.
const SURFACE_PRESSURE: (f64, f64) = (20_000.0, 200_000.0);
/// From the pressures of so many layers KISS is seeded.
const LEAST_LAYERS: usize = 4;

impl Options {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::Setup`]: slants for which there is no quadrature, or a decorrelation length that is not positive.
    pub fn check(&self) -> Result<(), Error> {
        if slants(self.slants).is_none() {
            return Err(Error::Setup(format!("{} slants: there are quadratures of 1 to 4", self.slants)));
        }
        match self.subcolumns.decorrelation {
            Decorrelation::Length(length) if self.is_exponential() && (length.is_nan() || length <= 0.0) => {
                Err(Error::Setup(format!("a decorrelation length of {length} m is not positive")))
            }
            _ => Ok(()),
        }
    }

    /// What these options make of an input.
    #[must_use]
    pub fn need(&self, declared: &Declared) -> Need {
        let read = match declared.name {
            "thickness_m" => self.is_exponential(),
            "latitude_deg" => {
                self.is_exponential() && matches!(self.subcolumns.decorrelation, Decorrelation::Latitude { .. })
            }
            "cloud_mask" | "cloud_share" => self.solver == Solver::Subcolumns,
            _ => true,
        };
        if read { declared.need() } else { Need::Ignored }
    }

    /// Is a result computed with these options, under clouds or not?
    #[must_use]
    pub fn wants(&self, declared: &Declared, cloudy: bool) -> bool {
        (cloudy || !declared.name.contains("_clear"))
            && (self.derivative || !declared.name.contains("_derivative"))
            && (self.band_fluxes || !declared.shape.contains(&BAND))
    }

    /// The rows of each result, in the order of the declaration; 0 where it is not computed.
    pub(crate) fn rows(&self, extents: &Extents) -> [usize; FluxViews::<f32>::DECLARED.len()] {
        let cloudy = is_cloudy(extents);
        std::array::from_fn(|i| {
            let declared = &FluxViews::<f32>::DECLARED[i];
            if self.wants(declared, cloudy) { extents.rows(declared.shape) } else { 0 }
        })
    }

    fn is_exponential(&self) -> bool {
        self.solver == Solver::Subcolumns && self.subcolumns.overlap.is_exponential()
    }
}

/// Have columns of these sizes clouds?
pub(crate) fn is_cloudy(extents: &Extents) -> bool {
    extents.size(MASK_WORD) > 0
}

impl<R: Real> Columns<R> {
    /// The number of columns: as many as temperatures of surfaces.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.surface_temperature_k.len()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.temperature_k.len() / self.columns().max(1)
    }

    /// Are there clouds?
    #[must_use]
    pub fn is_cloudy(&self) -> bool {
        !self.cloud_fraction.is_empty()
    }
}

/// Sizes that follow from the lengths of the vectors; a k-distribution says later whether its bands are as many.
impl<'a, R: Real> TryFrom<&'a Columns<R>> for ColumnViews<'a, R> {
    type Error = Error;

    fn try_from(columns: &'a Columns<R>) -> Result<Self, Error> {
        let (count, layers) = (columns.columns().max(1), columns.layers());
        if layers == 0 && columns.columns() > 0 {
            return Err(Error::Setup("temperature_k has no values, and a column needs at least one layer".to_owned()));
        }
        // One value is for all, and not that of one band.
        let rows = |values: usize, each: usize| if values == 1 { 2 } else { values.div_ceil(each.max(1)) };
        let per_layer = |values: usize| rows(values, count * layers);
        let bands = rows(columns.emissivity.len(), count);
        let bands = bands.max(per_layer(columns.aerosol_optical_depth.len()));
        let bands = bands.max(per_layer(columns.cloud_optical_depth.len()));
        let extents = Extents::new(columns.columns())
            .with(LAYER, layers)
            .with(BAND, bands)
            .with(G_POINT, per_layer(columns.cloud_share.len()))
            .with(MASK_WORD, per_layer(columns.cloud_mask.len()));
        columns.views(&extents, ITEM)
    }
}

impl<'a, R: Real> ColumnViews<'a, R> {
    /// The sizes with a k-distribution of so many bands and g-points; those of clouds where there are clouds.
    ///
    /// # Errors
    /// Options that are not valid; fields that need others.
    pub fn extents(&self, (bands, points): (usize, usize), options: &Options) -> Result<Extents, Error> {
        options.check()?;
        let (columns, layers) = (self.surface_temperature_k.len(), self.layers());
        let refuse = |text: &str| Err(Error::Setup(text.to_owned()));
        if columns > 0 && layers == 0 {
            return refuse("a column needs at least one layer");
        }
        if self.dry_column_per_cm2.is_empty() != self.broadening_column_per_cm2.is_empty() {
            return refuse("columns of dry air and broadening columns come together");
        }
        let extents = Extents::new(columns).with(LAYER, layers).with(BAND, bands);
        if !self.is_cloudy() {
            let mut others = false;
            self.visit(&mut |declared, field| others |= is_of_clouds(declared.name) && field.extent().1 > 0);
            return if others { refuse("clouds need a cloud_fraction") } else { Ok(extents) };
        }
        if self.generates_masks(options) && layers < LEAST_LAYERS {
            return refuse(&format!("{layers} layers are too few to seed KISS: at least {LEAST_LAYERS}"));
        }
        let extents = extents.with(G_POINT, points).with(MASK_WORD, points.div_ceil(32));
        let by_size = self.cloud_optical_depth.is_empty();
        let spread = self.generates_masks(options) && options.is_exponential();
        let needed = |name: &str| match name {
            "ice_path_g_per_m2" | "liquid_path_g_per_m2" | "ice_size_um" | "liquid_radius_um" => by_size,
            "thickness_m" => spread,
            _ => false,
        };
        let mut missing = None;
        self.visit(&mut |declared, field| {
            if missing.is_none() && field.extent().1 == 0 && needed(declared.name) {
                missing = Some(declared);
            }
        });
        missing.map_or(Ok(extents), |declared| Err(size_error(declared, 0, &extents, ITEM)))
    }

    /// Does a kernel generate the masks of these columns, each for itself?
    #[must_use]
    pub fn generates_masks(&self, options: &Options) -> bool {
        options.solver == Solver::Subcolumns && self.is_cloudy() && self.cloud_mask.is_empty()
    }

    /// The views that are read with these options, and the sizes. All of it is checked.
    ///
    /// # Errors
    /// Options, sizes, or the first column that is not valid.
    pub fn checked(&self, spectrum: (usize, usize), options: &Options) -> Result<(Self, Extents), Error> {
        let extents = self.extents(spectrum, options)?;
        let read = complete(self, &extents, ITEM, &|declared| options.need(declared))?;
        match read.check(&extents, options, 0..extents.items()).into_iter().next() {
            Some(first) => Err(first),
            None => Ok((read, extents)),
        }
    }

    /// The first of what is wrong with each bad column of a range, of views whose sizes are right.
    #[must_use]
    pub fn check(&self, extents: &Extents, options: &Options, range: Range<usize>) -> Vec<Error> {
        let within = |some: &Self| values(some, extents, range.clone(), ITEM);
        let Self { level_pressure_pa, pressure_pa, .. } = *self;
        // Pressures first, from which temperatures of levels may have been derived.
        let pressures = within(&Self { level_pressure_pa, pressure_pa, ..Self::empty() });
        let falling = falling(declared("level_pressure_pa"), &level_pressure_pa, range.clone(), ITEM);
        let [around, surface] = [self.layers_between_levels(&range), self.surfaces(&range)];
        let (others, amounts) = if self.dry_column_per_cm2.is_empty() {
            (within(self), Vec::new())
        } else {
            (within(&self.without_gases()), self.negative_amounts(&range))
        };
        let sizes = [self.sizes_of_ice(options, &range), self.sizes_of_droplets(options, &range)].concat();
        first_of_each([pressures, falling, around, surface, others, amounts, sizes])
    }

    /// Layers lie between their levels, but for those at the end of the tables' pressures, to which they were clamped.
    fn layers_between_levels(&self, range: &Range<usize>) -> Vec<Error> {
        let ends = TableRange::get().pressure_pa().map(|end| R::from_f64(end).value());
        let around =
            |row: usize, item: usize| [row, row + 1].map(|level| self.level_pressure_pa.at(level, item).value());
        let wrong = |row: usize, item: usize| {
            let (value, [below, above]) = (self.pressure_pa.at(row, item).value(), around(row, item));
            (value > below || value < above) && !ends.contains(&value)
        };
        first_wrong(
            declared("pressure_pa"),
            &self.pressure_pa,
            (range.clone(), self.layers()),
            ITEM,
            wrong,
            |row, item| {
                let [below, above] = around(row, item);
                format!("between the {below} and {above} Pa of the levels around it")
            },
        )
    }

    fn surfaces(&self, range: &Range<usize>) -> Vec<Error> {
        let (low, high) = SURFACE_PRESSURE;
        let wrong = |row: usize, item: usize| !(low..=high).contains(&self.level_pressure_pa.at(row, item).value());
        first_wrong(declared("level_pressure_pa"), &self.level_pressure_pa, (range.clone(), 1), ITEM, wrong, |_, _| {
            format!("in [{low}, {high}] Pa, as of a surface (is it in hPa?)")
        })
    }

    fn without_gases(&self) -> Self {
        let none = Field::empty();
        Self {
            h2o: none,
            co2: none,
            o3: none,
            n2o: none,
            co: none,
            ch4: none,
            o2: none,
            ccl4: none,
            cfc11: none,
            cfc12: none,
            cfc22: none,
            ..*self
        }
    }

    /// Columns of gases that are below zero or no numbers.
    fn negative_amounts(&self, range: &Range<usize>) -> Vec<Error> {
        let mut errors = Vec::new();
        self.visit(&mut |declared, field| {
            if let ("mol mol-1", AnyField::Real(field)) = (declared.unit, field) {
                let wrong = |row: usize, item: usize| !(0.0..f64::INFINITY).contains(&field.at(row, item).value());
                errors.extend(first_wrong(declared, &field, (range.clone(), field.levels()), ITEM, wrong, |_, _| {
                    "a finite number of at least 0".to_owned()
                }));
            }
        });
        errors
    }

    fn sizes_of_ice(&self, options: &Options, range: &Range<usize>) -> Vec<Error> {
        self.sizes("ice_size_um", [&self.ice_path_g_per_m2, &self.ice_size_um], options.ice.range_um(), range)
    }

    fn sizes_of_droplets(&self, options: &Options, range: &Range<usize>) -> Vec<Error> {
        let fields = [&self.liquid_path_g_per_m2, &self.liquid_radius_um];
        self.sizes("liquid_radius_um", fields, options.liquid.range_um(), range)
    }

    /// Sizes out of range where there are particles.
    fn sizes(
        &self,
        name: &'static str,
        [path, size]: [&Field<'a, R>; 2],
        [least, most]: [f64; 2],
        range: &Range<usize>,
    ) -> Vec<Error> {
        if path.is_empty() || !self.cloud_optical_depth.is_empty() {
            return Vec::new();
        }
        let wrong = |row: usize, item: usize| {
            path.at(row, item) > R::ZERO
                && self.cloud_fraction.at(row, item) > R::ZERO
                && !(least..=most).contains(&size.at(row, item).value())
        };
        let most = if most == f64::MAX { "any".to_owned() } else { most.to_string() };
        first_wrong(declared(name), size, (range.clone(), self.layers()), ITEM, wrong, |_, _| {
            format!("in [{least}, {most}] um, for which the chosen optics are")
        })
    }
}

/// Is it nothing without a cloud fraction?
fn is_of_clouds(name: &str) -> bool {
    let names = ["ice_path_g_per_m2", "liquid_path_g_per_m2", "cloud_optical_depth", "cloud_share", "cloud_mask"];
    names.contains(&name)
}

fn declared(name: &str) -> &'static Declared {
    Declared::named(ColumnViews::<f64>::DECLARED, name)
}
