//! ecRad's tables of scattering, and their averages at g-points.

use isobar_io::read_scattering_table;
use isobar_optics::{Averaging, CloudTables, Ecckd, EcckdSpectrum, ParticleTable, ScatteringTable};

use super::ecckd::FILES;
use super::{close, read_ecckd, truncated_is_refused};
use crate::common::message;
use crate::common::tables::Tables;

pub(crate) const DROPLETS: &str = "ecckd/mie_droplet_scattering.nc";
pub(crate) const ICE: &str = "ecckd/baum-general-habit-mixture_ice_scattering.nc";

/// Radii, wavenumbers; totals of extinction, albedo and asymmetry; these at radius 7, wavenumber 20.
type Known = ([usize; 2], [f64; 3], [f32; 3]);

/// As another reader has them.
const KNOWN: [(&str, Known); 2] = [
    (
        DROPLETS,
        (
            [50, 396],
            [2_099_901.992_287_159, 12_094.179_480_819_84, 14_767.516_070_709_215],
            [4.273_540_5, 0.001_206_417_1, 0.004_115_233_7],
        ),
    ),
    (
        ICE,
        (
            [23, 445],
            [810_693.422_714_233_4, 7_968.046_098_962_426, 8_827.473_699_070_513],
            [79.716_47, 0.489_4, 0.789_5],
        ),
    ),
];

#[test]
fn both_files_are_read() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for (file, ([radii, wavenumbers], totals, values)) in KNOWN {
        let table = read_scattering_table(&folder.join(file)).unwrap();
        assert_eq!((table.radius_m.len(), table.wavenumber_per_cm.len()), (radii, wavenumbers));
        for ((part, total), value) in
            [&table.extinction, &table.albedo, &table.asymmetry].into_iter().zip(totals).zip(values)
        {
            close(part.iter().sum(), total);
            assert_eq!(part[7 * wavenumbers + 20], f64::from(value));
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    truncated_is_refused(&folder.join(ICE), read_scattering_table);
}

/// Two radii, three wavenumbers.
fn small() -> Tables {
    Tables::new(&[("effective_radius", 2), ("wavenumber", 3)])
        .with("effective_radius(effective_radius)", "m", &[1e-6, 2e-6])
        .with("wavenumber(wavenumber)", "cm-1", &[10.0, 20.0, 50.0])
        .with("mass_extinction_coefficient(effective_radius, wavenumber)", "m2 kg-1", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        .with("single_scattering_albedo(effective_radius, wavenumber)", "", &[0.5])
        .with("asymmetry_factor(effective_radius, wavenumber)", "", &[0.8])
}

#[test]
fn what_is_damaged_is_refused() {
    // Units are converted and dimensions put in order.
    let (_folder, path) = small().unit("effective_radius", Some("um")).transposed("mass_extinction_coefficient").save();
    let table = read_scattering_table(&path).unwrap();
    assert_eq!(
        (&table.radius_m[..], &table.extinction[..]),
        (&[1e-12, 2e-12][..], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..])
    );
    for (tables, expected) in [
        (
            small().without("mass_extinction_coefficient"),
            "it is no table of scattering of ecRad: it lacks mass_extinction_coefficient; the file has: effective",
        ),
        (small().without("asymmetry_factor"), "asymmetry_factor(effective_radius, wavenumber) is missing"),
        (small().unit("effective_radius", None), "effective_radius has no attribute \"units\""),
        (small().set("effective_radius", 0, 0.0), "effective_radius = 0 m at effective_radius 0 lies outside (0, inf)"),
        (small().set("effective_radius", 1, 1e-6), "expected values that rise by a constant step"),
        (small().set("wavenumber", 2, 20.0), "wavenumber = 20 cm-1 at wavenumber 2 follows 20; expected more"),
        (
            small().set("single_scattering_albedo", 4, 1.5),
            "single_scattering_albedo = 1.5 at effective_radius 1, wavenumber 1",
        ),
        (
            small().set("asymmetry_factor", 0, -2.0),
            "asymmetry_factor = -2 at effective_radius 0, wavenumber 0 lies outside",
        ),
        (small().set("mass_extinction_coefficient", 0, f64::NAN), "mass_extinction_coefficient = NaN m2 kg-1"),
    ] {
        let (_folder, path) = tables.save();
        let message = message(read_scattering_table(&path), &path);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}

/// One g-point, half of it in each of two intervals with as much sun.
fn two_intervals() -> Ecckd {
    let spectrum = EcckdSpectrum {
        intervals: vec![[0.0, 1000.0], [1000.0, 2000.0]],
        fraction: vec![0.5, 0.5],
        solar_irradiance: Some(vec![1.0, 1.0]),
    };
    Ecckd { points: 1, bands: vec![[0.0, 2000.0]], spectrum: Some(spectrum), ..Ecckd::default() }
}

/// One radius doubled, two wavenumbers.
fn two_wavenumbers(extinction: [f64; 2], albedo: [f64; 2], asymmetry: [f64; 2]) -> ScatteringTable {
    ScatteringTable {
        radius_m: vec![5e-6, 10e-6],
        wavenumber_per_cm: vec![500.0, 1500.0],
        extinction: extinction.repeat(2),
        albedo: albedo.repeat(2),
        asymmetry: asymmetry.repeat(2),
    }
}

fn first(table: &ParticleTable) -> [f64; 3] {
    [table.extinction[0], table.albedo[0], table.asymmetry[0]]
}

/// The first wavenumber counts 7/8 in its interval and 1/8 in the other one; the second 1/8 in the first interval, in
/// its own 1/2 above itself and, below, with ecRad's trapezium, 1/8: in all 8 to 6.
#[test]
fn two_wavenumbers_by_hand() {
    let model = two_intervals();
    let mean = two_wavenumbers([7e3, 14e3], [0.0, 0.0], [0.0, 0.0]).averaged(&model, Averaging::Thin).unwrap();
    assert_eq!((mean.size_um, mean.extinction.len()), ([5.0, 10.0], 2));
    close(mean.extinction[0], (4.0 * 7.0 + 3.0 * 14.0) / 7.0);
    // Black and white, as much of each.
    let table = two_wavenumbers([3.0, 4.0], [0.0, 1.0], [0.0, 0.0]);
    let [thin, thick] = [Averaging::Thin, Averaging::Thick].map(|how| first(&table.averaged(&model, how).unwrap())[1]);
    close(thin, 0.5);
    // It reflects 3/7.
    close(thick, 4.0 * (3.0 / 7.0) / (10.0 / 7.0 * (10.0 / 7.0)));
}

#[test]
fn what_is_everywhere_the_same_stays_so() {
    let model = two_intervals();
    for [albedo, asymmetry] in [[0.3, 0.85], [0.999, -0.2], [1.0, 0.9], [0.0, 0.5], [0.7, 0.0]] {
        let table = two_wavenumbers([200.0; 2], [albedo; 2], [asymmetry; 2]);
        for how in [Averaging::Thin, Averaging::Thick] {
            let [extinction, mean_albedo, mean_asymmetry] = first(&table.averaged(&model, how).unwrap());
            close(extinction, 0.2);
            assert!((mean_albedo - albedo).abs() < 1e-14 && mean_albedo <= 1.0, "{mean_albedo}");
            let expected = if albedo > 0.0 { asymmetry } else { 0.0 };
            assert!((mean_asymmetry - expected).abs() < 1e-14, "{mean_asymmetry}, expected {expected}");
        }
    }
}

#[test]
fn what_cannot_be_averaged_is_refused() {
    let table = two_wavenumbers([1.0; 2], [0.5; 2], [0.5; 2]);
    let refused = |table: &ScatteringTable, model: &Ecckd| table.averaged(model, Averaging::Thick).unwrap_err().0;
    let somewhere = Ecckd { spectrum: None, ..two_intervals() };
    assert_eq!(refused(&table, &somewhere), "the k-distribution does not say where in the spectrum its g-points are");
    let short = ScatteringTable { albedo: vec![0.5; 3], ..table.clone() };
    assert_eq!(refused(&short, &two_intervals()), "albedo has 3 values at 2 radii and 2 wavenumbers");
    let beyond = ScatteringTable { wavenumber_per_cm: vec![3000.0, 4000.0], ..table };
    assert_eq!(refused(&beyond, &two_intervals()), "no wavenumber of the particles lies where g-point 0 is");
}

/// What wavenumbers count at the g-points, from samples of the spectrum.
fn sampled(model: &Ecckd, wavenumbers: &[f64]) -> Vec<Vec<f64>> {
    const SAMPLES: usize = 200;
    let spectrum = model.spectrum.as_ref().unwrap();
    let ends = [spectrum.intervals[0][0], spectrum.intervals.last().unwrap()[1]];
    let last = wavenumbers.len() - 1;
    let mut weights = vec![vec![0.0; wavenumbers.len()]; model.points];
    for (number, &[low, high]) in spectrum.intervals.iter().enumerate() {
        let middle = 0.5 * (low + high);
        let planck = middle * middle * middle / isobar_core::Real::exp_m1(1.438_776_9 * middle / 273.15);
        let power = spectrum.solar_irradiance.as_ref().map_or(planck, |irradiance| irradiance[number]);
        let mut add = |index: usize, part: f64| {
            for (point, weights) in weights.iter_mut().enumerate() {
                let fraction = spectrum.fraction[point * spectrum.intervals.len() + number];
                weights[index] += part * power * fraction;
            }
        };
        let mut shares = vec![0.0; wavenumbers.len()];
        for sample in 0..SAMPLES {
            let here = low + (high - low) * (sample as f64 + 0.5) / SAMPLES as f64;
            let after = wavenumbers.partition_point(|&wavenumber| wavenumber < here);
            if after == 0 || after > last {
                shares[after.min(last)] += 1.0;
                continue;
            }
            let [left, right] = [wavenumbers[after - 1], wavenumbers[after]];
            let part = (here - left) / (right - left);
            if right <= ends[1] {
                // Half a trapezium less, in ecRad.
                shares[after] += if right <= high && left <= low { part - 0.5 } else { part };
            }
            if left >= ends[0] && (right <= ends[1] || left > low) {
                shares[after - 1] += 1.0 - part;
            }
        }
        shares.iter().enumerate().filter(|(_, share)| **share != 0.0).for_each(|(index, share)| add(index, *share));
    }
    weights
}

/// Averages of the files, against plain loops over samples.
#[test]
fn averages_are_those_of_samples() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for file in [FILES[0], FILES[2]] {
        let model = read_ecckd(&folder.join(file));
        for particles in [DROPLETS, ICE] {
            let table = read_scattering_table(&folder.join(particles)).unwrap();
            let (radii, count) = (table.radius_m.len(), table.wavenumber_per_cm.len());
            let mean = table.averaged(&model, Averaging::Thick).unwrap();
            let weights = sampled(&model, &table.wavenumber_per_cm);
            for point in [0, 7, 18, 31] {
                for radius in [0, 3, 22] {
                    let [mut all, mut extinction, mut scattering, mut forward, mut reflected] = [0.0; 5];
                    for (wavenumber, weight) in weights[point].iter().enumerate() {
                        let index = radius * count + wavenumber;
                        let k = table.extinction[index];
                        let (w, g) = (table.albedo[index], table.asymmetry[index]);
                        let s = k * w * (1.0 - g * g);
                        let e = k - k * w * g * g;
                        // Similarity parameter of the scaled properties, whose asymmetry is g / (1 + g).
                        let root = (k * (1.0 - w) / (e - s * g / (1.0 + g))).sqrt();
                        all += weight;
                        extinction += weight * e;
                        scattering += weight * s;
                        forward += weight * s * g / (1.0 + g);
                        reflected += weight * (1.0 - root) / (1.0 + root);
                    }
                    let (r, g) = (reflected / all, forward / scattering);
                    let albedo = 4.0 * r / ((1.0 + r) * (1.0 + r) - g * (1.0 - r) * (1.0 - r));
                    let index = point * radii + radius;
                    let (mean_k, mean_w, mean_g) =
                        (1e3 * mean.extinction[index], mean.albedo[index], mean.asymmetry[index]);
                    let peak = mean_g * mean_g;
                    let what = format!("{file} {particles} {point} {radius}");
                    let near = |found: f64, expected: f64| {
                        assert!(
                            (found - expected).abs() < 1e-3 * expected.abs(),
                            "{what}: {found}, expected {expected}"
                        );
                    };
                    near(mean_k * (1.0 - mean_w * peak), extinction / all);
                    near(mean_w * (1.0 - peak) / (1.0 - mean_w * peak), albedo);
                    near(mean_g / (1.0 + mean_g), g);
                }
            }
        }
    }
}

#[test]
fn ice_is_by_its_diameter() {
    let table = two_wavenumbers([200.0; 2], [0.5; 2], [0.5; 2]);
    let tables = CloudTables::averaged(&two_intervals(), &table, &table).unwrap();
    assert_eq!((tables.spectral, tables.by_point, &tables.bands[..]), (1, true, &[[0.0, 2000.0]][..]));
    assert_eq!((tables.liquid.size_um, tables.ice[0].size_um, tables.ice.len()), ([5.0, 10.0], [10.0, 20.0], 1));
}
