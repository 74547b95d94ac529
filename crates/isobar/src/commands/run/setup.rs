//! What a case means: its files read, its numbers checked.

use std::path::PathBuf;

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_core::constants::AVOGADRO_PER_MOL;
use isobar_io::read_boundary_layer;
use isobar_kpp::{Mechanism, Reader};
use isobar_launch::column::Initial;
use isobar_launch::column::stages::{GroundKind, LongwaveOptions, Ozone};
use isobar_longwave::KDistribution;
use toml::Spanned;

use super::case::{Case, Chemistry, GroundKind as Kinds, InitialKind, Surface};
use super::number::Spread;
use super::reader::{CaseFile, closest};
use crate::commands::Failure;

/// A run, ready to be built on a device.
pub(crate) struct Setup {
    pub(crate) title: String,
    pub(super) initial: Initial,
    pub(crate) step_s: f64,
    pub(crate) start_s: f64,
    pub(super) day_of_year: f64,
    pub(super) steps: u64,
    pub(super) output_every: u64,
    pub(super) restart_every: Option<u64>,
    pub(super) ground: GroundKind,
    pub(super) k_distribution: KDistribution,
    pub(super) longwave: LongwaveOptions,
    pub(super) longwave_every: u64,
    pub(crate) chemistry: Option<ChemistrySetup>,
    pub(super) stages: Option<Spanned<Vec<String>>>,
    /// The files that were read, the case first.
    pub(super) inputs: Vec<PathBuf>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

/// The chemistry of a run.
pub(crate) struct ChemistrySetup {
    pub(crate) mechanism: Mechanism,
    pub(super) fixed: Vec<f64>,
    /// Of each tracer \[mol/(m^2 s)\].
    pub(super) emission: Vec<f64>,
    pub(super) every: u64,
    pub(super) tolerances: [f64; 2],
}

impl Setup {
    pub(super) fn new(file: &CaseFile, case: &Case) -> Result<Self, Failure> {
        let mut inputs = vec![file.path.clone()];
        let mut notes = Vec::new();
        if !(1.0..367.0).contains(&case.day_of_year) {
            return Err(file.at("day_of_year", format!("{} is not in [1, 367)", case.day_of_year)));
        }
        let mut initial = air(file, case, &mut inputs, &mut notes)?;
        site(file, case, &mut initial)?;
        let kdist = file.named(&case.longwave.kdist)?;
        let k_distribution = KDistribution::open(&kdist).map_err(|error| file.refuse(&case.longwave.kdist, error))?;
        if k_distribution.is_demonstration() {
            notes.push(format!("for demonstration only, not for science: {}", kdist.display()));
        }
        inputs.push(kdist);
        let radiation = &case.longwave;
        let mut longwave = LongwaveOptions {
            ozone: Ozone::Field,
            mixed: [radiation.co2, radiation.n2o, 0.0, radiation.ch4, 0.209],
            emissivity: radiation.emissivity,
        };
        let chemistry = match &case.chemistry {
            None => None,
            Some(chemistry) => {
                let chemistry = chemistry_of(file, chemistry, &mut initial, &mut inputs)?;
                if let Some(ozone) = tracer(&chemistry.mechanism, "O3") {
                    longwave.ozone = Ozone::Tracer(ozone);
                }
                Some(chemistry)
            }
        };
        let step_s = case.step_s;
        if step_s > 3600.0 {
            return Err(file.at("step_s", format!("{step_s} is not in (0, 3600]")));
        }
        let multiple = |seconds: f64| {
            let steps = seconds / step_s;
            let whole = steps.round();
            ((steps - whole).abs() < 1e-9 * whole && (1.0..1e12).contains(&whole)).then_some(whole as u64)
        };
        let no_multiple = |what: &str| format!("{what} is no multiple of the step of {step_s} s");
        let steps =
            multiple(3600.0 * case.hours).ok_or_else(|| file.at("hours", no_multiple("the length of the run")))?;
        let minutes = &case.output.minutes;
        let output_every = multiple(60.0 * minutes.get_ref())
            .ok_or_else(|| file.refuse(minutes, no_multiple("the time between results")))?;
        let restart_every = case.output.restart_hours.as_ref().map(|hours| {
            let refuse = || file.refuse(hours, no_multiple("the time between restart files"));
            multiple(3600.0 * hours.get_ref()).ok_or_else(refuse)
        });
        Ok(Self {
            title: case.title.clone(),
            initial,
            step_s,
            start_s: 3600.0 * case.start_hour,
            day_of_year: case.day_of_year,
            steps,
            output_every,
            restart_every: restart_every.transpose()?,
            ground: ground(case),
            k_distribution,
            longwave,
            longwave_every: radiation.every,
            chemistry,
            stages: case.stages.clone(),
            inputs,
            notes,
        })
    }

    pub(crate) fn columns(&self) -> usize {
        self.initial.columns
    }

    pub(crate) fn layers(&self) -> usize {
        self.initial.layers()
    }

    /// The names of the tracers.
    pub(crate) fn tracers(&self) -> Vec<&str> {
        let Some(chemistry) = &self.chemistry else { return Vec::new() };
        let mechanism = &chemistry.mechanism;
        mechanism.species()[..mechanism.variable()].iter().map(|species| species.name.as_str()).collect()
    }
}

/// The number of a tracer.
fn tracer(mechanism: &Mechanism, name: &str) -> Option<usize> {
    mechanism.species_index(name).filter(|&number| number < mechanism.variable())
}

/// The air at the start.
fn air(file: &CaseFile, case: &Case, inputs: &mut Vec<PathBuf>, notes: &mut Vec<String>) -> Result<Initial, Failure> {
    let start = &case.initial;
    let kind = *start.kind.get_ref();
    let unwanted = |what: &str, span| Err(file.failure(Some(span), format!("{what} is not for this kind of start")));
    match (&start.sea_surface_k, &start.file) {
        (Some(value), _) if kind != InitialKind::Rcemip => return unwanted("sea_surface_k", value.span()),
        (_, Some(value)) if kind != InitialKind::Netcdf => return unwanted("file", value.span()),
        _ => {}
    }
    if kind == InitialKind::Netcdf {
        let Some(named) = &start.file else {
            return Err(file.refuse(&start.kind, "a start from NetCDF needs a file"));
        };
        if let Some(grid) = &case.grid {
            return unwanted("grid", grid.span());
        }
        let path = file.named(named)?;
        let initial = from_file(file, case, &path, notes)?;
        inputs.push(path);
        return Ok(initial);
    }
    let Some(grid) = &case.grid else {
        return Err(file.refuse(&start.kind, "this kind of start needs a [grid]"));
    };
    let Some(columns) = &case.columns else {
        return Err(file.refuse(&start.kind, "this kind of start needs the number of columns"));
    };
    let (count, layers) = (*columns.get_ref(), grid.get_ref().layers);
    if !(1..=100_000_000).contains(&count) {
        return Err(file.refuse(columns, format!("{count} columns are not in [1, 1e8]")));
    }
    if !(4..=1000).contains(&layers) {
        return Err(file.at("layers", format!("{layers} layers are not in [4, 1000]")));
    }
    let kind = match kind {
        InitialKind::Rcemip => {
            let warm = start.sea_surface_k.as_ref().map_or(Ok(300.0), |value| file.check(value, (295.0, 305.0)))?;
            Kind::Rcemip { sea_surface_k: warm }
        }
        _ => Kind::StandardAtmosphere,
    };
    let levels = heights(layers, grid.get_ref().top_m, grid.get_ref().stretch);
    let sounding = Sounding::new(kind, &levels).map_err(|error| file.refuse(grid, error))?;
    let mut initial = Initial::from_sounding(&sounding, count);
    let site = &case.site;
    let winds =
        [(&site.wind_east_m_per_s, &mut initial.wind_east), (&site.wind_north_m_per_s, &mut initial.wind_north)];
    for (given, wind) in winds {
        *wind = spread(file, given, count, (-100.0, 100.0))?.repeat(layers);
    }
    Ok(initial)
}

/// Columns of a file as `isobar pbl` reads it.
fn from_file(
    file: &CaseFile,
    case: &Case,
    path: &std::path::Path,
    notes: &mut Vec<String>,
) -> Result<Initial, Failure> {
    let input = read_boundary_layer(path, &isobar_ysu::Options::new(case.step_s), false)?;
    let (air, surface) = (input.columns.air, input.columns.surface);
    let count = surface.pressure.len();
    if let Some(columns) = case.columns.as_ref().filter(|columns| *columns.get_ref() != count) {
        return Err(file.refuse(columns, format!("{} has {count} columns", path.display())));
    }
    if air.cloud_water.iter().chain(&air.cloud_ice).any(|&cloud| cloud > 0.0) {
        notes.push(format!("{}: clouds are left out", path.display()));
    }
    let ozone = air.pressure.iter().map(|&pressure| isobar_column::rcemip::ozone(pressure)).collect();
    let ground = air.temperature[..count].to_vec();
    Ok(Initial {
        columns: count,
        interface_pressure: input.columns.interface_pressure,
        pressure: air.pressure,
        temperature: air.temperature,
        vapour: air.vapour,
        ozone,
        wind_east: air.u,
        wind_north: air.v,
        latitude: vec![0.0; count],
        longitude: vec![0.0; count],
        roughness: surface.roughness,
        land_or_water: surface.land_or_water,
        moisture_availability: vec![0.0; count],
        ground_mean: ground,
        ground_amplitude: vec![0.0; count],
        tracers: 0,
        tracer_fractions: vec![],
    })
}

/// What the case says of the columns.
fn site(file: &CaseFile, case: &Case, initial: &mut Initial) -> Result<(), Failure> {
    let (site, count) = (&case.site, initial.columns);
    initial.latitude = spread(file, &site.latitude_deg, count, (-90.0, 90.0))?;
    initial.longitude = spread(file, &site.longitude_deg, count, (-180.0, 180.0))?;
    initial.moisture_availability = spread(file, &site.moisture_availability, count, (0.0, 1.0))?;
    if let Some(roughness) = &site.roughness_m {
        initial.roughness = spread(file, roughness, count, (1e-6, 10.0))?;
    }
    if case.initial.file.is_none() {
        let kind = if site.surface == Surface::Land { 1.0 } else { 2.0 };
        initial.land_or_water = vec![kind; count];
    }
    if let Some(mean) = &case.ground.mean_k {
        initial.ground_mean = spread(file, mean, count, (150.0, 350.0))?;
    }
    initial.ground_amplitude = spread(file, &case.ground.amplitude_k, count, (0.0, 50.0))?;
    Ok(())
}

fn spread(
    file: &CaseFile,
    given: &Spanned<Spread>,
    columns: usize,
    (low, high): (f64, f64),
) -> Result<Vec<f64>, Failure> {
    let Spread(ends) = given.get_ref();
    match ends.iter().find(|end| !(low..=high).contains(*end)) {
        Some(end) => Err(file.refuse(given, format!("{end} is not in [{low}, {high}]"))),
        None => Ok(given.get_ref().values(columns)),
    }
}

fn ground(case: &Case) -> GroundKind {
    let ground = &case.ground;
    match ground.kind {
        Kinds::Given => GroundKind::Given { warmest_hour: ground.warmest_hour },
        Kinds::Slab => GroundKind::Slab {
            heat_capacity: ground.heat_capacity_j_per_m2_k,
            transmittance: ground.transmittance,
            albedo: ground.albedo,
            conductance: ground.conductance_w_per_m2_k,
        },
    }
}

/// Reads the mechanism, and gives the columns its variable species as tracers.
fn chemistry_of(
    file: &CaseFile,
    case: &Chemistry,
    initial: &mut Initial,
    inputs: &mut Vec<PathBuf>,
) -> Result<ChemistrySetup, Failure> {
    let path = file.named(&case.mechanism)?;
    let mechanism = Reader::new().read_file(&path)?;
    inputs.push(path);
    let names: Vec<&str> = mechanism.species().iter().map(|species| species.name.as_str()).collect();
    let find = |name: &Spanned<String>, known: &[&str]| {
        let wanted = name.get_ref();
        known.iter().position(|known| known.eq_ignore_ascii_case(wanted)).ok_or_else(|| {
            let hint = closest(wanted, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let hint = hint.unwrap_or_else(|| format!("; there are {}", known.join(", ")));
            file.refuse(name, format!("the mechanism has no such species `{wanted}`{hint}"))
        })
    };
    let (variable, layers, columns) = (mechanism.variable(), initial.layers(), initial.columns);
    let scaled = mechanism.cfactor() > 1.0;
    let own = mechanism.initial().iter().map(|&x| if scaled { x / mechanism.cfactor() } else { 0.0 });
    let mut fractions: Vec<f64> = own.collect();
    let mut given = vec![false; fractions.len()];
    for (name, value) in &case.initial {
        let number = find(name, &names)?;
        (fractions[number], given[number]) = (file.check(value, (0.0, 1.0))?, true);
    }
    if let Some(number) = (variable..names.len()).find(|&number| !scaled && !given[number]) {
        let problem = format!("the mechanism has no CFACTOR: give the mole fraction of {} in initial", names[number]);
        return Err(file.refuse(&case.mechanism, problem));
    }
    let ozone = tracer(&mechanism, "O3").filter(|&number| !given[number]);
    initial.tracers = variable;
    initial.tracer_fractions = Vec::with_capacity(layers * variable * columns);
    for layer in 0..layers {
        for (number, &fraction) in fractions[..variable].iter().enumerate() {
            if ozone == Some(number) {
                initial.tracer_fractions.extend_from_slice(&initial.ozone[layer * columns..(layer + 1) * columns]);
            } else {
                initial.tracer_fractions.extend(std::iter::repeat_n(fraction, columns));
            }
        }
    }
    let mut emission = vec![0.0; variable];
    for (name, value) in &case.emission_per_cm2_s {
        let number = find(name, &names[..variable])?;
        emission[number] = file.check(value, (0.0, 1e20))? * 1e4 / AVOGADRO_PER_MOL;
    }
    let fixed = fractions.split_off(variable);
    let tolerances = [case.relative_tolerance, case.absolute_tolerance];
    Ok(ChemistrySetup { mechanism, fixed, emission, every: case.every, tolerances })
}
