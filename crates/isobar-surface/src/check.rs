//! What is accepted besides the ranges of the fields: options, sizes, and water that does not boil.

use std::format;
use std::ops::Range;
use std::vec::Vec;

use isobar_core::fields::check::{first_of_each, first_wrong, values_by};
use isobar_core::fields::{Accepted, Declared, Error, Extents, Need, OwnedInputs};
use isobar_core::{Column, Field, Real};

use crate::constants::{Constants, LAND, MOST_VAPOUR};
use crate::fields::{ColumnViews, Columns};
use crate::options::{Options, WaterRoughness};

/// What a column is called in messages.
pub const ITEM: &str = "column";
/// Orography's drag reaches so many deviations high at most.
const LARGEST_FORM_DRAG_FACTOR: f64 = 1000.0;
/// The field that is read over water alone.
const DEPTH: &str = "water_depth_m";

impl Options {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::Setup`]: options that exclude each other, a factor out of (0, 1000], or a constant that is not positive
    /// and finite.
    pub fn check(&self) -> Result<(), Error> {
        let no = |text| Err(Error::Setup(text));
        if self.shallow_water && self.water_roughness != WaterRoughness::Coare {
            return no(
                "shallow water has its own roughness, and so has water in strong winds: water_roughness has to \
                       be coare with shallow_water"
                    .into(),
            );
        }
        let factor = self.form_drag_factor;
        if self.form_drag && !(factor > 0.0 && factor <= LARGEST_FORM_DRAG_FACTOR) {
            let range = format!("(0, {LARGEST_FORM_DRAG_FACTOR}]");
            return no(format!("form_drag_factor is {factor}, which is not in {range}"));
        }
        for (name, value) in self.constants.by_name() {
            if !(value > 0.0 && value < f64::INFINITY) {
                return no(format!("the constant {name} is {value}, which is not in (0, inf)"));
            }
        }
        let Constants { rd, cp, svp3, .. } = self.constants;
        if rd >= cp {
            return no(format!("the constant rd is {rd}, which is not below cp, {cp}"));
        }
        if svp3 >= 90.0 {
            return no(format!("the constant svp3 is {svp3} K, which is not below 90 K, colder than any air"));
        }
        Ok(())
    }

    /// What these options make of an input.
    #[must_use]
    pub fn need(&self, declared: &Declared) -> Need {
        let needed = match declared.name {
            DEPTH => self.shallow_water,
            "orography_deviation_m" => self.form_drag,
            _ => return declared.need(),
        };
        if needed { Need::Required } else { Need::Ignored }
    }

    /// The pressure of saturated vapour \[Pa\].
    fn saturation_pressure(&self, temperature: f64) -> f64 {
        let Constants { svp1, svp2, svp3, svpt0, .. } = self.constants;
        1000.0 * svp1 * Real::exp(svp2 * (temperature - svpt0) / (temperature - svp3))
    }
}

impl<R: Real> Columns<R> {
    /// The number of columns: that of surface temperatures.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.surface_temperature_k.len()
    }

    /// The sizes.
    #[must_use]
    pub fn extents(&self) -> Extents {
        Extents::new(self.columns())
    }
}

impl<'a, R: Real> TryFrom<&'a Columns<R>> for ColumnViews<'a, R> {
    type Error = Error;

    fn try_from(columns: &'a Columns<R>) -> Result<Self, Error> {
        columns.views(&columns.extents(), ITEM)
    }
}

impl<R: Real> ColumnViews<'_, R> {
    /// The sizes.
    #[must_use]
    pub fn extents(&self) -> Extents {
        Extents::new(self.surface_temperature_k.len())
    }

    /// The first of what is wrong with each bad column of a range, of views whose sizes are right.
    #[must_use]
    pub fn check(&self, extents: &Extents, options: &Options, range: Range<usize>) -> Vec<Error> {
        let accepted = |declared: &'static Declared, _| match declared.name {
            DEPTH => Accepted::Finite,
            _ => declared.accepted,
        };
        first_of_each([
            values_by(self, extents, range.clone(), ITEM, &accepted),
            self.no_depth_of_water(options, range.clone()),
            self.not_below_surface(range.clone()),
            self.boiling(options, range.clone(), "temperature_k", [&self.temperature_k, &self.pressure_pa]),
            self.boiling(
                options,
                range,
                "surface_temperature_k",
                [&self.surface_temperature_k, &self.surface_pressure_pa],
            ),
        ])
    }

    /// Depths of water that are none; those of land count for nothing, and have to be finite alone.
    fn no_depth_of_water(&self, options: &Options, range: Range<usize>) -> Vec<Error> {
        if !options.shallow_water {
            return Vec::new();
        }
        let (declared, field) = (Declared::named(Self::DECLARED, DEPTH), as_field(&self.water_depth_m));
        let accepted = declared.accepted.rounded::<R>();
        let wrong =
            |_, item: usize| self.land_or_water.at(item).value() > LAND && !accepted.fits(field.at(0, item).value());
        first_wrong(declared, &field, (range, 1), ITEM, wrong, |_, _| format!("{accepted} m over water"))
    }

    /// Pressures of air that are not below that of the surface: one of them may be in another unit.
    fn not_below_surface(&self, range: Range<usize>) -> Vec<Error> {
        let declared = Declared::named(Self::DECLARED, "pressure_pa");
        let surface = |item: usize| self.surface_pressure_pa.at(item).value();
        let field = as_field(&self.pressure_pa);
        let wrong = |_, item: usize| field.at(0, item).value() >= surface(item);
        first_wrong(declared, &field, (range, 1), ITEM, wrong, |_, item| {
            format!("below the {} Pa of the surface", surface(item))
        })
    }

    /// Temperatures at which water boils: there is no mixing ratio of saturated air.
    fn boiling(
        &self,
        options: &Options,
        range: Range<usize>,
        name: &str,
        [temperature, pressure]: [&Column<'_, R>; 2],
    ) -> Vec<Error> {
        let (declared, field) = (Declared::named(Self::DECLARED, name), as_field(temperature));
        // Colder air is far from it, and needs no exponential.
        let safe = 273.0;
        let wrong = |_, item: usize| {
            let (warm, pressure) = (temperature.at(item).value(), pressure.at(item).value());
            let least = if warm < safe { 1000.0 } else { options.saturation_pressure(warm) };
            least >= MOST_VAPOUR * pressure
        };
        first_wrong(declared, &field, (range, 1), ITEM, wrong, |_, item| {
            format!("below that at which water boils at {} Pa", pressure.at(item).value())
        })
    }
}

/// A field of one row.
fn as_field<'a, R: Real>(column: &Column<'a, R>) -> Field<'a, R> {
    // SAFETY: the same values.
    unsafe { Field::from_raw(column.as_ptr(), 1, column.len(), 0, column.stride()) }
}
