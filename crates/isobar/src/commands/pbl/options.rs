//! What is computed, and how.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar_io::{BoundaryLayerRequest, constants_not_read, names_not_read};
use isobar_ysu::{Constants, Options, ShinHongOptions, Version};

use super::surface_option::SurfaceOption;
use crate::commands::radiation_files::name;
use crate::program::failure::Failure;
use crate::program::options::{BadColumns, DeviceOptions, Printing};
use crate::program::output::ResultFiles;
use crate::program::remarks::warn;

/// The options of `isobar pbl`.
#[derive(Args, Debug)]
pub(crate) struct Pbl {
    /// Columns, NetCDF: `u`, `v`, `t`, `qv`, `p` (layer, column), `p_int` (level, column), `znt`, `xland`, `hfx`, `qfx`
    /// (column) and what else is known; or those of WRF (`wrfinput`, `wrfout`), MPAS, CAM, ICON, CMIP6 and ERA5 on
    /// model levels. Several files complete each other, levels in one, the surface in another, or go on in time
    #[arg(required = true)]
    pub(super) columns: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) results: ResultFiles,
    /// Time step in seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) dt: f64,
    /// Apply the scheme N times, with the state changed by its tendencies, and write the last state, too; the results
    /// are those of the last time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) steps: Option<u32>,
    /// What the file calls something by a name that is not known, such as roughness=z0m: our name, as `isobar check`
    /// has it, and the file's
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = name)]
    pub(super) name: Vec<(String, String)>,
    /// A constant for all columns, such as roughness=0.1, by our name and in our unit; wins over the file's
    #[arg(long, value_name = "NAME=NUMBER", value_parser = value)]
    pub(super) value: Vec<(String, f64)>,
    /// The dimension of layers, where neither its name nor its coordinate says so
    #[arg(long, value_name = "DIMENSION")]
    pub(super) vertical: Option<String>,
    /// Columns of a part of the file, of which up to twelve are in memory: fewer take less of it, and results have the
    /// same bits. Unless it is given, all of a small file, and of a larger one as many as have 131,072 layers
    #[arg(long, value_name = "COLUMNS")]
    pub(super) at_once: Option<NonZeroUsize>,
    /// Which scheme
    #[arg(long, value_enum, default_value = "ysu")]
    pub(super) scheme: SchemeOption,
    /// Where the surface layer comes from: `given`, the file, or similarity formulas of the file's fluxes;
    /// `revised-mm5`, the scheme of WRF and MPAS before each step, from `tsk`, `mavail` (column) and what is known of
    /// the step before, with WRF's options or others: `fluxes=computed|given|zero`,
    /// `water_roughness=coare|constant|garratt`, `land_roughness=momentum|chen_zhang|zilitinkevich`,
    /// `shallow_water=true` (needs `water_depth`), `form_drag=true` (needs `orography_deviation`),
    /// `form_drag_factor=NUMBER`, `root=secants|converged`, and constants that --constants does not have: `svp1`,
    /// `svp2`, `svp3`, `svpt0`, `p1000mb`
    #[arg(long, value_name = "LAYER,KEY=VALUE,...", default_value = "given")]
    pub(super) surface: SurfaceOption,
    /// Whose version of YSU
    #[arg(long, value_enum, default_value = "wrf4")]
    pub(super) version: VersionOption,
    /// Physical constants: `wrf`, `mpas`, `cam-sima`, `ufs`, or one's own in place of theirs, as in
    /// `mpas,cp=1004.6,g=9.8`, by the names `cp`, `g`, `rd`, `rv`, `karman`, `xlv`
    #[arg(long, value_name = "HOST,NAME=NUMBER,...", default_value = "wrf")]
    pub(super) constants: Constants,
    /// Mix downward from cloud tops that cool, too; needs `rthraten` (layer, column)
    #[arg(long)]
    pub(super) top_down: bool,
    /// Limit the entrainment of cloud tops, as WRF 4.8 does; with --top-down, and always so in Shin-Hong
    #[arg(long)]
    pub(super) limited_entrainment: bool,
    /// Exchange with the buildings of a town (BEP); needs `a_u`, `b_u` and the like, `sfk`, `vlk` (layer, column)
    #[arg(long)]
    pub(super) urban: bool,
    /// The distance of the grid's points in metres, for Shin-Hong and the gusts of a surface layer that is computed,
    /// where the file has none
    #[arg(long, value_name = "M", value_parser = metres, allow_negative_numbers = true)]
    pub(super) grid_distance: Option<f64>,
    /// Give thermals of Shin-Hong the heat flux of YSU
    #[arg(long)]
    pub(super) ysu_flux: bool,
    /// Take the magnitude of the Coriolis parameter in Shin-Hong, so that its mixing lengths south of the equator are
    /// those of as many degrees north; its authors' code takes what is negative for 0
    #[arg(long)]
    pub(super) coriolis_magnitude: bool,
    /// Turn the energy that turbulence takes from the wind into heat, in Shin-Hong
    #[arg(long)]
    pub(super) dissipative_heating: bool,
    /// Drag over unresolved orography; needs `ctopo` and `ctopo2` (column)
    #[arg(long)]
    pub(super) topographic: bool,
    #[command(flatten)]
    pub(super) bad: BadColumns,
    #[command(flatten)]
    pub(super) device: DeviceOptions,
    #[command(flatten)]
    pub(super) print: Printing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemeOption {
    /// YSU
    Ysu,
    /// Shin-Hong, for grids that resolve a part of convection
    #[value(name = "shinhong")]
    ShinHong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum VersionOption {
    /// WRF 4
    Wrf4,
    /// WRF 3.6.1
    Wrf361,
}

/// `roughness=0.1`.
pub(crate) fn value(text: &str) -> Result<(String, f64), String> {
    let (name, number) = text.split_once('=').ok_or("not of the form NAME=NUMBER, such as roughness=0.1")?;
    let number = number.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("the value is a finite number")?;
    Ok((name.to_owned(), number))
}

/// A positive number.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds < f64::INFINITY);
    number.ok_or_else(|| "a number of seconds in (0, inf)".to_owned())
}

/// A distance that the scheme accepts.
fn metres(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|metres: &f64| (1.0..=1e7).contains(metres));
    number.ok_or_else(|| "a number of metres in [1, 1e7]".to_owned())
}

impl Pbl {
    /// Says which options exclude each other.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let usage = |text: &str| Err(Failure::usage(text.to_owned()));
        if let Err(problem) = self.constants.check() {
            return usage(&problem.to_string());
        }
        if self.limited_entrainment && !self.top_down {
            return usage("--limited-entrainment is for --top-down: it limits what cloud tops entrain");
        }
        if self.scheme == SchemeOption::ShinHong {
            return match () {
                () if self.version != VersionOption::Wrf4 => usage("Shin-Hong has one version: --version is for YSU"),
                () if self.urban => usage("Shin-Hong has no towns here: --urban is for --scheme ysu"),
                () => Ok(()),
            };
        }
        let old = self.version == VersionOption::Wrf361;
        match () {
            () if old && self.top_down => usage("WRF 3.6.1 has no top-down mixing: --top-down is for --version wrf4"),
            () if old && self.urban => usage("WRF 3.6.1 has no towns: --urban is for --version wrf4"),
            () if self.ysu_flux => usage("--ysu-flux is for --scheme shinhong: YSU has no other"),
            () if self.coriolis_magnitude => usage("--coriolis-magnitude is for --scheme shinhong"),
            () if self.dissipative_heating => usage("--dissipative-heating is for --scheme shinhong"),
            () if self.grid_distance.is_some() && self.surface == SurfaceOption::Given => {
                usage("--grid-distance is for --scheme shinhong and --surface revised-mm5")
            }
            () => Ok(()),
        }
    }

    /// The options of YSU.
    pub(super) fn ysu(&self) -> Options {
        let version = match self.version {
            VersionOption::Wrf4 => Version::Wrf4,
            VersionOption::Wrf361 => Version::Wrf361,
        };
        Options {
            version,
            top_down: self.top_down,
            topographic: self.topographic,
            constants: self.constants,
            limited_entrainment: self.limited_entrainment,
            urban: self.urban,
            ..Options::new(self.dt)
        }
    }

    /// The options of Shin-Hong.
    pub(super) fn shin_hong(&self) -> ShinHongOptions {
        ShinHongOptions {
            nonlocal_flux: !self.ysu_flux,
            cloud_mixing: self.top_down,
            dissipative_heating: self.dissipative_heating,
            topographic: self.topographic,
            constants: self.constants,
            ..ShinHongOptions::new(self.dt)
        }
    }

    /// How files are read.
    pub(super) fn request(&self) -> BoundaryLayerRequest<'_> {
        BoundaryLayerRequest {
            names: &self.name,
            constants: &self.value,
            vertical: self.vertical.as_deref(),
            surface: self.surface.source(self.grid_distance),
            part: None,
            keep_going: self.bad.keep_going,
        }
    }

    /// Warns of options of the surface layer that no column is for.
    pub(super) fn warn_of_useless_surface(&self, land_or_water: &[f64]) {
        self.surface.useless(land_or_water).into_iter().for_each(|what| warn(format!("--surface: {what}")));
    }

    /// Warns of names and constants that nothing was read by.
    pub(super) fn warn_of_useless(&self, read: &[(&'static str, String)]) {
        for ((ours, theirs), why) in names_not_read(&self.name, read) {
            warn(format!("--name {ours}={theirs} has no effect: {why}"));
        }
        for ((ours, value), why) in constants_not_read(&self.value, read) {
            warn(format!("--value {ours}={value} has no effect: {why}"));
        }
        self.warn_of_useless_distance(read);
    }

    /// Warns of a distance that the columns have already.
    fn warn_of_useless_distance(&self, read: &[(&'static str, String)]) {
        let found = read.iter().find(|(name, _)| ["grid_distance", "grid_length"].contains(name));
        if let (Some(metres), Some((name, theirs))) = (self.grid_distance, found) {
            warn(format!("--grid-distance {metres} has no effect: {name} is read, {theirs}"));
        }
    }

    /// How often the scheme is applied.
    pub(super) fn times(&self) -> u32 {
        self.steps.unwrap_or(1)
    }
}
