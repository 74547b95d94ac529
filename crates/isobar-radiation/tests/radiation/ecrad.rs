//! ecRad's 32 columns from pole to pole, without clouds.
//!
//! In layers of an optical depth up to 1e-3, ecRad's long wave takes `x` for `1 - exp(-x)` in what they emit, x being
//! the depth along the path. It gets `x^2 / 2` of a black body's radiation too much, 1.4e-6 of it in the thickest of
//! them.

use isobar_optics::Ecckd;
use isobar_optics::constants::{ECCKD_AIR, ECCKD_WATER};
use isobar_radiation::constants::ECRAD_SECANT;
use isobar_radiation::{Angles, Columns, Device, Fluxes, Options, Radiation};

use crate::reference::{Numbers, difference, ecckd, gas_optics, reference, transposed, upward};

pub(crate) const COLUMNS: usize = 32;
/// Those of which there are properties by g-point.
pub(crate) const DETAILED: [usize; 3] = [0, 12, 20];

pub(crate) const LONGWAVE: &str = "ecckd/ecckd-1.0_lw_climate_fsck-32b_ckd-definition.nc";
pub(crate) const SHORTWAVE: &str = "ecckd/ecckd-1.4_sw_climate_rgb-32b_ckd-definition.nc";

/// [kg/mol], ecRad's.
const OZONE: f64 = 0.001 * 47.9982;

/// Wavelengths \[m\] between bands of the surface's properties, and the number of each band, in ecRad's
/// `configCY49R1_ecckd.nam`.
const ALBEDO: (&[f64], &[usize]) = (&[0.25e-6, 0.44e-6, 0.69e-6, 1.19e-6, 2.38e-6], &[0, 1, 2, 3, 4, 5]);
const EMISSIVITY: (&[f64], &[usize]) = (&[8e-6, 13e-6], &[0, 1, 0]);

/// The columns, from the surface up.
pub(crate) fn columns(file: &Numbers) -> Columns<f64> {
    let up = |name: &str| upward(&file.all(name), COLUMNS);
    let (level_pressure_pa, level_temperature_k, humidity) = (up("pressure_hl"), up("temperature_hl"), up("q"));
    let layers = humidity.len() / COLUMNS;
    let around = |index: usize| [level_pressure_pa[index], level_pressure_pa[index + COLUMNS]];
    let middle = |index: usize| {
        let ([below, above], t) = (around(index), &level_temperature_k);
        (t[index] * below + t[index + COLUMNS] * above) / (below + above)
    };
    // Amounts in a mass of moist air, ours relative to dry air.
    let dry = |values: Vec<f64>, factor: f64| -> Vec<f64> {
        values.iter().zip(&humidity).map(|(value, water)| factor * value / (1.0 - water)).collect()
    };
    let spectral = |name: &str, model: &str, bands| {
        let model = ecckd(&reference(model).expect("the reference is there"));
        transposed(&by_point(&file.all(name), &model, bands), COLUMNS)
    };
    Columns {
        pressure_pa: (0..layers * COLUMNS).map(|index| 0.5 * around(index).iter().sum::<f64>()).collect(),
        temperature_k: (0..layers * COLUMNS).map(middle).collect(),
        surface_temperature_k: file.all("skin_temperature"),
        cosine_zenith: file.all("cos_solar_zenith_angle"),
        total_solar_irradiance_w_per_m2: vec![file.all("solar_irradiance")[0]; COLUMNS],
        emissivity: spectral("lw_emissivity", LONGWAVE, EMISSIVITY),
        surface_albedo_direct: spectral("sw_albedo_direct", SHORTWAVE, ALBEDO),
        surface_albedo_diffuse: spectral("sw_albedo", SHORTWAVE, ALBEDO),
        h2o: dry(humidity.clone(), ECCKD_AIR / ECCKD_WATER),
        o3: dry(up("o3_mmr"), ECCKD_AIR / OZONE),
        co2: dry(up("co2_vmr"), 1.0),
        n2o: dry(up("n2o_vmr"), 1.0),
        ch4: dry(up("ch4_vmr"), 1.0),
        cfc11: dry(up("cfc11_vmr"), 1.0),
        cfc12: dry(up("cfc12_vmr"), 1.0),
        level_pressure_pa,
        level_temperature_k,
        ..Columns::default()
    }
}

/// Properties of the surface by band, `[column][band]`, as means at g-points, `[column][g-point]`.
fn by_point(values: &[f64], model: &Ecckd, (wavelengths, numbers): (&[f64], &[usize])) -> Vec<f64> {
    let spectrum = model.spectrum.as_ref().expect("it says where g-points are");
    let power = spectrum.power(model.planck.is_some());
    let bands = values.len() / COLUMNS;
    let mut means = Vec::new();
    for column in values.chunks(bands) {
        for fractions in spectrum.fraction.chunks(spectrum.intervals.len()) {
            let (mut sum, mut total) = (0.0, 0.0);
            for (index, &number) in numbers.iter().enumerate() {
                let high = if index == 0 { f64::INFINITY } else { 0.01 / wavelengths[index - 1] };
                let low = wavelengths.get(index).map_or(0.0, |wavelength| 0.01 / wavelength);
                for ((limits, power), fraction) in spectrum.intervals.iter().zip(&power).zip(fractions) {
                    let part = (high.min(limits[1]) - low.max(limits[0])).max(0.0) / (limits[1] - limits[0]);
                    sum += part * power * fraction * column[number];
                    total += part * power * fraction;
                }
            }
            means.push(sum / total);
        }
    }
    means
}

pub(crate) fn run(columns: &Columns<f64>) -> Fluxes<f64> {
    let file = |name: &str| gas_optics(&reference(name).expect("the reference is there"));
    let radiation = Radiation::<f64>::new().with(&file(LONGWAVE), None).unwrap().with(&file(SHORTWAVE), None).unwrap();
    let options = Options { angles: Angles::Secant(ECRAD_SECANT), ..Options::default() };
    radiation.on(&[Device::Thread]).run(columns, &options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn fluxes() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let fluxes = run(&columns(&Numbers::open(&path)));
    let file = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_ecckd.nc").unwrap());
    for (name, ours, accepted) in [
        // What thin layers emit too much; `longwave_of_three_columns` has the rest.
        ("flux_up_lw", &fluxes.longwave_up_w_per_m2, 3e-3),
        ("flux_dn_lw", &fluxes.longwave_down_w_per_m2, 3e-3),
        // `1 - exp(-2 k tau)` as a difference, as in `detail`.
        ("flux_up_sw", &fluxes.shortwave_up_w_per_m2, 1e-9),
        ("flux_dn_sw", &fluxes.shortwave_down_w_per_m2, 1e-9),
        ("flux_dn_direct_sw", &fluxes.shortwave_direct_w_per_m2, 1e-11),
    ] {
        let (found, _) = difference(ours, &upward(&file.all(name), COLUMNS));
        assert!(found < accepted, "{name}: {found:e}");
    }
}

/// The values `[row]` of one column of `[row][column]`.
pub(crate) fn of_column(values: &[f64], column: usize) -> Vec<f64> {
    values.iter().skip(column).step_by(COLUMNS).copied().collect()
}

#[test]
fn surfaces_by_point() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let columns = columns(&Numbers::open(&path));
    let file = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_gpoint.nc").unwrap());
    for (name, ours) in [
        ("lw_emissivity", &columns.emissivity),
        ("sw_albedo", &columns.surface_albedo_diffuse),
        ("sw_albedo_direct", &columns.surface_albedo_direct),
    ] {
        let ours: Vec<f64> = DETAILED.iter().flat_map(|&column| of_column(ours, column)).collect();
        let (found, _) = difference(&ours, &file.all(name));
        assert!(found < 1e-14, "{name}: {found:e}");
    }
}

/// With ecRad's emission of thin layers its optical depths and sources give its fluxes, with the exact one ours.
#[test]
fn longwave_of_three_columns() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let fluxes = run(&columns(&Numbers::open(&path)));
    let theirs = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_ecckd.nc").unwrap());
    let detail = Numbers::open(&reference("ecckd/ecrad_cloudless_noaer_gpoint.nc").unwrap());
    let [theirs_up, theirs_down] = ["flux_up_lw", "flux_dn_lw"].map(|name| upward(&theirs.all(name), COLUMNS));
    for (index, &column) in DETAILED.iter().enumerate() {
        for (thin, up, down) in
            [(1e-3, &theirs_up, &theirs_down), (0.0, &fluxes.longwave_up_w_per_m2, &fluxes.longwave_down_w_per_m2)]
        {
            let [expected_up, expected_down] = longwave(&detail, index, thin, |_, _| 0.0);
            let (up, _) = difference(&of_column(up, column), &expected_up);
            let (down, _) = difference(&of_column(down, column), &expected_down);
            assert!(up.max(down) < 1e-9, "column {column}, thin {thin}: {up:e} {down:e}");
        }
    }
}

/// Fluxes of the levels from the surface up, upward and downward; layers up to an optical depth of `thin` as ecRad has
/// them. `cloud` is what there is besides gases in a layer from the top, at a g-point.
pub(crate) fn longwave(file: &Numbers, column: usize, thin: f64, cloud: impl Fn(usize, usize) -> f64) -> [Vec<f64>; 2] {
    const POINTS: usize = 32;
    let of = |name: &str, rows: usize| file.all(name)[column * rows * POINTS..(column + 1) * rows * POINTS].to_vec();
    let (depth, planck) = (of("od_lw", 137), of("planck_hl", 138));
    let (emission, emissivity) = (of("lw_emission", 1), of("lw_emissivity", 1));
    let [mut up, mut down] = [vec![0.0; 138], vec![0.0; 138]];
    for point in 0..POINTS {
        let layer = |layer: usize| {
            let [above, below] = [layer, layer + 1].map(|level| planck[level * POINTS + point]);
            let depth = depth[layer * POINTS + point] + cloud(layer, point);
            let x = ECRAD_SECANT * depth;
            let absorbed = -isobar_core::Real::exp_m1(-x);
            if depth <= thin {
                let mean = 0.5 * x * (above + below);
                return (absorbed, mean, mean);
            }
            // The mean distance from where it leaves, in parts of the layer, of what is emitted.
            let away = if x > 1e-2 {
                absorbed / x - (1.0 - absorbed)
            } else {
                x * (1.0 / 2.0 - x * (1.0 / 3.0 - x * (1.0 / 8.0 - x * (1.0 / 30.0 - x * (1.0 / 144.0 - x / 840.0)))))
            };
            (absorbed, above * absorbed + away * (below - above), below * absorbed + away * (above - below))
        };
        let mut flux = 0.0;
        for number in 0..137 {
            let (absorbed, _, source) = layer(number);
            flux = flux * (1.0 - absorbed) + source;
            down[136 - number] += flux;
        }
        flux = emission[point] + (1.0 - emissivity[point]) * flux;
        up[0] += flux;
        for number in (0..137).rev() {
            let (absorbed, source, _) = layer(number);
            flux = flux * (1.0 - absorbed) + source;
            up[137 - number] += flux;
        }
    }
    [up, down]
}
