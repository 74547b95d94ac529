//! The columns of air at the start.

use std::path::PathBuf;

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::{Initial, Table};
use toml::Spanned;

use super::description::{Description, Initial as InitialSection, InitialKind, Surface};
use super::error::Error;
use super::hydrostatic::thickness_km;
use super::number::Spread;
use super::prescribed::{By, beyond, table};
use super::reader::CaseFile;
use super::start_file::{ROUGHNESS_M, Start, from_file};
use super::start_memory::check_start;

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
        let site = &case.site;
        let winds = [("wind_east_m_per_s", &site.wind_east_m_per_s), ("wind_north_m_per_s", &site.wind_north_m_per_s)];
        if let Some((key, wind)) = winds.into_iter().find(|(_, wind)| !wind.span().is_empty()) {
            return unwanted(key, wind.span());
        }
        if let Some(surface) = &site.surface {
            return unwanted("surface", surface.span());
        }
        let start = from_file(file, case, named)?;
        inputs.extend(start.whereabouts.iter().map(|(path, _)| path.clone()));
        return Ok(start);
    }
    let Some(grid) = &case.grid else {
        return Err(file.refuse(&start.kind, "this kind of start needs a [grid]"));
    };
    let Some(columns) = &case.columns else {
        return Err(file.refuse(&start.kind, "this kind of start needs the number of columns"));
    };
    let (count, layers) = (*columns.get_ref(), *grid.get_ref().layers.get_ref());
    if !(1..=100_000_000).contains(&count) {
        return Err(file.refuse(columns, format!("{count} columns are not in [1, 1e8]")));
    }
    if !(4..=1000).contains(&layers) {
        return Err(file.refuse(&grid.get_ref().layers, format!("{layers} layers are not in [4, 1000]")));
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
    if let Kind::Rcemip { sea_surface_k } = kind {
        initial.ground_mean_k.fill(sea_surface_k);
    }
    let site = &case.site;
    let winds = [
        (&site.wind_east_m_per_s, &mut initial.wind_east_m_per_s),
        (&site.wind_north_m_per_s, &mut initial.wind_north_m_per_s),
    ];
    let by_height = [&start.wind_east_m_per_s, &start.wind_north_m_per_s];
    let middles: Vec<f64> = levels.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let given = profiles.iter().filter_map(|(key, given)| Some((*key, given.as_ref()?)));
    let notes = given.map(|(key, given)| {
        let heights = (middles[0], middles[layers - 1]);
        Ok(beyond(file, (key, given), &table(file, given, By::Height, (f64::MIN, f64::MAX))?, heights))
    });
    let notes = notes.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect();
    for ((given, wind), by_height) in winds.into_iter().zip(by_height) {
        let Some(by_height) = by_height else {
            *wind = spread(file, given, count, WIND_M_PER_S)?.repeat(layers);
            continue;
        };
        if !given.span().is_empty() {
            return Err(file.refuse(given, "the profile of the start has this wind"));
        }
        let profile = table(file, by_height, By::Height, WIND_M_PER_S)?;
        let at = |&middle: &f64| std::iter::repeat_n(profile.at_height(0.0, middle), count);
        *wind = middles.iter().flat_map(at).collect();
    }
    Ok(Start { initial, whereabouts: None, clouds: None, notes, masked: Vec::new() })
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

/// The albedo of land, and that of RCEMIP's sea (Wing et al. 2018, doi:10.5194/gmd-11-793-2018), likewise.
const ALBEDO: [f64; 2] = [0.2, 0.07];

/// What the case says of the columns, and their file of places of which the case says nothing.
pub(super) fn site(file: &CaseFile, case: &Description, start: &mut Start) -> Result<(), Error> {
    let Start { initial, whereabouts, .. } = start;
    let (site, count) = (&case.site, initial.columns);
    let place = |given: &Spanned<Spread>, of_file: Option<&Vec<f64>>, most: f64| match of_file {
        Some(degrees) if given.span().is_empty() && !degrees.is_empty() => Ok(degrees.clone()),
        _ => spread(file, given, count, (-most, most)),
    };
    let of_file = whereabouts.as_ref().map(|(_, whereabouts)| whereabouts);
    initial.latitude_deg = place(&site.latitude_deg, of_file.map(|of_file| &of_file.latitude_deg), 90.0)?;
    initial.longitude_deg = place(&site.longitude_deg, of_file.map(|of_file| &of_file.longitude_deg), 180.0)?;
    if case.initial.file.is_none() {
        // RCEMIP is of a sea.
        let usual = if *case.initial.kind.get_ref() == InitialKind::Rcemip { Surface::Water } else { Surface::Land };
        let is_water = site.surface.as_ref().map_or(usual, |surface| *surface.get_ref()) == Surface::Water;
        initial.land_or_water = vec![if is_water { 2.0 } else { 1.0 }; count];
        initial.roughness_m.fill(ROUGHNESS_M[usize::from(is_water)]);
    }
    if let Some(shortwave) = &case.shortwave {
        initial.surface_albedo = match &shortwave.albedo {
            Some(albedo) => spread(file, albedo, count, (0.0, 1.0))?,
            None => initial.land_or_water.iter().map(|&kind| ALBEDO[usize::from(kind == 2.0)]).collect(),
        };
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
    initial.moisture_availability = match &site.moisture_availability {
        Some(given) => spread(file, given, count, (0.0, 1.0))?,
        None => initial.land_or_water.iter().map(|&kind| if kind == 2.0 { 1.0 } else { 0.3 }).collect(),
    };
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
