//! Three columns of RFMIP, with made-up clouds in two of them.

use isobar_optics::gases::GASES;
use isobar_radiation::{Angles, Columns, Device, Fluxes, LongwaveScattering, Options, Radiation};

use crate::reference::{Numbers, cloud_optics, difference, gas_optics, reference, transposed, upward};

const COLUMNS: usize = 3;

/// RTE forms `1 - exp(-2 k tau)` as a difference, with k tau down to 1e-9 where nothing absorbs: 8 digits of what such
/// layers reflect, of some 10 W/m^2. Ours has all digits (`energy.rs`).
pub(crate) const TWO_STREAM: f64 = 1e-6;

/// RTE's two streams have no source where the optical depth is below 1e-8. A layer of which all g-points were so thin
/// would lack 1.66e-8 of 300 W/m^2; few g-points of the upper layers are.
const TWO_STREAM_SOURCE: f64 = 5e-6;

/// The columns, from the surface up.
fn columns(file: &Numbers) -> Columns<f64> {
    let up = |name: &str| upward(&file.all(name), COLUMNS);
    let mut columns = Columns {
        pressure_pa: up("in_p_lay"),
        level_pressure_pa: up("in_p_lev"),
        temperature_k: up("in_t_lay"),
        level_temperature_k: up("in_t_lev"),
        surface_temperature_k: file.all("in_t_sfc"),
        emissivity: transposed(&file.all("in_emis"), COLUMNS),
        cosine_zenith: file.all("in_mu0"),
        total_solar_irradiance_w_per_m2: file.all("in_tsi"),
        surface_albedo_direct: transposed(&file.all("in_alb_dir"), COLUMNS),
        surface_albedo_diffuse: transposed(&file.all("in_alb_dif"), COLUMNS),
        ..Columns::default()
    };
    let gases = file.all("in_vmr");
    let each = gases.len() / GASES.len();
    let mut gases = gases.chunks(each).map(|values| upward(values, COLUMNS));
    for gas in fields(&mut columns) {
        *gas = gases.next().expect("all gases");
    }
    columns
}

/// The gases, in the order of the file, which is ours.
pub(crate) fn fields(columns: &mut Columns<f64>) -> [&mut Vec<f64>; 19] {
    let Columns {
        h2o,
        co2,
        o3,
        n2o,
        co,
        ch4,
        o2,
        n2,
        ccl4,
        cfc11,
        cfc12,
        cfc22,
        hfc143a,
        hfc125,
        hfc23,
        hfc32,
        hfc134a,
        cf4,
        no2,
        ..
    } = columns;
    [h2o, co2, o3, n2o, co, ch4, o2, n2, ccl4, cfc11, cfc12, cfc22, hfc143a, hfc125, hfc23, hfc32, hfc134a, cf4, no2]
}

fn clouds(file: &Numbers, columns: &mut Columns<f64>) {
    let up = |name: &str| upward(&file.all(name), COLUMNS);
    columns.liquid_path_g_per_m2 = up("in_lwp");
    columns.ice_path_g_per_m2 = up("in_iwp");
    columns.liquid_radius_um = up("in_rel");
    columns.ice_size_um = up("in_dei");
    let paths = columns.liquid_path_g_per_m2.iter().zip(&columns.ice_path_g_per_m2);
    columns.cloud_fraction = paths.map(|(liquid, ice)| f64::from(liquid + ice > 0.0)).collect();
}

pub(crate) fn run(coefficients: &str, clouds: Option<&str>, columns: &Columns<f64>, options: &Options) -> Fluxes<f64> {
    let file = |name: &str| reference(name).expect("the reference is there");
    let clouds = clouds.map(|name| cloud_optics(&file(name)));
    let radiation = Radiation::<f64>::new().with(&gas_optics(&file(coefficients)), clouds.as_ref()).unwrap();
    radiation.on(&[Device::Thread]).run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn longwave_fluxes() {
    let Some(path) = reference("detail/rfmip_3columns.nc") else { return };
    let file = Numbers::open(&path);
    let columns = columns(&file);
    for points in ["256", "128"] {
        for (angles, name) in [
            (Angles::Gauss(1), "a1"),
            (Angles::Gauss(2), "a2"),
            (Angles::Gauss(3), "a3"),
            (Angles::Gauss(4), "a4"),
            (Angles::Best, "opt"),
        ] {
            let options = Options { angles, derivative: true, ..Options::default() };
            let fluxes = run(&format!("coeff/lw-g{points}.nc"), None, &columns, &options);
            let theirs = |what: &str| upward(&file.all(&format!("lw{points}_clr_{name}_{what}")), COLUMNS);
            let (up, _) = difference(&fluxes.longwave_up_w_per_m2, &theirs("up"));
            let (down, _) = difference(&fluxes.longwave_down_w_per_m2, &theirs("dn"));
            // Some hundred sums of numbers up to 100 W/m^2.
            assert!(up.max(down) < 1e-10, "g{points} {name}: {up:e} {down:e}");
            if (points, name) == ("256", "a1") {
                let (slope, _) = difference(&fluxes.longwave_up_derivative_w_per_m2_k, &theirs("up_jac"));
                assert!(slope < 1e-10, "{slope:e}");
            }
        }
    }
}

#[test]
fn shortwave_fluxes() {
    let Some(path) = reference("detail/rfmip_3columns.nc") else { return };
    let file = Numbers::open(&path);
    let columns = columns(&file);
    for points in ["224", "112"] {
        let fluxes = run(&format!("coeff/sw-g{points}.nc"), None, &columns, &Options::default());
        let theirs = |what: &str| upward(&file.all(&format!("sw{points}_clr_{what}")), COLUMNS);
        let (up, _) = difference(&fluxes.shortwave_up_w_per_m2, &theirs("up"));
        let (down, _) = difference(&fluxes.shortwave_down_w_per_m2, &theirs("dn"));
        let (direct, _) = difference(&fluxes.shortwave_direct_w_per_m2, &theirs("dir"));
        assert!(up.max(down) < TWO_STREAM && direct < 1e-10, "g{points}: {up:e} {down:e} {direct:e}");
    }
}

#[test]
fn cloudy_fluxes() {
    let Some(path) = reference("detail/rfmip_3columns.nc") else { return };
    let file = Numbers::open(&path);
    let mut columns = columns(&file);
    clouds(&file, &mut columns);
    for points in ["256", "128"] {
        for (angles, name) in [(1, "a1"), (3, "a3")] {
            let options = Options { angles: Angles::Gauss(angles), ..Options::default() };
            let (coefficients, clouds) = (format!("coeff/lw-g{points}.nc"), "cloud/rrtmgp-clouds-lw-bnd.nc");
            let fluxes = run(&coefficients, Some(clouds), &columns, &options);
            let theirs = |what: &str| upward(&file.all(&format!("lw{points}_all_{name}_{what}")), COLUMNS);
            let (up, _) = difference(&fluxes.longwave_up_w_per_m2, &theirs("up"));
            let (down, _) = difference(&fluxes.longwave_down_w_per_m2, &theirs("dn"));
            assert!(up.max(down) < 1e-10, "g{points} {name}: {up:e} {down:e}");
        }
    }
    for points in ["224", "112"] {
        let (coefficients, clouds) = (format!("coeff/sw-g{points}.nc"), "cloud/rrtmgp-clouds-sw-bnd.nc");
        let fluxes = run(&coefficients, Some(clouds), &columns, &Options::default());
        let theirs = |what: &str| upward(&file.all(&format!("sw{points}_all_{what}")), COLUMNS);
        let (up, _) = difference(&fluxes.shortwave_up_w_per_m2, &theirs("up"));
        let (down, _) = difference(&fluxes.shortwave_down_w_per_m2, &theirs("dn"));
        let (direct, _) = difference(&fluxes.shortwave_direct_w_per_m2, &theirs("dir"));
        assert!(up.max(down) < TWO_STREAM && direct < 1e-10, "g{points}: {up:e} {down:e} {direct:e}");
    }
}

#[test]
fn scattered_longwave_fluxes() {
    let Some(path) = reference("detail/rfmip_3columns.nc") else { return };
    let file = Numbers::open(&path);
    let mut columns = columns(&file);
    clouds(&file, &mut columns);
    for points in ["256", "128"] {
        let theirs = |name: &str, what: &str| upward(&file.all(&format!("lw{points}_all_{name}_{what}")), COLUMNS);
        for (longwave_scattering, angles, name) in [
            (LongwaveScattering::Rescaled, Angles::Own, "rescaled_a1"),
            // RTE's 1.66 is a number of single precision.
            (LongwaveScattering::TwoStream, Angles::Secant(f64::from(1.66_f32)), "2stream"),
        ] {
            let options = Options { longwave_scattering, angles, ..Options::default() };
            let (coefficients, clouds) = (format!("coeff/lw-g{points}.nc"), "cloud/rrtmgp-clouds-lw-bnd.nc");
            let fluxes = run(&coefficients, Some(clouds), &columns, &options);
            let (up, _) = difference(&fluxes.longwave_up_w_per_m2, &theirs(name, "up"));
            let (down, _) = difference(&fluxes.longwave_down_w_per_m2, &theirs(name, "dn"));
            let (scattered, _) = difference(&theirs(name, "up"), &theirs("a1", "up"));
            println!("g{points} {name}: {up:.1e} {down:.1e} of {scattered:.1e} W/m^2");
            assert!(scattered > 0.1, "{scattered}");
            let accepted = match longwave_scattering {
                // As without.
                LongwaveScattering::Rescaled => 1e-10,
                _ => TWO_STREAM_SOURCE,
            };
            assert!(up.max(down) < accepted, "g{points} {name}: {up:e} {down:e}");
        }
    }
}

#[test]
fn fluxes_by_band() {
    let Some(path) = reference("detail/rfmip_3columns.nc") else { return };
    let file = Numbers::open(&path);
    let columns = columns(&file);
    for (wave, points, bands) in [("lw", "256", 16), ("sw", "224", 14)] {
        let options = Options { band_fluxes: true, ..Options::default() };
        let fluxes = run(&format!("coeff/{wave}-g{points}.nc"), None, &columns, &options);
        // `[column][level from the top][band]` as `[level][band][column]`.
        let theirs = |what: &str| {
            let values = file.all(&format!("{wave}{points}_clr_band_{what}"));
            let levels = values.len() / (COLUMNS * bands);
            let place = |level: usize, band: usize| {
                let values = &values;
                (0..COLUMNS).map(move |column| values[(column * levels + levels - 1 - level) * bands + band])
            };
            (0..levels).flat_map(|level| (0..bands).flat_map(move |band| place(level, band))).collect::<Vec<f64>>()
        };
        let (up, down, accepted) = if wave == "lw" {
            (&fluxes.longwave_up_by_band_w_per_m2, &fluxes.longwave_down_by_band_w_per_m2, 1e-10)
        } else {
            (&fluxes.shortwave_up_by_band_w_per_m2, &fluxes.shortwave_down_by_band_w_per_m2, TWO_STREAM)
        };
        let (up, _) = difference(up, &theirs("up"));
        let (down, _) = difference(down, &theirs("dn"));
        println!("{wave}{points}: {up:.1e} {down:.1e} W/m^2");
        assert!(up.max(down) < accepted, "{wave}{points}: {up:e} {down:e}");
    }
}
