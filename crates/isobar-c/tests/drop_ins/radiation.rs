//! RTE+RRTMGP's `rte_lw` and `rte_sw` of `mo_rrtmgp_clr_all_sky`.

use netcdf_reader::NcFile;

use crate::fortran::{Bytes, Program, Source};

fn driver() -> Option<Program> {
    let names = [
        "mo_rte_kind",
        "mo_gas_concentrations",
        "mo_fluxes",
        "mo_optical_props",
        "mo_gas_optics_rrtmgp",
        "mo_cloud_optics_rrtmgp",
        "mo_optics_utils_rrtmgp",
        "mo_rrtmgp_clr_all_sky",
    ];
    let files: Vec<String> = names.iter().map(|name| format!("fortran/rte/{name}.f90")).collect();
    let sources = files.iter().map(|file| Source::File(file)).chain([Source::File("tests/fortran/rte.f90")]);
    Program::new(&sources.collect::<Vec<_>>())
}

/// Fluxes \[W/m^2\]: the bounds of `isobar-radiation`, where they are derived; the short wave's is that of two streams.
const LONGWAVE: f64 = 1e-10;
const SHORTWAVE: f64 = 1e-6;

#[test]
fn rte_lw_and_rte_sw_have_the_reference_s_numbers() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let Some(program) = driver() else { return };
    for (wave, points, bound) in [("lw", "g256", LONGWAVE), ("sw", "g224", SHORTWAVE)] {
        let file = NcFile::open(dir.join(format!("allsky/rrtmgp-allsky-{wave}-no-aerosols.nc"))).unwrap();
        let read = |name: &str| -> Vec<f64> { file.read_variable::<f64>(name).unwrap().iter().copied().collect() };
        let (columns, layers) = (24, 72);
        let mut bytes = Bytes::default();
        bytes.integers(&[columns as i32, layers]);
        for name in ["p_lay", "p_lev", "t_lay", "t_lev", "h2o", "o3", "lwp", "iwp", "rel", "rei"] {
            bytes.numbers(&read(name));
        }
        let [k, clouds] = [format!("coeff/{wave}-{points}.nc"), format!("cloud/rrtmgp-clouds-{wave}-bnd.nc")]
            .map(|name| dir.join(name).to_str().unwrap().to_owned());
        let mut both = Vec::new();
        for direction in ["up", "down"] {
            let written = program.run_with(&bytes.0, &[&k, &clouds, wave, direction], &[]).unwrap();
            let fields: Vec<Vec<f64>> = written.chunks(written.len() / 8).map(<[f64]>::to_vec).collect();
            let mut names = vec![(0, format!("{wave}_flux_up")), (1, format!("{wave}_flux_dn"))];
            if wave == "sw" {
                names.push((3, "sw_flux_dir".to_owned()));
            }
            for (index, name) in names {
                for (got, expected) in fields[index].iter().zip(read(&name)) {
                    assert!((got - expected).abs() < bound, "{name} {direction}: {got} W/m^2, not {expected}");
                }
            }
            // Every third column has no clouds.
            let is_cloudy =
                |column: usize| fields[0].iter().zip(&fields[4]).skip(column).step_by(columns).any(|(a, b)| a != b);
            assert_eq!((0..columns).filter(|&column| is_cloudy(column)).count(), 16);
            both.push(written);
        }
        crate::library::assert_same(&both[0], &both[1], "layers that go up and down");
    }
}

/// A column of four layers: the temperature of the lowest \[K\], and paths of liquid water and ice \[g/m^2\].
fn column(lowest_k: f64, liquid: [f64; 4], ice: [f64; 4]) -> Vec<u8> {
    let mut bytes = Bytes::default();
    bytes.integers(&[1, 4]);
    let levels = |first: f64, last: f64, count: usize| -> Vec<f64> {
        (0..count).map(|i| first + (last - first) * i as f64 / (count - 1) as f64).collect()
    };
    bytes.numbers(&levels(9e4, 2e4, 4)).numbers(&levels(1e5, 1e4, 5)).numbers(&[lowest_k, 280.0, 270.0, 260.0]);
    bytes.numbers(&levels(290.0, 250.0, 5)).numbers(&[1e-3; 4]).numbers(&[1e-7; 4]);
    bytes.numbers(&liquid).numbers(&ice).numbers(&[0.0; 8]);
    bytes.0
}

/// Gases that were not named when the k-distribution was loaded do not absorb, as with RRTMGP.
#[test]
fn only_available_gases_count() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let Some(program) = driver() else { return };
    let [k, clouds] = ["coeff/lw-g128.nc", "cloud/rrtmgp-clouds-lw-bnd.nc"].map(|name| dir.join(name));
    let [k, clouds] = [&k, &clouds].map(|path| path.to_str().unwrap());
    let input = column(285.0, [0.0; 4], [0.0; 4]);
    let run = |without: &str, co: &str| program.run_with(&input, &[k, clouds, "lw", "up", without, co], &[]);
    let none = run("", "0").unwrap();
    let much = run("", "1e-3").unwrap();
    crate::library::assert_same(&run("co", "1e-3").unwrap(), &none, "carbon monoxide that is not available");
    assert_ne!(much, none);
    let error = run("co2", "0").unwrap_err();
    assert!(error.contains("the k-distribution needs co2, which is not among the available gases"), "{error}");
}

#[test]
fn water_paths_that_are_none_are_no_clear_sky() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let Some(program) = driver() else { return };
    for (wave, k) in [("lw", "lw-g128"), ("sw", "sw-g112")] {
        let [k, clouds] = [format!("coeff/{k}.nc"), format!("cloud/rrtmgp-clouds-{wave}-bnd.nc")];
        let [k, clouds] = [k, clouds].map(|name| dir.join(name).to_str().unwrap().to_owned());
        let run = |liquid: [f64; 4], ice: [f64; 4]| {
            program.run_with(&column(285.0, liquid, ice), &[&k, &clouds, wave, "up"], &[])
        };
        assert!(run([0.0; 4], [0.0; 4]).is_ok());
        let error = run([0.0, f64::NAN, 0.0, 0.0], [0.0; 4]).unwrap_err();
        assert!(error.contains("lwp at column 0, layer 1 is NaN g/m2, which is no finite number"), "{error}");
        let error = run([0.0; 4], [0.0, 0.0, -3.0, 0.0]).unwrap_err();
        assert!(error.contains("iwp at column 0, layer 2 is -3.000000 g/m2"), "{error}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let Some(program) = driver() else { return };
    let bytes = Bytes(column(50.0, [0.0; 4], [0.0; 4]));
    let [k, clouds] = ["coeff/lw-g128.nc", "cloud/rrtmgp-clouds-lw-bnd.nc"].map(|name| dir.join(name));
    let [k, clouds] = [&k, &clouds].map(|path| path.to_str().unwrap());
    let error = program.run_with(&bytes.0, &[k, clouds, "lw", "up"], &[]).unwrap_err();
    assert!(error.contains("temperature_k at column 0, layer 0 is 50"), "{error}");
    let error = program.run_with(&bytes.0, &[k, clouds, "sw", "up"], &[]).unwrap_err();
    assert!(error.contains("the k-distribution is that of the other part of the spectrum"), "{error}");
    let error = program.run_with(&bytes.0, &["no_such_file.nc", clouds, "lw", "up"], &[]).unwrap_err();
    assert!(error.contains("no_such_file.nc"), "{error}");
}
