//! The columns of air at the start.

use std::path::{Path, PathBuf};

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::{Initial, Table};
use isobar_io::read_boundary_layer;
use toml::Spanned;

use super::clouds::{InFile, is_fraction};
use super::description::{Description, Initial as InitialSection, InitialKind, Surface};
use super::error::Error;
use super::hydrostatic::thickness_km;
use super::number::Spread;
use super::prescribed::{By, table};
use super::reader::CaseFile;
use super::start_memory::check_start;

/// What a run starts from.
pub(super) struct Start {
    /// The columns, clouds aside.
    pub(super) initial: Initial,
    /// The clouds of a file that has some.
    pub(super) clouds: Option<InFile>,
    /// What there is to say of the file.
    pub(super) notes: Vec<String>,
    /// The columns that the file has no values of, in order: another one stands in the place of each.
    pub(super) masked: Vec<usize>,
}

/// The air at the start.
pub(super) fn air(file: &CaseFile, case: &Description, inputs: &mut Vec<PathBuf>) -> Result<Start, Error> {
    let start = &case.initial;
    let kind = *start.kind.get_ref();
    let unwanted = |what: &str, span| Err(file.failure(Some(span), format!("{what} is not for this kind of start")));
    match (&start.sea_surface_k, &start.file) {
        (Some(value), _) if kind != InitialKind::Rcemip => return unwanted("sea_surface_k", value.span()),
        (_, Some(value)) if kind != InitialKind::Netcdf => return unwanted("file", value.span()),
        _ => {}
    }
    let profiles = [
        ("potential_temperature_k", &start.potential_temperature_k),
        ("vapour_kg_per_kg", &start.vapour_kg_per_kg),
        ("wind_east_m_per_s", &start.wind_east_m_per_s),
        ("wind_north_m_per_s", &start.wind_north_m_per_s),
    ];
    if kind != InitialKind::Profile {
        if let Some(value) = &start.surface_pressure_pa {
            return unwanted("surface_pressure_pa", value.span());
        }
        for (key, value) in profiles {
            if let Some(value) = value {
                return unwanted(key, value.span());
            }
        }
    }
    if kind == InitialKind::Netcdf {
        let Some(named) = &start.file else {
            return Err(file.refuse(&start.kind, "a start from NetCDF needs a file"));
        };
        if let Some(grid) = &case.grid {
            return unwanted("grid", grid.span());
        }
        let path = file.named(named)?;
        let start = from_file(file, case, &path)?;
        inputs.push(path);
        return Ok(start);
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
    let profile = (kind == InitialKind::Profile).then(|| Profile::new(file, start)).transpose()?;
    let kind = match kind {
        InitialKind::Rcemip => {
            let warm = start.sea_surface_k.as_ref().map_or(Ok(300.0), |value| file.check(value, (295.0, 305.0)))?;
            Kind::Rcemip { sea_surface_k: warm }
        }
        _ => profile.as_ref().map_or(Kind::StandardAtmosphere, Profile::kind),
    };
    check_start(count, layers)?;
    let levels = heights(layers, grid.get_ref().top_m, grid.get_ref().stretch);
    let sounding = Sounding::new(kind, &levels).map_err(|error| file.refuse(grid, error))?;
    let mut initial = Initial::from_sounding(&sounding, count);
    let site = &case.site;
    let winds = [
        (&site.wind_east_m_per_s, &mut initial.wind_east_m_per_s),
        (&site.wind_north_m_per_s, &mut initial.wind_north_m_per_s),
    ];
    let by_height = [&start.wind_east_m_per_s, &start.wind_north_m_per_s];
    for ((given, wind), by_height) in winds.into_iter().zip(by_height) {
        let Some(by_height) = by_height else {
            *wind = spread(file, given, count, WIND_M_PER_S)?.repeat(layers);
            continue;
        };
        if !given.span().is_empty() {
            return Err(file.refuse(given, "the profile of the start has this wind"));
        }
        let profile = table(file, by_height, By::Height, WIND_M_PER_S)?;
        let middles = levels.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        *wind = middles.flat_map(|middle| std::iter::repeat_n(profile.at_height(0.0, middle), count)).collect();
    }
    Ok(Start { initial, clouds: None, notes: Vec::new(), masked: Vec::new() })
}

/// The range of the start's wind.
const WIND_M_PER_S: (f64, f64) = (-100.0, 100.0);

/// A start from profiles.
struct Profile {
    surface_pressure_pa: f64,
    theta_k: Table,
    vapour_kg_per_kg: Table,
}

impl Profile {
    fn new(file: &CaseFile, start: &InitialSection) -> Result<Self, Error> {
        let (Some(pressure), Some(theta), Some(vapour)) =
            (&start.surface_pressure_pa, &start.potential_temperature_k, &start.vapour_kg_per_kg)
        else {
            let problem =
                "a start from profiles needs surface_pressure_pa, potential_temperature_k and vapour_kg_per_kg";
            return Err(file.refuse(&start.kind, problem));
        };
        Ok(Self {
            surface_pressure_pa: file.check(pressure, (1e4, 1.2e5))?,
            theta_k: table(file, theta, By::Height, (150.0, 2000.0))?,
            vapour_kg_per_kg: table(file, vapour, By::Height, (0.0, 0.1))?,
        })
    }

    fn kind(&self) -> Kind<'_> {
        let Self { surface_pressure_pa, theta_k, vapour_kg_per_kg } = self;
        Kind::Profile { surface_pressure_pa: *surface_pressure_pa, theta_k, vapour_kg_per_kg }
    }
}

/// Columns of a file as `isobar pbl` reads it.
fn from_file(file: &CaseFile, case: &Description, path: &Path) -> Result<Start, Error> {
    let input = read_boundary_layer(path, &isobar_ysu::Options::new(case.step_s), false)?.air;
    let masked_in_words = input.masked_in_words();
    let air = input.columns;
    let count = air.columns();
    if let Some(columns) = case.columns.as_ref().filter(|columns| *columns.get_ref() != count) {
        return Err(file.refuse(columns, format!("{} has {count} columns", path.display())));
    }
    let cloudy = air.cloud_water_kg_per_kg.iter().chain(&air.cloud_ice_kg_per_kg).any(|&cloud| cloud > 0.0);
    let ratios = [air.cloud_water_kg_per_kg, air.cloud_ice_kg_per_kg];
    // What the file lacks is 0.
    let filled = |ratios: Vec<f64>| if ratios.is_empty() { vec![0.0; air.pressure_pa.len()] } else { ratios };
    let in_file = || InFile { path: path.to_owned(), orientation: input.orientation, ratios: ratios.map(filled) };
    let clouds = cloudy.then(in_file);
    let mut remarks = input.remarks;
    remarks.not_read.retain(|name| !(cloudy && is_fraction(name)));
    let notes = remarks.lines().into_iter().chain(masked_in_words);
    let notes = notes.map(|line| format!("{}: {line}", path.display())).collect();
    let ozone = air.pressure_pa.iter().map(|&pressure| isobar_column::rcemip::ozone(pressure)).collect();
    let ground = air.temperature_k[..count].to_vec();
    let initial = Initial {
        columns: count,
        interface_pressure_pa: air.interface_pressure_pa,
        pressure_pa: air.pressure_pa,
        temperature_k: air.temperature_k,
        vapour_kg_per_kg: air.vapour_kg_per_kg,
        ozone_mol_per_mol: ozone,
        wind_east_m_per_s: air.u_m_per_s,
        wind_north_m_per_s: air.v_m_per_s,
        latitude_deg: vec![0.0; count],
        longitude_deg: vec![0.0; count],
        clouds: None,
        surface_albedo: vec![0.2; count],
        roughness_heat_m: air.roughness_m.clone(),
        roughness_m: air.roughness_m,
        land_or_water: air.land_or_water,
        moisture_availability: vec![0.0; count],
        water_depth_m: vec![],
        orography_deviation_m: vec![],
        ground_mean_k: ground,
        ground_amplitude_k: vec![0.0; count],
        tracers: 0,
        tracers_mol_per_mol: vec![],
    };
    Ok(Start { initial, clouds, notes, masked: input.masked })
}

/// What the case says of the columns.
pub(super) fn site(file: &CaseFile, case: &Description, initial: &mut Initial) -> Result<(), Error> {
    let (site, count) = (&case.site, initial.columns);
    initial.latitude_deg = spread(file, &site.latitude_deg, count, (-90.0, 90.0))?;
    initial.longitude_deg = spread(file, &site.longitude_deg, count, (-180.0, 180.0))?;
    initial.moisture_availability = spread(file, &site.moisture_availability, count, (0.0, 1.0))?;
    if let Some(shortwave) = &case.shortwave {
        initial.surface_albedo = spread(file, &shortwave.albedo, count, (0.0, 1.0))?;
    }
    if let Some(roughness) = &site.roughness_m {
        initial.roughness_m = spread(file, roughness, count, (1e-6, 10.0))?;
    }
    initial.roughness_heat_m = initial.roughness_m.clone();
    if let Some(heat) = &site.roughness_heat_m {
        initial.roughness_heat_m = spread(file, heat, count, (1e-10, 10.0))?;
        let p = &initial.interface_pressure_pa;
        for column in 0..count {
            let (temperature, vapour) = (initial.temperature_k[column], initial.vapour_kg_per_kg[column]);
            let middle = 500.0 * thickness_km(temperature, vapour, p[column], p[column + count]);
            let (length, most) = (initial.roughness_heat_m[column], middle + initial.roughness_m[column]);
            if length >= most {
                let problem = format!(
                    "{length} m is not below the {most:.3} m of the lowest layer's middle over roughness, of column \
                     {column}"
                );
                return Err(file.refuse(heat, problem));
            }
        }
    }
    if case.initial.file.is_none() {
        let kind = if site.surface == Surface::Land { 1.0 } else { 2.0 };
        initial.land_or_water = vec![kind; count];
    }
    for (given, values, most) in [
        (&site.water_depth_m, &mut initial.water_depth_m, 2e4),
        (&site.orography_deviation_m, &mut initial.orography_deviation_m, 1e4),
    ] {
        if let Some(given) = given {
            *values = spread(file, given, count, (0.0, most))?;
        }
    }
    if let Some(mean) = &case.ground.mean_k {
        initial.ground_mean_k = spread(file, mean, count, (150.0, 350.0))?;
    }
    initial.ground_amplitude_k = spread(file, &case.ground.amplitude_k, count, (0.0, 50.0))?;
    Ok(())
}

fn spread(
    file: &CaseFile,
    given: &Spanned<Spread>,
    columns: usize,
    (low, high): (f64, f64),
) -> Result<Vec<f64>, Error> {
    let Spread(ends) = given.get_ref();
    match ends.iter().find(|end| !(low..=high).contains(*end)) {
        Some(end) => Err(file.refuse(given, format!("{end} is not in [{low}, {high}]"))),
        None => Ok(given.get_ref().values(columns)),
    }
}
