//! RRTMGP's published all-sky references: 24 columns of 72 layers, from the surface up, two thirds of
//! them with clouds, which cover all of a layer.

use isobar_io::read_aerosol_tables;
use isobar_optics::{AerosolKind, relative_humidity};
use isobar_radiation::{Columns, Options};

use crate::detail::{TWO_STREAM, run};
use crate::reference::{Numbers, difference, reference};

/// Some hundred sums of numbers up to 100 W/m^2, as in `detail`; the references themselves change by 4e-12 W/m^2 with
/// the compiler.
pub(crate) const ROUNDING: f64 = 1e-10;

/// The columns. Gases that are not here are not in the references, either.
pub(crate) fn columns(file: &Numbers) -> Columns<f64> {
    let level_temperature_k = file.all("t_lev");
    let pressure_pa = file.all("p_lay");
    let layers = 72;
    let count = pressure_pa.len() / layers;
    let (liquid, ice) = (file.all("lwp"), file.all("iwp"));
    Columns {
        pressure_pa,
        level_pressure_pa: file.all("p_lev"),
        temperature_k: file.all("t_lay"),
        surface_temperature_k: level_temperature_k[..count].to_vec(),
        level_temperature_k,
        emissivity: vec![0.98],
        cosine_zenith: vec![0.86; count],
        surface_albedo_direct: vec![0.06],
        h2o: file.all("h2o"),
        o3: file.all("o3"),
        co2: vec![348e-6],
        ch4: vec![1650e-9],
        n2o: vec![306e-9],
        n2: vec![0.7808],
        o2: vec![0.2095],
        co: vec![0.0],
        cloud_fraction: liquid.iter().zip(&ice).map(|(liquid, ice)| f64::from(liquid + ice > 0.0)).collect(),
        liquid_path_g_per_m2: liquid,
        ice_path_g_per_m2: ice,
        liquid_radius_um: file.all("rel"),
        ice_size_um: file.all("rei"),
        ..Columns::default()
    }
}

#[test]
fn longwave() {
    for (name, clouds) in [("no-aerosols", "bnd"), ("no-aerosols-gpt-clouds", "g256")] {
        let Some(path) = reference(&format!("allsky/rrtmgp-allsky-lw-{name}.nc")) else { return };
        let file = Numbers::open(&path);
        let clouds = format!("cloud/rrtmgp-clouds-lw-{clouds}.nc");
        let fluxes = run("coeff/lw-g256.nc", Some(&clouds), &columns(&file), &Options::default());
        let (up, _) = difference(&fluxes.longwave_up_w_per_m2, &file.all("lw_flux_up"));
        let (down, _) = difference(&fluxes.longwave_down_w_per_m2, &file.all("lw_flux_dn"));
        println!("{name}: up {up:.1e}, down {down:.1e} W/m^2");
        assert!(up.max(down) < ROUNDING, "{name}: {up:e} {down:e}");
    }
}

#[test]
fn shortwave() {
    for (name, clouds) in [("no-aerosols", "bnd"), ("no-aerosols-gpt-clouds", "g224")] {
        let Some(path) = reference(&format!("allsky/rrtmgp-allsky-sw-{name}.nc")) else { return };
        let file = Numbers::open(&path);
        let clouds = format!("cloud/rrtmgp-clouds-sw-{clouds}.nc");
        let fluxes = run("coeff/sw-g224.nc", Some(&clouds), &columns(&file), &Options::default());
        let (up, _) = difference(&fluxes.shortwave_up_w_per_m2, &file.all("sw_flux_up"));
        let (down, _) = difference(&fluxes.shortwave_down_w_per_m2, &file.all("sw_flux_dn"));
        let (direct, _) = difference(&fluxes.shortwave_direct_w_per_m2, &file.all("sw_flux_dir"));
        println!("{name}: up {up:.1e}, down {down:.1e}, direct {direct:.1e} W/m^2");
        assert!(up.max(down) < TWO_STREAM && direct < ROUNDING, "{name}: {up:e} {down:e} {direct:e}");
    }
}

/// Optics of the file's aerosols in the bands of a spectrum, `[layer][band][column]`.
fn aerosol(file: &Numbers, columns: &Columns<f64>, spectrum: &str) -> Vec<[f64; 3]> {
    let path = reference(&format!("aerosol/rrtmgp-aerosols-merra-{spectrum}.nc")).expect("the reference is there");
    let tables = read_aerosol_tables(&path).unwrap_or_else(|error| panic!("{error}"));
    let (kinds, radii, masses) = (file.all("aero_type"), file.all("aero_size"), file.all("aero_mass"));
    assert!(kinds.contains(&1.0) && kinds.contains(&3.0), "there are dust and sulfate");
    let (count, bands) = (columns.cosine_zenith.len(), tables.bands.len());
    let mut optics = vec![[0.0; 3]; kinds.len() * bands];
    for (index, (&kind, &mass)) in kinds.iter().zip(&masses).enumerate() {
        let kind = match kind {
            0.0 => continue,
            1.0 => AerosolKind::Dust(radii[index]),
            3.0 => AerosolKind::Sulfate,
            other => panic!("the reference has no type {other}"),
        };
        let humidity = relative_humidity(columns.pressure_pa[index], columns.temperature_k[index], columns.h2o[index]);
        let properties = tables.properties(kind, mass, humidity).unwrap_or_else(|error| panic!("{error}"));
        let (layer, column) = (index / count, index % count);
        for (band, properties) in properties.into_iter().enumerate() {
            optics[(layer * bands + band) * count + column] = properties;
        }
    }
    optics
}

#[test]
fn aerosols() {
    let Some(path) = reference("allsky/rrtmgp-allsky-lw.nc") else { return };
    let file = Numbers::open(&path);
    let mut columns = columns(&file);
    let optics = aerosol(&file, &columns, "lw");
    columns.aerosol_absorption_longwave = optics.iter().map(|[depth, albedo, _]| depth * (1.0 - albedo)).collect();
    columns.emissivity = columns.emissivity.repeat(16 * columns.cosine_zenith.len());
    let fluxes = run("coeff/lw-g256.nc", Some("cloud/rrtmgp-clouds-lw-bnd.nc"), &columns, &Options::default());
    let (up, _) = difference(&fluxes.longwave_up_w_per_m2, &file.all("lw_flux_up"));
    let (down, _) = difference(&fluxes.longwave_down_w_per_m2, &file.all("lw_flux_dn"));
    println!("lw: up {up:.1e}, down {down:.1e} W/m^2");
    assert!(up.max(down) < ROUNDING, "{up:e} {down:e}");

    let file = Numbers::open(&reference("allsky/rrtmgp-allsky-sw.nc").unwrap());
    let mut columns = self::columns(&file);
    let optics = aerosol(&file, &columns, "sw");
    columns.aerosol_optical_depth = optics.iter().map(|optics| optics[0]).collect();
    columns.aerosol_albedo = optics.iter().map(|optics| optics[1]).collect();
    columns.aerosol_asymmetry = optics.iter().map(|optics| optics[2]).collect();
    columns.surface_albedo_direct = columns.surface_albedo_direct.repeat(14 * columns.cosine_zenith.len());
    let fluxes = run("coeff/sw-g224.nc", Some("cloud/rrtmgp-clouds-sw-bnd.nc"), &columns, &Options::default());
    let (up, _) = difference(&fluxes.shortwave_up_w_per_m2, &file.all("sw_flux_up"));
    let (down, _) = difference(&fluxes.shortwave_down_w_per_m2, &file.all("sw_flux_dn"));
    let (direct, _) = difference(&fluxes.shortwave_direct_w_per_m2, &file.all("sw_flux_dir"));
    println!("sw: up {up:.1e}, down {down:.1e}, direct {direct:.1e} W/m^2");
    assert!(up.max(down) < TWO_STREAM && direct < ROUNDING, "{up:e} {down:e} {direct:e}");
}
