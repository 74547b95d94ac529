//! The long wave of ecRad's clouds, which scatter there: its method (Tripleclouds) in plain loops, with our tables. It
//! tests these; our own clouds absorb alone.

use isobar_core::Real;
use isobar_optics::CloudTables;
use isobar_radiation::constants::ECRAD_SECANT;

use crate::ecrad::{COLUMNS, DETAILED, of_column};
use crate::ecrad_clouds::{Column, LAYERS, POINTS, overlap, regions, scales, tables};
use crate::reference::{Numbers, difference, reference, upward};

/// Up to this optical depth ecRad's layers have sources of the mean temperature.
const THIN: f64 = 1e-3;

/// What a layer does to radiation: reflectance, transmittance, and what it emits upward and downward.
#[derive(Clone, Copy, Default)]
struct Layer {
    reflectance: f64,
    transmittance: f64,
    up: f64,
    down: f64,
}

/// A layer of this optical depth, scattering and scattering times asymmetry, with black bodies above and below it.
fn layer([depth, scattering, forward]: [f64; 3], above: f64, below: f64) -> Layer {
    let albedo = scattering / depth;
    let asymmetry = if scattering > 0.0 { forward / scattering } else { 0.0 };
    let factor = 0.5 * ECRAD_SECANT * albedo;
    let [same, other] = [ECRAD_SECANT - factor * (1.0 + asymmetry), factor * (1.0 - asymmetry)];
    let mean = 0.5 * (above + below);
    if scattering == 0.0 && depth <= THIN {
        let emitted = ECRAD_SECANT * depth * mean;
        return Layer { transmittance: Real::exp(-ECRAD_SECANT * depth), up: emitted, down: emitted, reflectance: 0.0 };
    }
    let k = ((same - other) * (same + other)).sqrt();
    if depth <= THIN {
        let reflectance = other * depth;
        let transmittance = (1.0 - k * depth) / (1.0 + depth * (same - k));
        let emitted = (1.0 - reflectance - transmittance) * mean;
        return Layer { reflectance, transmittance, up: emitted, down: emitted };
    }
    let decay = Real::exp(-k * depth);
    let factor = 1.0 / (k + same + (k - same) * decay * decay);
    let [reflectance, transmittance] = [other * (1.0 - decay * decay) * factor, 2.0 * k * decay * factor];
    let slope = (below - above) / (depth * (same + other));
    let up = above + slope - reflectance * (above - slope) - transmittance * (below + slope);
    let down = below - slope - reflectance * (below + slope) - transmittance * (above - slope);
    Layer { reflectance, transmittance, up, down }
}

/// Fluxes at the levels from the surface up, upward and downward.
fn fluxes(column: &Column, tables: &CloudTables, detail: &Numbers, index: usize) -> [Vec<f64>; 2] {
    let of = |name: &str, rows: usize| detail.all(name)[index * rows * POINTS..(index + 1) * rows * POINTS].to_vec();
    let (gases, planck) = (of("od_lw", LAYERS), of("planck_hl", LAYERS + 1));
    let (emission, emissivity) = (of("lw_emission", 1), of("lw_emissivity", 1));
    let clear = regions(0.0);
    let parts = |number: usize| if number < LAYERS { regions(column.fraction[number]) } else { clear };
    // Between a layer and that above, `[upper][lower]`.
    let overlaps: Vec<_> = (0..=LAYERS)
        .map(|level| {
            let parameter = if (1..LAYERS).contains(&level) { column.overlap[level - 1] } else { 1.0 };
            overlap(parameter, if level == 0 { clear } else { parts(level - 1) }, parts(level))
        })
        .collect();
    let per = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let [mut up, mut down] = [vec![0.0; LAYERS + 1], vec![0.0; LAYERS + 1]];
    for point in 0..POINTS {
        let black = |level: usize| planck[level * POINTS + point];
        let layers: Vec<[Layer; 3]> = (0..LAYERS)
            .map(|number| {
                let cloud = column.cloud(tables, number, point).map(|all| per(all, column.fraction[number]));
                let gases = gases[number * POINTS + point];
                std::array::from_fn(|region| {
                    let [depth, scattering, forward] = cloud.map(|cloud| scales()[region] * cloud);
                    let layer = layer([gases + depth, scattering, forward], black(number), black(number + 1));
                    let part = parts(number)[region];
                    Layer { up: part * layer.up, down: part * layer.down, ..layer }
                })
            })
            .collect();
        // Albedo and source of all below a level, for each region of the layer above it.
        let mut albedo = vec![[1.0 - emissivity[point]; 3]; LAYERS + 1];
        let mut source = vec![parts(LAYERS - 1).map(|part| part * emission[point]); LAYERS + 1];
        for number in (0..LAYERS).rev() {
            let [mut reflected, mut emitted] = [[0.0; 3]; 2];
            for (region, layer) in layers[number].iter().enumerate() {
                let (a, g) = (albedo[number + 1][region], source[number + 1][region]);
                let between = 1.0 / (1.0 - a * layer.reflectance);
                reflected[region] = layer.reflectance + layer.transmittance * layer.transmittance * a * between;
                emitted[region] = layer.up + layer.transmittance * (g + a * layer.down) * between;
            }
            let (overlap, here) = (&overlaps[number], parts(number));
            let above = if number == 0 { clear } else { parts(number - 1) };
            for upper in 0..3 {
                let each = |lower: usize| overlap[upper][lower];
                albedo[number][upper] = (0..3).map(|lower| reflected[lower] * per(each(lower), above[upper])).sum();
                source[number][upper] = (0..3).map(|lower| emitted[lower] * per(each(lower), here[lower])).sum();
            }
        }
        up[LAYERS] += source[0][0];
        let mut radiation = [0.0; 3];
        for number in 0..LAYERS {
            let mut rising = 0.0;
            for (region, layer) in layers[number].iter().enumerate() {
                let (a, g) = (albedo[number + 1][region], source[number + 1][region]);
                let sum = layer.transmittance * radiation[region] + layer.reflectance * g + layer.down;
                radiation[region] = sum / (1.0 - layer.reflectance * a);
                rising += if parts(number)[region] > 0.0 { g + a * radiation[region] } else { 0.0 };
            }
            up[LAYERS - 1 - number] += rising;
            let (overlap, here) = (&overlaps[number + 1], parts(number));
            let into =
                |lower: usize| (0..3).map(|upper| radiation[upper] * per(overlap[upper][lower], here[upper])).sum();
            radiation = std::array::from_fn(into);
            down[LAYERS - 1 - number] += radiation.iter().sum::<f64>();
        }
    }
    [up, down]
}

#[test]
fn longwave_is_that_of_tripleclouds() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let (input, tables) = (Numbers::open(&path), tables("long"));
    let detail = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_gpoint.nc").unwrap());
    let file = Numbers::open(&reference("ecckd/ecrad_tripleclouds_noaer_ecckd.nc").unwrap());
    for (index, &number) in DETAILED.iter().enumerate() {
        let ours = fluxes(&Column::read(&input, &detail, index), &tables, &detail, index);
        for (name, ours) in ["flux_up_lw", "flux_dn_lw"].into_iter().zip(ours) {
            let [theirs, clear] = [name.to_owned(), format!("{name}_clear")]
                .map(|name| of_column(&upward(&file.all(&name), COLUMNS), number));
            let (found, _) = difference(&ours, &theirs);
            let (clouds, _) = difference(&clear, &theirs);
            // Radii as in `ecrad_clouds`.
            assert!(found < 1e-7 * clouds, "column {number}, {name}: {found:e} of {clouds:e}");
        }
    }
}
