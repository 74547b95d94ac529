//! What RRTMG_LW's long wave accepts besides what all k-distributions do: gases as columns, sizes of particles that the
//! chosen optics are for, pressures of a surface.

use std::ops::Range;

use isobar_core::fields::check::first_wrong;
use isobar_core::fields::{AnyField, Error, InputSet};
use isobar_core::{Field, Real};

use crate::fields::{ColumnViews, ITEM, declared};
use crate::host::options::{CloudSolver, Options};
use crate::host::spectrum::Spectra;
use crate::rrtmg::arguments::LEAST_LAYERS;
use crate::rrtmg::host::decorrelation::Decorrelation;
use crate::rrtmg::host::reference_atmosphere::TableRange;
use crate::rrtmg::views;

/// A surface at less \[Pa\] is higher than any mountain on Earth, and more likely in hPa.
const SURFACE_PRESSURE: (f64, f64) = (20_000.0, 200_000.0);

/// Read for RRTMG_LW alone.
pub(crate) const FIELDS: [&str; 6] = [
    "dry_column_per_cm2",
    "broadening_column_per_cm2",
    "cloud_absorption_longwave",
    "latitude_deg",
    "cloud_share",
    "cloud_mask",
];

/// The gases that it knows.
pub const GASES: [&str; 11] = ["h2o", "co2", "o3", "n2o", "co", "ch4", "o2", "ccl4", "cfc11", "cfc12", "cfc22"];

impl Options {
    /// Is one of [`FIELDS`] read with these options?
    pub(crate) fn reads_for_rrtmg(&self, name: &str) -> bool {
        match name {
            "latitude_deg" => {
                self.overlaps_exponentially() && matches!(self.rrtmg.decorrelation, Decorrelation::Latitude { .. })
            }
            "cloud_mask" | "cloud_share" => self.cloud_solver == CloudSolver::McIca,
            _ => true,
        }
    }
}

impl<R: Real> Spectra<R> {
    /// Refuses fields that need others, or that RRTMG_LW does not know.
    pub(crate) fn check_fields_of_rrtmg(&self, columns: &ColumnViews<'_, R>, options: &Options) -> Result<(), Error> {
        let refuse = |text: String| Err(Error::Setup(text));
        let by_columns = !columns.dry_column_per_cm2.is_empty();
        if by_columns == columns.broadening_column_per_cm2.is_empty() {
            return refuse("columns of dry air and broadening columns come together".to_owned());
        }
        if by_columns && self.shortwave.is_some() {
            return refuse("the short wave reads mixing ratios of gases, not columns (dry_column_per_cm2)".to_owned());
        }
        if !columns.aerosol_optical_depth_longwave.is_empty() {
            let text = "RRTMG_LW's long wave does not scatter: its aerosol is aerosol_absorption_longwave";
            return refuse(text.to_owned());
        }
        if !columns.rain_path_g_per_m2.is_empty() || !columns.snow_path_g_per_m2.is_empty() {
            return refuse("RRTMG_LW has no optics of rain and snow".to_owned());
        }
        if columns.generates_masks(options) && columns.layers() < LEAST_LAYERS {
            let layers = columns.layers();
            return refuse(format!("{layers} layers are too few to seed KISS: at least {LEAST_LAYERS}"));
        }
        Ok(())
    }
}

impl<R: Real> views::ColumnViews<'_, R> {
    /// Does a kernel generate the masks of these columns, each for itself?
    pub(crate) fn generates_masks(&self, options: &Options) -> bool {
        options.cloud_solver == CloudSolver::McIca && self.is_cloudy() && self.cloud_mask.is_empty()
    }
}

impl<R: Real> ColumnViews<'_, R> {
    /// Does a kernel of RRTMG_LW generate the masks of these columns, each for itself?
    pub(crate) fn generates_masks(&self, options: &Options) -> bool {
        views::ColumnViews::of(self).generates_masks(options)
    }

    /// Is there what is nothing without a cloud fraction?
    pub(crate) fn has_clouds_of_rrtmg(&self) -> bool {
        !(self.cloud_absorption_longwave.is_empty() && self.cloud_share.is_empty() && self.cloud_mask.is_empty())
    }

    pub(crate) fn without_gases(&self) -> Self {
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
}

/// The ends of the tables' pressures \[Pa\], as columns have them.
pub(crate) fn pressure_ends<R: Real>() -> Vec<f64> {
    TableRange::get().pressure_pa().map(|end| R::from_f64(end).value()).to_vec()
}

/// What is wrong with amounts of gases and sizes of particles of a range.
pub(crate) fn check<R: Real>(
    columns: &ColumnViews<'_, R>,
    (options, ice_size): (&Options, f64),
    range: &Range<usize>,
) -> Vec<Error> {
    let mut errors = Vec::new();
    if !columns.dry_column_per_cm2.is_empty() {
        errors.extend(negative_amounts(columns, range));
    }
    if columns.is_cloudy() && columns.cloud_absorption_longwave.is_empty() {
        let rrtmg = &options.rrtmg;
        let ice = [&columns.ice_path_g_per_m2, &columns.ice_size_um];
        errors.extend(sizes(columns, "ice_size_um", ice, rrtmg.ice.range_um().map(|size| size / ice_size), range));
        let droplets = [&columns.liquid_path_g_per_m2, &columns.liquid_radius_um];
        errors.extend(sizes(columns, "liquid_radius_um", droplets, rrtmg.liquid.range_um(), range));
    }
    errors
}

/// Surfaces whose pressure is none.
pub(crate) fn surfaces<R: Real>(columns: &ColumnViews<'_, R>, range: &Range<usize>) -> Vec<Error> {
    let (low, high) = SURFACE_PRESSURE;
    let field = &columns.level_pressure_pa;
    let wrong = |row: usize, item: usize| !(low..=high).contains(&field.at(row, item).value());
    first_wrong(declared("level_pressure_pa"), field, (range.clone(), 1), ITEM, wrong, |_, _| {
        format!("in [{low}, {high}] Pa, as of a surface (is it in hPa?)")
    })
}

/// Columns of gases that are below zero or no numbers.
fn negative_amounts<R: Real>(columns: &ColumnViews<'_, R>, range: &Range<usize>) -> Vec<Error> {
    let mut errors = Vec::new();
    columns.visit(&mut |declared, field| {
        if let (true, AnyField::Real(field)) = (GASES.contains(&declared.name), field) {
            let wrong = |row: usize, item: usize| !(0.0..f64::INFINITY).contains(&field.at(row, item).value());
            errors.extend(first_wrong(declared, &field, (range.clone(), field.levels()), ITEM, wrong, |_, _| {
                "a finite number of at least 0".to_owned()
            }));
        }
    });
    errors
}

/// Sizes out of range where there are particles.
fn sizes<R: Real>(
    columns: &ColumnViews<'_, R>,
    name: &'static str,
    [path, size]: [&Field<'_, R>; 2],
    [least, most]: [f64; 2],
    range: &Range<usize>,
) -> Vec<Error> {
    let wrong = |row: usize, item: usize| {
        path.at(row, item) > R::ZERO
            && columns.cloud_fraction.at(row, item) > R::ZERO
            && !(least..=most).contains(&size.at(row, item).value())
    };
    let most = if most >= f64::MAX { "any".to_owned() } else { most.to_string() };
    first_wrong(declared(name), size, (range.clone(), columns.layers()), ITEM, wrong, |_, _| {
        format!("in [{least}, {most}] um, for which the chosen optics are")
    })
}
