//! What is accepted besides the ranges of the fields: options, fields that belong together, pressures in order,
//! temperatures and sizes of particles for which the tables are.

use std::ops::Range;

use isobar_core::fields::check::{between_levels, complete, falling, first_of_each, first_wrong, size_error, values};
use isobar_core::fields::{Declared, Error, Extents, G_POINT, InputSet, LAYER, MASK_WORD, Need, OwnedInputs, field_of};
use isobar_core::{Field, Real};
use isobar_optics::gases::{GASES, gas_number};

use super::options::{Angles, CloudSolver, Options};
use super::spectrum::{Spectra, Spectrum};
use crate::fields::{
    ColumnViews, Columns, INTERFACE, ITEM, LONGWAVE_BAND, LONGWAVE_FLUX_BAND, SHORTWAVE_BAND, SHORTWAVE_FLUX_BAND,
    declared,
};
use crate::rrtmg::check as rrtmg;

/// Read for one spectrum alone, the first ones needed.
const LONGWAVE: [&str; 7] = [
    "level_temperature_k",
    "surface_temperature_k",
    "emissivity",
    "aerosol_absorption_longwave",
    "aerosol_optical_depth_longwave",
    "aerosol_albedo_longwave",
    "aerosol_asymmetry_longwave",
];
const LONGWAVE_NEEDS: usize = 3;
const SHORTWAVE: [&str; 7] = [
    "cosine_zenith",
    "surface_albedo_direct",
    "total_solar_irradiance_w_per_m2",
    "surface_albedo_diffuse",
    "aerosol_optical_depth",
    "aerosol_albedo",
    "aerosol_asymmetry",
];
const SHORTWAVE_NEEDS: usize = 2;
/// Read for other k-distributions than RRTMG_LW's.
const OTHERS: [&str; 3] = ["overlap_parameter", "subcolumn_seed", "fractional_standard_deviation"];
/// Says that gases are columns, which RRTMG_LW alone reads: where it was left out, gases would be something else.
const DRY_COLUMN: &str = "dry_column_per_cm2";
const CLOUD: [&str; 4] = ["liquid_path_g_per_m2", "ice_path_g_per_m2", "liquid_radius_um", "ice_size_um"];

impl<R: Real> Spectra<R> {
    /// What these spectra and options make of an input.
    #[must_use]
    pub fn need(&self, declared: &Declared, options: &Options) -> Need {
        let name = declared.name;
        let unread = (LONGWAVE.contains(&name) && !self.has_longwave())
            || (SHORTWAVE.contains(&name) && self.shortwave.is_none())
            || (rrtmg::FIELDS.contains(&name)
                && name != DRY_COLUMN
                && (self.rrtmg.is_none() || !options.reads_for_rrtmg(name)))
            || (["thickness_m", "overlap_parameter"].contains(&name) && !options.overlap.is_exponential())
            || (["overlap_parameter", "subcolumn_seed"].contains(&name) && self.each().next().is_none())
            || (name == "subcolumn_seed" && options.cloud_solver != CloudSolver::McIca)
            || (name == "fractional_standard_deviation" && options.cloud_solver != CloudSolver::Tripleclouds);
        let of_rrtmg = |gas: usize| self.rrtmg.is_some() && rrtmg::GASES.contains(&GASES[gas]);
        let needed = LONGWAVE[..LONGWAVE_NEEDS].contains(&name) || SHORTWAVE[..SHORTWAVE_NEEDS].contains(&name);
        match gas_number(name) {
            _ if unread => Need::Ignored,
            _ if needed => Need::Required,
            Some(gas) if self.each().any(|spectrum| spectrum.optics.key_gases.contains(&gas)) => Need::Required,
            Some(gas) if !of_rrtmg(gas) && !self.each().any(|spectrum| spectrum.optics.gases.contains(&gas)) => {
                Need::Ignored
            }
            _ => declared.need(),
        }
    }

    /// Why these spectra have no use for an input, whatever the options; none where they have.
    #[must_use]
    pub fn useless(&self, declared: &Declared) -> Option<&'static str> {
        let (name, has_others) = (declared.name, self.each().next().is_some());
        let is_unknown = gas_number(name).is_some_and(|gas| !self.knows_gas(gas));
        [
            (LONGWAVE.contains(&name) && !self.has_longwave(), "no long wave is computed"),
            (SHORTWAVE.contains(&name) && self.shortwave.is_none(), "no short wave is computed"),
            (rrtmg::FIELDS.contains(&name) && self.rrtmg.is_none(), "it is for RRTMG_LW's k-distribution"),
            (OTHERS.contains(&name) && !has_others, "it is for other k-distributions than RRTMG_LW's"),
            (is_unknown, "no k-distribution here knows this gas"),
        ]
        .into_iter()
        .find_map(|(is_useless, why)| is_useless.then_some(why))
    }

    /// Is a result computed?
    #[must_use]
    pub fn wants(&self, declared: &Declared, options: &Options) -> bool {
        let name = declared.name;
        (!name.starts_with("longwave") || self.has_longwave())
            && (!name.starts_with("shortwave") || self.shortwave.is_some())
            && (!name.contains("_clear") || options.clear_sky)
            && (!name.contains("_derivative") || options.derivative)
            && (!name.contains("_by_band") || options.band_fluxes)
    }

    /// The sizes of columns.
    ///
    /// # Errors
    /// Options that are not valid or that the tables cannot serve; fields that need others.
    pub fn extents(&self, columns: &ColumnViews<'_, R>, options: &Options) -> Result<Extents, Error> {
        options.check()?;
        let refuse = |text: &str| Err(Error::Setup(text.to_owned()));
        if self.rrtmg.is_some() {
            options.check_rrtmg()?;
        }
        if self.each().next().is_some() && options.cloud_solver == CloudSolver::Fractions {
            return refuse("fractions of clouds are RRTMG_LW's alone: other k-distributions have none of them");
        }
        if self.each().next().is_none() && self.rrtmg.is_none() {
            return refuse("radiation needs a k-distribution");
        }
        if options.angles == Angles::Best && self.longwave.as_ref().is_some_and(|wave| !wave.optics.has_secants()) {
            return refuse("the k-distribution of the long wave does not know the best secants");
        }
        if self.rrtmg.is_none() && !columns.dry_column_per_cm2.is_empty() {
            let text = "with dry_column_per_cm2 gases are columns, as RRTMG_LW's k-distribution alone reads them: \
                        others read mole fractions";
            return refuse(text);
        }
        let (count, layers) = (columns.columns(), columns.layers());
        if count > 0 && layers == 0 {
            return refuse("a column needs at least one layer");
        }
        let rows = |field: &Field<'_, R>, rows_of: &dyn Fn(usize) -> usize| rows_of(field.levels());
        let [rrtmg_bands, points] = self.rrtmg_sizes().unwrap_or_default();
        let longwave = self.longwave.as_ref().map_or(rrtmg_bands, |wave| rows(&columns.emissivity, &|n| wave.rows(n)));
        let shortwave =
            self.shortwave.as_ref().map_or(0, |wave| rows(&columns.surface_albedo_direct, &|n| wave.rows(n)));
        let bands = |wave: &Option<Spectrum<R>>| wave.as_ref().map_or(0, |wave| wave.optics.band_limits_per_cm.len());
        let extents = Extents::new(count)
            .with(LAYER, layers)
            .with(INTERFACE, layers.saturating_sub(1))
            .with(LONGWAVE_BAND, longwave)
            .with(SHORTWAVE_BAND, shortwave)
            .with(LONGWAVE_FLUX_BAND, bands(&self.longwave).max(rrtmg_bands))
            .with(SHORTWAVE_FLUX_BAND, bands(&self.shortwave));
        let mut missing = None;
        let cloudy = columns.is_cloudy();
        let extents = if cloudy && self.rrtmg.is_some() {
            extents.with(G_POINT, points).with(MASK_WORD, points.div_ceil(32))
        } else {
            extents
        };
        let by_thickness = options.overlap.is_exponential()
            && ((self.each().next().is_some() && columns.overlap_parameter.is_empty())
                || (self.rrtmg.is_some() && columns.generates_masks(options)));
        let (rain, snow) = (!columns.rain_path_g_per_m2.is_empty(), !columns.snow_path_g_per_m2.is_empty());
        let aerosol = self.shortwave.is_some() && !columns.aerosol_optical_depth.is_empty();
        let aerosol_longwave = self.longwave.is_some() && !columns.aerosol_optical_depth_longwave.is_empty();
        if self.rrtmg.is_some() {
            self.check_fields_of_rrtmg(columns, options)?;
        }
        if aerosol_longwave && !columns.aerosol_absorption_longwave.is_empty() {
            return refuse("aerosol_absorption_longwave and aerosol_optical_depth_longwave say the same twice");
        }
        if self.longwave.is_some() && !aerosol_longwave && !columns.aerosol_albedo_longwave.is_empty() {
            return refuse("aerosol_albedo_longwave needs an aerosol_optical_depth_longwave");
        }
        // RRTMG_LW can be given the optical depth instead.
        let by_paths = self.each().next().is_some() || columns.cloud_absorption_longwave.is_empty();
        columns.visit(&mut |declared, field| {
            let needed = (cloudy && by_paths && CLOUD.contains(&declared.name))
                || (cloudy && rain && declared.name == "rain_radius_um")
                || (cloudy && snow && declared.name == "snow_size_um")
                || (cloudy && by_thickness && declared.name == "thickness_m")
                || (aerosol && ["aerosol_albedo", "aerosol_asymmetry"].contains(&declared.name))
                || (aerosol_longwave
                    && ["aerosol_albedo_longwave", "aerosol_asymmetry_longwave"].contains(&declared.name));
            if missing.is_none() && needed && field.extent().1 == 0 {
                missing = Some(declared);
            }
        });
        if let Some(declared) = missing {
            return Err(size_error(declared, 0, &extents, ITEM));
        }
        if !cloudy {
            let water = !columns.liquid_path_g_per_m2.is_empty() || !columns.ice_path_g_per_m2.is_empty();
            let of_rrtmg = self.rrtmg.is_some() && columns.has_clouds_of_rrtmg();
            return if water || rain || snow || of_rrtmg {
                refuse("clouds need a cloud_fraction")
            } else {
                Ok(extents)
            };
        }
        if self.each().any(|spectrum| spectrum.clouds.is_none()) {
            return refuse("columns have clouds, and there are no tables of clouds for all k-distributions");
        }
        Ok(extents)
    }

    /// The first of what is wrong with each bad column of a range, of views whose sizes are right.
    #[must_use]
    pub fn check(
        &self,
        columns: &ColumnViews<'_, R>,
        extents: &Extents,
        options: &Options,
        range: Range<usize>,
    ) -> Vec<Error> {
        let within = |some: &ColumnViews<'_, R>| values(some, extents, range.clone(), ITEM);
        let ColumnViews { level_pressure_pa, pressure_pa, .. } = *columns;
        // Pressures first, from which others may have been derived.
        let pressures = within(&ColumnViews { level_pressure_pa, pressure_pa, ..ColumnViews::empty() });
        let falling = falling(declared("level_pressure_pa"), &level_pressure_pa, range.clone(), ITEM);
        let pair = [&level_pressure_pa, &pressure_pa];
        // But for those at the end of RRTMG_LW's pressures, to which they were clamped.
        let ends = if self.rrtmg.is_some() { rrtmg::pressure_ends::<R>() } else { Vec::new() };
        let around = between_levels(declared("pressure_pa"), pair, range.clone(), ITEM, &ends);
        let all =
            if columns.dry_column_per_cm2.is_empty() { within(columns) } else { within(&columns.without_gases()) };
        let outside = self.outside_tables(columns, &range);
        let sizes = self.sizes(columns, &range);
        let [surface, of_rrtmg] = if self.rrtmg.is_some() {
            [rrtmg::surfaces(columns, &range), rrtmg::check(columns, (options, self.rrtmg_ice_size(options)), &range)]
        } else {
            [Vec::new(), Vec::new()]
        };
        first_of_each([pressures, falling, around, surface, all, of_rrtmg, outside, sizes])
    }

    /// The views that are read, and the sizes. All of it is checked.
    ///
    /// # Errors
    /// Options, sizes, or the first column that is not valid.
    pub fn checked<'a>(
        &self,
        columns: &ColumnViews<'a, R>,
        options: &Options,
    ) -> Result<(ColumnViews<'a, R>, Extents), Error> {
        let extents = self.extents(columns, options)?;
        let read = complete(columns, &extents, ITEM, &|declared| self.need(declared, options))?;
        match self.check(&read, &extents, options, 0..extents.items()).into_iter().next() {
            Some(first) => Err(first),
            None => Ok((read, extents)),
        }
    }

    /// Gases of which columns have more or less at the ground than those for which a k-distribution was trained, each
    /// in a sentence with a count. Results are then extrapolated; a gas left out, for which a k-distribution like
    /// ecCKD's has air with another amount, is not air without it.
    #[must_use]
    pub fn doubts(&self, columns: &ColumnViews<'_, R>) -> Vec<String> {
        /// What single precision rounds.
        const ROUNDING: f64 = 1e-6;
        let mut texts: Vec<String> = Vec::new();
        let gases = columns.gases();
        for (number, [low, high]) in self.each().flat_map(|spectrum| spectrum.optics.trained.iter().copied()) {
            let field = &gases[number];
            // A single value is one of all columns.
            let last = field.items().saturating_sub(1);
            let lowest = |column: usize| if field.is_empty() { 0.0 } else { field.at(0, column.min(last)).value() };
            let range = low * (1.0 - ROUNDING)..=high * (1.0 + ROUNDING);
            let mut outside = (0..columns.columns()).filter(|&column| !range.contains(&lowest(column)));
            let Some(first) = outside.next() else { continue };
            let (name, count, of) = (GASES[number], 1 + outside.count(), columns.columns());
            let text = format!(
                "{name} is {} mol/mol at the ground of {ITEM} {first}, and so outside of [{low}, {high}] in {count} of \
                 {of} {ITEM}s: the k-distribution was trained for amounts in this range and is extrapolated",
                lowest(first)
            );
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    /// Pressures and temperatures beyond the tables. ecCKD's hold the values of their ends for the air; what the ground
    /// radiates is nowhere near the end of a table of black bodies.
    fn outside_tables(&self, columns: &ColumnViews<'_, R>, range: &Range<usize>) -> Vec<Error> {
        let mut errors = Vec::new();
        let mut check = |field: &Field<'_, R>, name: &'static str, [low, high]: [f64; 2], unit: &str| {
            // As the precision of the columns has them.
            let [least, most] = [low, high].map(|end| R::from_f64(end).value());
            let wrong = |row: usize, item: usize| !(least..=most).contains(&field.at(row, item).value());
            let accepted = |_: usize, _: usize| format!("in [{low}, {high}] {unit}, for which the tables are");
            errors.extend(first_wrong(declared(name), field, (range.clone(), field.levels()), ITEM, wrong, accepted));
        };
        if let Some(range) = self.longwave.as_ref().and_then(|wave| wave.optics.planck_range_k) {
            check(&field_of(columns.surface_temperature_k), "surface_temperature_k", range, "K");
        }
        for spectrum in self.each().filter(|spectrum| !spectrum.optics.is_ecckd()) {
            check(&columns.pressure_pa, "pressure_pa", spectrum.optics.pressure_range_pa, "Pa");
            check(&columns.temperature_k, "temperature_k", spectrum.optics.temperature_range_k, "K");
            if spectrum.optics.is_longwave() {
                let field = &columns.level_temperature_k;
                check(field, "level_temperature_k", spectrum.optics.temperature_range_k, "K");
            }
        }
        errors.sort_by_key(Error::item);
        errors.dedup_by_key(|error| error.item());
        errors
    }

    /// Sizes out of range where there are particles, and particles of which there is no table.
    fn sizes(&self, columns: &ColumnViews<'_, R>, range: &Range<usize>) -> Vec<Error> {
        if !columns.is_cloudy() {
            return Vec::new();
        }
        let species = [
            ("liquid_radius_um", &columns.liquid_path_g_per_m2, &columns.liquid_radius_um),
            ("ice_size_um", &columns.ice_path_g_per_m2, &columns.ice_size_um),
            ("rain_radius_um", &columns.rain_path_g_per_m2, &columns.rain_radius_um),
            ("snow_size_um", &columns.snow_path_g_per_m2, &columns.snow_size_um),
        ];
        let rows = (range.clone(), columns.layers());
        let mut errors = Vec::new();
        for spectrum in self.each() {
            let Some(clouds) = &spectrum.clouds else { continue };
            for ((name, path, size), table) in species.into_iter().zip(clouds.ranges_um) {
                if path.is_empty() {
                    continue;
                }
                let is_there = |row: usize, item: usize| {
                    path.at(row, item) > R::ZERO && columns.cloud_fraction.at(row, item) > R::ZERO
                };
                errors.extend(match table {
                    Some([low, high]) => {
                        let wrong = |row: usize, item: usize| {
                            is_there(row, item) && !(low..=high).contains(&size.at(row, item).value())
                        };
                        let accepted = |_: usize, _: usize| format!("in [{low}, {high}] um, for which the tables are");
                        first_wrong(declared(name), size, rows.clone(), ITEM, wrong, accepted)
                    }
                    None => {
                        let (path_name, what, unless) = match name {
                            "rain_radius_um" => {
                                ("rain_path_g_per_m2", "rain", "liquid (rain_as_liquid, --rain-as-liquid)")
                            }
                            _ => ("snow_path_g_per_m2", "snow", "ice (snow_as_ice, --snow-as-ice)"),
                        };
                        let wave = if spectrum.optics.is_longwave() { "long" } else { "short" };
                        let accepted = |_: usize, _: usize| {
                            format!(
                                "0 g m-2: the tables of clouds of the {wave} wave have none of {what}, unless it is \
                                 taken for {unless}"
                            )
                        };
                        first_wrong(declared(path_name), path, rows.clone(), ITEM, is_there, accepted)
                    }
                });
            }
        }
        errors.sort_by_key(Error::item);
        errors.dedup_by_key(|error| error.item());
        errors
    }
}

impl<R> Columns<R> {
    /// The number of columns: one value each, whichever spectrum it is for.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.surface_temperature_k.len().max(self.cosine_zenith.len())
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

/// Sizes that follow from the lengths of the vectors; the k-distributions say later whether their bands are as many.
impl<'a, R: Real> TryFrom<&'a Columns<R>> for ColumnViews<'a, R> {
    type Error = Error;

    fn try_from(columns: &'a Columns<R>) -> Result<Self, Error> {
        let (count, layers) = (columns.columns(), columns.layers());
        if layers == 0 && count > 0 {
            return Err(Error::Setup("temperature_k has no values, and a column needs at least one layer".to_owned()));
        }
        // One value is for all, and not that of one band.
        let rows =
            |values: &Vec<R>, each: usize| if values.len() == 1 { 0 } else { values.len().div_ceil(each.max(1)) };
        // Rows for a single value, where nothing else has any: a k-distribution may have one band, and then one row.
        let at_least_two = |rows: usize| if rows == 0 { 2 } else { rows };
        let longwave = rows(&columns.emissivity, count)
            .max(rows(&columns.aerosol_absorption_longwave, count * layers))
            .max(rows(&columns.aerosol_optical_depth_longwave, count * layers))
            .max(rows(&columns.cloud_absorption_longwave, count * layers));
        let shortwave = rows(&columns.surface_albedo_direct, count)
            .max(rows(&columns.surface_albedo_diffuse, count))
            .max(rows(&columns.aerosol_optical_depth, count * layers));
        let extents = Extents::new(count)
            .with(LAYER, layers)
            .with(INTERFACE, layers.saturating_sub(1))
            .with(LONGWAVE_BAND, at_least_two(longwave))
            .with(SHORTWAVE_BAND, at_least_two(shortwave))
            .with(G_POINT, at_least_two(rows(&columns.cloud_share, count * layers)))
            .with(MASK_WORD, columns.cloud_mask.len().div_ceil((count * layers).max(1)));
        columns.views(&extents, ITEM)
    }
}
