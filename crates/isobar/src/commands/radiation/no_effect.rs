//! Options without effect: refused where the command line alone tells, said where only the columns do.

use std::path::{Path, PathBuf};

use isobar_io::netcdf::is_netcdf;
use isobar_io::{NO_CLOUD_FRACTION, RadiationInput};
use isobar_optics::gases::GASES;
use isobar_radiation::Columns;

use super::all_choices::AllChoices;
use super::choices::{Choices, LongwaveChoices, ScatteringOf, SolverOf, TableChoices};
use super::rrtmg::RrtmgChoices;
use crate::data_folder;
use crate::inputs::k_distributions::{Tables, Waves};
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// An option, whether it was given, and why it would have no effect, if it would not.
pub(in crate::commands) type Rule<'a> = (&'a str, bool, Option<&'static str>);

/// An option that a k-distribution has no use for, and why.
type Useless = Option<(&'static str, &'static str)>;

/// Refuses the first option that was given and has no effect.
pub(in crate::commands) fn refuse<'a>(rules: impl IntoIterator<Item = Rule<'a>>) -> Result<(), Failure> {
    match useless(rules).next() {
        Some(text) => Err(Failure::usage(text)),
        None => Ok(()),
    }
}

/// Warns of all options that were given and have no effect.
pub(in crate::commands) fn warn_of<'a>(rules: impl IntoIterator<Item = Rule<'a>>) {
    useless(rules).for_each(warn);
}

fn useless<'a>(rules: impl IntoIterator<Item = Rule<'a>>) -> impl Iterator<Item = String> {
    rules.into_iter().filter(|(_, given, _)| *given).filter_map(|(option, _, why)| {
        let why = why?;
        Some(format!("{option} has no effect: {why}"))
    })
}

/// What holds if something is so.
fn if_so(so: bool, why: &'static str) -> Option<&'static str> {
    so.then_some(why)
}

const WITHOUT: &str = "--no-clouds leaves clouds out";
const CLEAR: &str = "the sky is clear";
const NOT_PARTLY: &str = "no layer is cloudy in part";

impl Choices {
    /// What the command line says of clouds, whichever the k-distribution.
    pub(in crate::commands) fn on_command_line(&self) -> [Rule<'static>; 4] {
        let without = if_so(!self.clouds(), WITHOUT);
        let own_overlap = if_so(
            matches!(self.solver(), SolverOf::Random | SolverOf::MaximumRandom),
            "this --solver has an overlap of its own",
        );
        let no_length =
            if_so(!self.overlap().is_exponential(), "it is of --overlap exponential and exponential-random");
        let no_numbers =
            if_so(self.solver() != SolverOf::Mcica, "random numbers are those of --solver mcica's sub-columns");
        [
            ("--solver", self.solver.is_some(), without),
            ("--overlap", self.overlap.is_some(), without.or(own_overlap)),
            ("--decorrelation", self.decorrelation.is_some(), without.or(own_overlap).or(no_length)),
            ("--seed", self.seed.is_some(), without.or(no_numbers)),
        ]
    }

    /// What clouds of a fraction \[layers times columns\] say, whichever the k-distribution, where layers are those
    /// with water.
    pub(in crate::commands) fn with_clouds(&self, fractions: impl Iterator<Item = f64>) -> [Rule<'static>; 4] {
        let (mut cloudy, mut partly) = (false, false);
        for fraction in fractions.filter(|&fraction| fraction > 0.0) {
            (cloudy, partly) = (true, partly || fraction < 1.0);
        }
        let clear = if_so(!cloudy, CLEAR);
        // A thick and a thin part of overcast layers overlap, too.
        let full = if_so(!partly && self.solver() != SolverOf::Tripleclouds, NOT_PARTLY);
        [
            ("--solver", self.solver.is_some(), clear),
            ("--overlap", self.overlap.is_some(), clear.or(full)),
            ("--decorrelation", self.decorrelation.is_some(), clear.or(full)),
            ("--seed", self.seed.is_some(), clear.or(full)),
        ]
    }

    /// Whether the fraction of clouds that was asked for is read.
    pub(in crate::commands) fn assumed(&self, cloudy: bool, notes: &[String]) -> Rule<'static> {
        let clear = if_so(!cloudy, CLEAR);
        let given =
            if_so(!notes.iter().any(|note| note.starts_with(NO_CLOUD_FRACTION)), "the file has cloud fractions");
        ("--cloud-fraction", self.cloud_fraction.is_some(), clear.or(given))
    }
}

impl AllChoices<'_> {
    /// Options of k-distributions of RRTMGP, ecCKD or our own without effect, refused.
    pub(super) fn refuse_useless(&self) -> Result<(), Failure> {
        let without = if_so(!self.common.clouds(), WITHOUT);
        let of = self.of_tables;
        refuse(self.but_of_samples(self.common.on_command_line()))?;
        refuse([
            ("--roughness", of.roughness.is_some(), without),
            ("--rain-and-snow", of.rain_and_snow, without),
            ("--rain-as-liquid", of.rain_as_liquid, without),
            ("--snow-as-ice", of.snow_as_ice, without),
        ])
    }

    /// Samples are drawn by the seed, whatever becomes of clouds.
    fn but_of_samples<'a>(&self, rules: [Rule<'a>; 4]) -> impl Iterator<Item = Rule<'a>> {
        let draws = self.samples.is_some();
        rules.into_iter().filter(move |(option, ..)| !(draws && *option == "--seed"))
    }

    /// Those that have none with these columns, said.
    pub(super) fn warn_of_useless(&self, tables: &Tables, input: &RadiationInput, gases: &[(usize, f64)]) {
        let columns = &input.columns;
        let of = self.of_tables;
        let [liquid, ice, rain, snow] = water(columns);
        let there = |paths: &[f64]| {
            let mut both = paths.iter().zip(&columns.cloud_fraction);
            both.any(|(&path, &fraction)| path > 0.0 && fraction > 0.0)
        };
        let has_depth = !columns.cloud_absorption_longwave.is_empty();
        let by_depth = if_so(has_depth, "the file has optical depths of clouds");
        let covered = columns.cloud_fraction.iter().any(|&fraction| fraction > 0.0);
        let cloudy = [liquid, ice, rain, snow].into_iter().any(there) || (has_depth && covered);
        let wet = |index: usize| {
            has_depth || [liquid, ice, rain, snow].iter().any(|water| water.get(index).is_some_and(|&w| w > 0.0))
        };
        let fractions =
            columns.cloud_fraction.iter().enumerate().filter(|(index, _)| wet(*index)).map(|(_, &part)| part);
        warn_of(self.but_of_samples(self.common.with_clouds(fractions)));
        let given_overlap = self.common.overlap().is_exponential() && !columns.overlap_parameter.is_empty();
        let aerosol = |depth: &[f64]| depth.iter().any(|&depth| depth > 0.0);
        let scattering =
            [&columns.aerosol_optical_depth_longwave, &columns.aerosol_albedo_longwave].map(|x| aerosol(x));
        let no_scattering = tables.gases().any(|gases| gases.is_longwave() && gases.is_ecckd())
            || self.scattering() == Some(ScatteringOf::Rescaled);
        let ice_optics = there(ice) || (of.snow_as_ice && there(snow));
        let is_wrf = input.vertical[0] == "bottom_top";
        let clear = if_so(!cloudy, CLEAR);
        let without = if_so(!self.common.clouds(), WITHOUT);
        warn_of([
            (
                "--decorrelation",
                self.common.decorrelation.is_some(),
                if_so(given_overlap, "the file says how clouds overlap"),
            ),
            self.common.assumed(cloudy, &input.notes),
            ("--mean-sun", of.mean_sun, if_so(!tables.waves()[1], "no short wave is computed")),
            ("--clouds", !of.clouds.is_empty(), without.or(clear)),
            (
                "--roughness",
                of.roughness.is_some(),
                clear
                    .or(if_so(!ice_optics, "there is no ice"))
                    .or(if_so(tables.ice_is_of_one_roughness(), "the tables of clouds have ice of one roughness")),
            ),
            (
                "--rain-and-snow",
                of.rain_and_snow,
                if_so(!is_wrf, "rain and snow of a file that is not WRF's are read in any case")
                    .or(if_so(!there(rain) && !there(snow), "the file has neither rain nor snow in clouds")),
            ),
            (
                "--rain-as-liquid",
                of.rain_as_liquid,
                if_so(!there(rain), "there is no rain").or(if_so(tables.have_rain(), "the tables of clouds have rain")),
            ),
            (
                "--snow-as-ice",
                of.snow_as_ice,
                if_so(!there(snow), "there is no snow").or(if_so(tables.have_snow(), "the tables of clouds have snow")),
            ),
            (
                "--ice",
                self.of_rrtmg.is_some_and(|choices| choices.ice.is_some()),
                by_depth.or(if_so(!there(ice), "there is no ice")),
            ),
            (
                "--liquid",
                self.of_rrtmg.is_some_and(|choices| choices.liquid.is_some()),
                by_depth.or(if_so(!there(liquid), "there are no droplets")),
            ),
            (
                "--longwave-scattering",
                self.scattering().is_some_and(|scattering| scattering != ScatteringOf::None),
                if_so(no_scattering && !cloudy && scattering != [true; 2], "nothing scatters in the long wave"),
            ),
            (
                "--delta-scaling mixture",
                self.scales_mixtures(),
                if_so(!cloudy && !aerosol(&columns.aerosol_optical_depth), "there are no particles"),
            ),
        ]);
        for &(gas, _) in gases {
            let known = tables.know_gas(gas);
            let option = format!("--gas {}", GASES[gas]);
            warn_of([(&option[..], true, if_so(!known, "no k-distribution knows this gas"))]);
        }
    }
}

/// Paths of all kinds.
fn water(columns: &Columns<f64>) -> [&[f64]; 4] {
    [
        &columns.liquid_path_g_per_m2,
        &columns.ice_path_g_per_m2,
        &columns.rain_path_g_per_m2,
        &columns.snow_path_g_per_m2,
    ]
}

impl AllChoices<'_> {
    /// Refuses what the k-distributions that are asked for have no use for.
    pub(super) fn refuse_with(&self, kdist: &[PathBuf], waves: Waves) -> Result<(), Failure> {
        let refuse = |useless: Useless, path: &Path| match useless {
            None => Ok(()),
            Some((option, why)) => {
                let path = path.display();
                Err(Failure::usage(format!("{option} is of no use with the k-distribution {path}: {why}")))
            }
        };
        let paths: Vec<PathBuf> = kdist.iter().map(|path| data_folder::named(path)).collect();
        let Some(path) = paths.iter().find(|path| !is_netcdf(path)) else {
            let first = paths.first().map_or(Path::new("data/radiation"), |path| path);
            return refuse(self.of_rrtmg.and_then(RrtmgChoices::with_tables), first);
        };
        let alone = waves == Waves::Long || paths.len() == 1;
        refuse(self.longwave.and_then(LongwaveChoices::with_rrtmg).or(self.common.with_rrtmg()), path)?;
        if alone { refuse(self.of_tables.with_rrtmg(), path) } else { Ok(()) }
    }
}

impl TableChoices {
    /// The first that RRTMG_LW has no use for.
    fn with_rrtmg(&self) -> Useless {
        if !self.clouds.is_empty() {
            return Some(("--clouds", "RRTMG_LW's optics of clouds are --ice and --liquid"));
        }
        if !self.aerosols.is_empty() {
            return Some(("--aerosols", "RRTMG_LW reads the aerosol's optical depth"));
        }
        if self.delta_scaling.is_some() {
            return Some(("--delta-scaling", "there is no sunlight"));
        }
        if self.rain_and_snow || self.rain_as_liquid || self.snow_as_ice {
            let option = match (self.rain_and_snow, self.rain_as_liquid) {
                (true, _) => "--rain-and-snow",
                (_, true) => "--rain-as-liquid",
                _ => "--snow-as-ice",
            };
            return Some((option, "RRTMG_LW's clouds are of liquid and ice"));
        }
        self.roughness.map(|_| ("--roughness", "RRTMG_LW's optics of ice are --ice"))
    }
}

impl Choices {
    /// The first that RRTMG_LW has no use for.
    fn with_rrtmg(&self) -> Useless {
        (self.solver() == SolverOf::Tripleclouds).then_some(("--solver tripleclouds", "it is for all others"))
    }
}

impl LongwaveChoices {
    /// The first that RRTMG_LW has no use for.
    fn with_rrtmg(&self) -> Useless {
        self.longwave_scattering.map(|_| ("--longwave-scattering", "RRTMG_LW's clouds only absorb"))
    }
}

impl RrtmgChoices {
    /// The first that other k-distributions have no use for.
    fn with_tables(&self) -> Useless {
        [
            (self.rrtmg_exact, "--rrtmg-exact", "it is for RRTMG_LW's"),
            (self.ice.is_some(), "--ice", "it is for RRTMG_LW's; of others the tables of --clouds say how ice absorbs"),
            (
                self.liquid.is_some(),
                "--liquid",
                "it is for RRTMG_LW's; of others the tables of --clouds say how droplets absorb",
            ),
        ]
        .into_iter()
        .find(|(given, ..)| *given)
        .map(|(_, option, why)| (option, why))
    }
}
