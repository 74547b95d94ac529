//! The sun's beam through ecRad's clouds (Tripleclouds: a clear, a thin and a thick part of each layer), which does not
//! depend on how light is scattered: it tests extinction, albedo and asymmetry at all g-points of the short wave.
//!
//! ecRad's McICA is no test: it has other random numbers. `ecrad_longwave` is about the long wave.

use std::path::Path;

use isobar_io::read_cloud_tables;
use isobar_optics::{CloudTables, ParticleTable};
use isobar_radiation::constants::ECRAD_SECANT;
use isobar_radiation::{Angles, CloudOptics, Device, Options, Radiation, Roughness};

use crate::ecrad::{COLUMNS, DETAILED, LONGWAVE, SHORTWAVE, columns, longwave, of_column};
use crate::reference::{Numbers, difference, gas_optics, reference, upward};

pub(crate) const LAYERS: usize = 137;
pub(crate) const POINTS: usize = 32;
pub(crate) const GRAVITY: f64 = 9.80665;

/// Those of the `long` or `short` wave.
pub(crate) fn tables(wave: &str) -> CloudTables {
    let path = format!("../../data/radiation/ecckd-{wave}wave-32-clouds.nc");
    read_cloud_tables(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_else(|error| panic!("{error}"))
}

/// A column of the input, from the top down.
pub(crate) struct Column {
    /// Of gases, `[layer][g-point]`.
    depth: Vec<f64>,
    sun: Vec<f64>,
    cosine: f64,
    pub(crate) fraction: Vec<f64>,
    pub(crate) overlap: Vec<f64>,
    /// Paths \[g/m^2\] of all of the layer, and sizes \[um\].
    liquid: Vec<[f64; 2]>,
    ice: Vec<[f64; 2]>,
}

impl Column {
    pub(crate) fn read(input: &Numbers, detail: &Numbers, index: usize) -> Self {
        let of =
            |name: &str, rows: usize| input.all(name)[DETAILED[index] * rows..(DETAILED[index] + 1) * rows].to_vec();
        let pressure = of("pressure_hl", LAYERS + 1);
        let particles = |amount: &str, radius: &str, factor: f64| -> Vec<[f64; 2]> {
            let path = |layer: usize, value: f64| 1e3 * value * (pressure[layer + 1] - pressure[layer]) / GRAVITY;
            let amounts = of(amount, LAYERS).into_iter().zip(of(radius, LAYERS)).enumerate();
            amounts.map(|(layer, (value, radius))| [path(layer, value), factor * 1e6 * radius]).collect()
        };
        let by_point =
            |name: &str, rows: usize| detail.all(name)[index * rows * POINTS..(index + 1) * rows * POINTS].to_vec();
        let water: Vec<f64> =
            of("q_liquid", LAYERS).iter().zip(of("q_ice", LAYERS)).map(|(liquid, ice)| liquid + ice).collect();
        // As ecRad does.
        let clouded = |(fraction, water): (f64, &f64)| if *water < 1e-9 { 0.0 } else { fraction };
        Self {
            depth: by_point("od_sw", LAYERS),
            sun: by_point("incoming_sw", 1),
            cosine: of("cos_solar_zenith_angle", 1)[0],
            fraction: of("cloud_fraction", LAYERS).into_iter().zip(&water).map(clouded).collect(),
            overlap: of("overlap_param", LAYERS - 1),
            liquid: particles("q_liquid", "re_liquid", 1.0),
            // The size of ice is its diameter, in the range of the tables.
            ice: particles("q_ice", "re_ice", 2.0).into_iter().map(|[path, size]| [path, size.min(120.0)]).collect(),
        }
    }

    /// Absorption optical depth of all of the cloud water of a layer, at a g-point.
    fn absorption(&self, tables: &CloudTables, layer: usize, point: usize) -> f64 {
        let of = |table: &ParticleTable, [path, size]: [f64; 2]| {
            let [extinction, albedo, _] = at(table, size, point);
            path * extinction * (1.0 - albedo)
        };
        of(&tables.liquid, self.liquid[layer]) + of(&tables.ice[0], self.ice[layer])
    }

    /// All of the cloud water of a layer at a g-point, delta-scaled: optical depth, scattering, that times asymmetry.
    pub(crate) fn cloud(&self, tables: &CloudTables, layer: usize, point: usize) -> [f64; 3] {
        let [mut depth, mut scattering, mut forward] = [0.0; 3];
        for (table, [path, size]) in [(&tables.liquid, self.liquid[layer]), (&tables.ice[0], self.ice[layer])] {
            let [extinction, albedo, asymmetry] = at(table, size, point);
            depth += path * extinction;
            scattering += path * extinction * albedo;
            forward += path * extinction * albedo * asymmetry;
        }
        let asymmetry = if scattering > 0.0 { forward / scattering } else { 0.0 };
        let peak = asymmetry * asymmetry;
        [depth - scattering * peak, scattering * (1.0 - peak), scattering * (asymmetry - peak)]
    }
}

/// Extinction, albedo and asymmetry of particles of a size.
fn at(table: &ParticleTable, size: f64, point: usize) -> [f64; 3] {
    let nodes = table.extinction.len() / POINTS;
    let [first, last] = table.size_um;
    let place = ((size - first) / (last - first) * (nodes - 1) as f64).clamp(0.0, (nodes - 1) as f64);
    let node = (place as usize).min(nodes - 2);
    let part = place - node as f64;
    [&table.extinction, &table.albedo, &table.asymmetry].map(|values| {
        let [small, large] = [0, 1].map(|more| values[point * nodes + node + more]);
        (1.0 - part) * small + part * large
    })
}

/// The parts of a layer that are clear, thinly and thickly cloudy.
pub(crate) fn regions(fraction: f64) -> [f64; 3] {
    [1.0 - fraction, 0.5 * fraction, 0.5 * fraction]
}

/// Optical depths of the three parts, relative to the mean of the cloud: of clouds whose standard deviation is as large
/// as their mean, as gamma distributions have it.
pub(crate) fn scales() -> [f64; 3] {
    let thin = 0.025 + 0.975 * isobar_core::Real::exp(-1.75_f64);
    [0.0, thin, 2.0 - thin]
}

/// How much of the upper layer's regions lies over the lower one's, `[upper][lower]`: the overlap that depends on the
/// pair's cloud cover (Shonk et al. 2010, doi:10.1002/qj.647), clouds decorrelating within twice as fast.
pub(crate) fn overlap(parameter: f64, upper: [f64; 3], lower: [f64; 3]) -> [[f64; 3]; 3] {
    let cover = |parameter: f64, a: f64, b: f64| parameter * a.max(b) + (1.0 - parameter) * (a + b - a * b);
    let [a, b] = [upper, lower].map(|regions| regions[1] + regions[2]);
    let [thick_a, thick_b] = [upper[2] / a.max(1e-6), lower[2] / b.max(1e-6)];
    let pair = cover(parameter, a, b);
    let within = cover(if parameter >= 0.0 { parameter * parameter } else { parameter }, thick_a, thick_b);
    let both = a + b - pair;
    let of = |part: f64, all: f64| part / all.max(1e-6);
    [
        [1.0 - pair, (pair - a) * of(lower[1], b), (pair - a) * of(lower[2], b)],
        [(pair - b) * of(upper[1], a), both * (1.0 - within), both * (within - thick_a)],
        [(pair - b) * of(upper[2], a), both * (within - thick_b), both * (thick_a + thick_b - within)],
    ]
}

/// The beam at the levels, from the surface up.
fn beam(column: &Column, tables: &CloudTables) -> Vec<f64> {
    let mut fluxes = vec![0.0; LAYERS + 1];
    for point in 0..POINTS {
        let mut parts = [column.sun[point], 0.0, 0.0];
        fluxes[LAYERS] += column.cosine * column.sun[point];
        let mut above = regions(0.0);
        for layer in 0..LAYERS {
            let here = regions(column.fraction[layer]);
            let parameter = if layer == 0 { 1.0 } else { column.overlap[layer - 1] };
            let overlap = overlap(parameter, above, here);
            let mut below = [0.0; 3];
            for (upper, row) in overlap.iter().enumerate().filter(|(upper, _)| above[*upper] > 0.0) {
                for (lower, part) in row.iter().enumerate() {
                    below[lower] += parts[upper] * part / above[upper];
                }
            }
            let cloud = column.cloud(tables, layer, point)[0] / column.fraction[layer].max(1e-6);
            for (part, scale) in below.iter_mut().zip(scales()) {
                let depth = column.depth[layer * POINTS + point] + scale * cloud;
                *part *= isobar_core::Real::exp(-depth / column.cosine);
            }
            fluxes[LAYERS - 1 - layer] += column.cosine * below.iter().sum::<f64>();
            (parts, above) = (below, here);
        }
    }
    fluxes
}

/// Of those by g-point the two by day: 12 has water clouds in 19 layers, 20 a thin ice cloud in one.
const SUNLIT: [usize; 2] = [1, 2];

#[test]
fn direct_flux_is_that_of_tripleclouds() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let (input, tables) = (Numbers::open(&path), tables("short"));
    let detail = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_gpoint.nc").unwrap());
    let file = Numbers::open(&reference("ecckd/ecrad_tripleclouds_noaer_ecckd.nc").unwrap());
    let [theirs, clear] = ["flux_dn_direct_sw", "flux_dn_direct_sw_clear"].map(|name| upward(&file.all(name), COLUMNS));
    for index in SUNLIT {
        let ours = beam(&Column::read(&input, &detail, index), &tables);
        let [theirs, clear] = [&theirs, &clear].map(|values| of_column(values, DETAILED[index]));
        let (found, _) = difference(&ours, &theirs);
        let (clouds, _) = difference(&clear, &theirs);
        // Radii in ecRad's tables are numbers of single precision: of steps of 2.5 um they miss 2.5e-8.
        assert!(found < 1e-7 * clouds, "column {}: {found:e} of {clouds:e}", DETAILED[index]);
    }
}

/// All layers overcast: our kernels against loops over the same tables.
#[test]
fn overcast_fluxes() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let input = Numbers::open(&path);
    let detail = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_gpoint.nc").unwrap());
    let [long, short] = ["long", "short"].map(tables);
    let each: Vec<Column> =
        DETAILED.iter().enumerate().map(|(index, _)| Column::read(&input, &detail, index)).collect();

    let mut columns = columns(&input);
    columns.cloud_fraction = vec![1.0; LAYERS * COLUMNS];
    for values in [
        &mut columns.liquid_path_g_per_m2,
        &mut columns.ice_path_g_per_m2,
        &mut columns.liquid_radius_um,
        &mut columns.ice_size_um,
    ] {
        *values = vec![10.0; LAYERS * COLUMNS];
    }
    columns.liquid_path_g_per_m2.fill(0.0);
    columns.ice_path_g_per_m2.fill(0.0);
    for (column, &number) in each.iter().zip(&DETAILED) {
        for layer in 0..LAYERS {
            let index = (LAYERS - 1 - layer) * COLUMNS + number;
            [columns.liquid_path_g_per_m2[index], columns.liquid_radius_um[index]] = column.liquid[layer];
            [columns.ice_path_g_per_m2[index], columns.ice_size_um[index]] = column.ice[layer];
        }
    }
    let mut radiation = Radiation::<f64>::new();
    for (name, clouds) in [(LONGWAVE, &long), (SHORTWAVE, &short)] {
        let gases = gas_optics(&reference(name).unwrap());
        radiation = radiation.with(&gases, Some(&CloudOptics::new(clouds, Roughness::Medium))).unwrap();
    }
    let options = Options { angles: Angles::Secant(ECRAD_SECANT), ..Options::default() };
    let fluxes = radiation.on(&[Device::Thread]).run(&columns, &options).unwrap_or_else(|error| panic!("{error}"));

    for index in SUNLIT {
        let (column, number) = (&each[index], DETAILED[index]);
        let mut direct = vec![0.0; LAYERS + 1];
        for point in 0..POINTS {
            let mut flux = column.cosine * column.sun[point];
            direct[LAYERS] += flux;
            for layer in 0..LAYERS {
                let depth = column.depth[layer * POINTS + point] + column.cloud(&short, layer, point)[0];
                flux *= isobar_core::Real::exp(-depth / column.cosine);
                direct[LAYERS - 1 - layer] += flux;
            }
        }
        let (found, _) = difference(&of_column(&fluxes.shortwave_direct_w_per_m2, number), &direct);
        assert!(found < 1e-9, "column {number}: {found:e}");
    }
    for (index, &number) in DETAILED.iter().enumerate() {
        let [up, down] = longwave(&detail, index, 0.0, |layer, point| each[index].absorption(&long, layer, point));
        let (up, _) = difference(&of_column(&fluxes.longwave_up_w_per_m2, number), &up);
        let (down, _) = difference(&of_column(&fluxes.longwave_down_w_per_m2, number), &down);
        assert!(up.max(down) < 1e-9, "column {number}: {up:e} {down:e}");
    }
}
