//! RTE+RRTMGP's `rte_lw` and `rte_sw` of `mo_rrtmgp_clr_all_sky`.

use netcdf_reader::NcFile;

use crate::fortran::{Bytes, Program, Source};

fn driver() -> Option<Program> {
    driver_with(&[])
}

/// The driver with other words in it.
fn driver_with(words: &[(&str, &str)]) -> Option<Program> {
    let mut text = include_str!("../fortran/rte.f90").to_owned();
    for (from, to) in words {
        text = Source::Text(&text).with(from, to);
    }
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
    let sources = files.iter().map(|file| Source::File(file)).chain([Source::Text(&text)]);
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

/// Without RTE's clouds, of which its fluxes would be: the error comes when it is loaded.
#[test]
fn k_distributions_of_rrtmg_lw_are_refused() {
    let Some(program) = driver() else { return };
    let file = isobar_golden::find("rrtmg_lw").map(|dir| dir.join("coeff/RRTMG_LW_DATA_DBL"));
    for k in [Some("analytic".into()), file].into_iter().flatten() {
        let arguments = [k.to_str().unwrap(), "none", "lw", "up"];
        let error = program.run_with(&column(285.0, [0.0; 4], [0.0; 4]), &arguments, &[]).unwrap_err();
        assert!(error.contains("load_gas_optics: a file of RRTMG_LW is no k-distribution of RRTMGP: "), "{error}");
    }
}

/// Files of coefficients and of clouds.
fn files(wave: &str) -> Option<[String; 2]> {
    let dir = isobar_golden::find("rrtmgp")?;
    let points = if wave == "lw" { "g128" } else { "g112" };
    let files = [format!("coeff/{wave}-{points}.nc"), format!("cloud/rrtmgp-clouds-{wave}-bnd.nc")];
    Some(files.map(|name| dir.join(name).to_str().unwrap().to_owned()))
}

/// What a driver with other words says of a column with a cloud.
fn refused(wave: &str, words: &[(&str, &str)], bytes: &[u8]) -> Option<String> {
    let [k, clouds] = files(wave)?;
    Some(driver_with(words)?.run_with(bytes, &[&k, &clouds, wave, "up"], &[]).unwrap_err())
}

/// A column with a cloud of water.
fn cloudy() -> Vec<u8> {
    with_sizes(&column(285.0, [0.0, 20.0, 0.0, 0.0], [0.0; 4]))
}

/// A column with a cloud of ice.
fn icy() -> Vec<u8> {
    with_sizes(&column(285.0, [0.0; 4], [0.0, 0.0, 20.0, 0.0]))
}

/// The radius of droplets and the diameter of ice are the last eight numbers.
fn with_sizes(column: &[u8]) -> Vec<u8> {
    let mut bytes = Bytes(column[..column.len() - 64].to_vec());
    bytes.numbers(&[10.0; 4]).numbers(&[60.0; 4]);
    bytes.0
}

/// Fluxes of another shape are told, and nothing is written beyond them.
#[test]
fn fluxes_of_another_shape_are_errors() {
    for (wave, from, to, words) in [
        (
            "lw",
            "flux_up => fluxes(:, :, 1)",
            "flux_up => fluxes(:, :nlay, 1)",
            "allsky_fluxes%flux_up has the shape (1, 4)",
        ),
        (
            "lw",
            "flux_net => fluxes(:, :, 3)",
            "flux_net => fluxes(:0, :, 3)",
            "allsky_fluxes%flux_net has the shape (0, 5)",
        ),
        (
            "lw",
            "flux_dn => fluxes(:, :, 6)",
            "flux_dn => fluxes(1, :, 5:)",
            "clrsky_fluxes%flux_dn has the shape (5, 4)",
        ),
        (
            "sw",
            "flux_dn_dir => fluxes(:, :, 7)",
            "flux_dn_dir => fluxes(:, 2:, 7)",
            "clrsky_fluxes%flux_dn_dir has the shape",
        ),
    ] {
        let Some(error) = refused(wave, &[(from, to)], &cloudy()) else { return };
        assert!(error.contains(words) && error.contains("and has to have (1, 5)"), "{error}");
    }
}

/// RRTMGP's `load` ends with `set_ice_roughness(1)`, which undoes an earlier call.
#[test]
fn ice_is_smooth_until_it_is_said_otherwise() {
    let bytes = icy();
    let (load, set) = ("  call load_cloud_optics(", "  call stop_on(cloud_optics%set_ice_roughness(2))\n");
    for wave in ["lw", "sw"] {
        let Some([k, clouds]) = files(wave) else { return };
        let run = |words: &[(&str, &str)]| {
            Some(driver_with(words)?.run_with(&bytes, &[&k, &clouds, wave, "up"], &[]).unwrap())
        };
        let Some(smooth) = run(&[(set, &set.replace('2', "1"))]) else { return };
        assert_ne!(smooth, run(&[]).unwrap(), "medium ice");
        crate::library::assert_same(&run(&[(set, "")]).unwrap(), &smooth, "ice of which nothing is said");
        let rough = format!("{}{load}", set.replace('2', "3"));
        let said_before = run(&[(set, ""), (load, &rough)]).unwrap();
        crate::library::assert_same(&said_before, &smooth, "ice of which something was said before");
    }
}

/// RRTMGP's `load` takes the sun of its file, whatever `set_tsi` was told of the k-distribution before.
#[test]
fn the_sun_of_a_file_that_is_loaded_again_is_the_file_s() {
    let Some([k, clouds]) = files("sw") else { return };
    let load = "  call load_gas_optics(k_dist, trim(argument(3)), available)\n";
    let tsi = "  call stop_on(k_dist%set_tsi(1000.0_wp))\n";
    let run = |words: &str| {
        let program = driver_with(&[(load, &format!("{load}{words}"))])?;
        Some(program.run_with(&cloudy(), &[&k, &clouds, "sw", "up"], &[]).unwrap())
    };
    let Some(of_file) = run("") else { return };
    assert_ne!(run(tsi).unwrap(), of_file);
    crate::library::assert_same(&run(&format!("{tsi}{load}")).unwrap(), &of_file, "loaded again");
    let ended = format!("{tsi}  call k_dist%finalize()\n{load}");
    crate::library::assert_same(&run(&ended).unwrap(), &of_file, "loaded again behind finalize");
}

/// Three columns, all as one.
fn thrice(one: &[u8]) -> Vec<u8> {
    let mut bytes = Bytes::default();
    bytes.integers(&[3, 4]);
    one[8..].chunks_exact(8).for_each(|number| bytes.0.extend(number.repeat(3)));
    bytes.0
}

/// Columns and bands of the surface, and mixing ratios, are not spread where there are too few of them.
#[test]
fn surfaces_and_gases_of_another_shape_are_errors() {
    let (surface, sun) = ("p_lev, t_sfc, emissivity", "p_lev, mu0, albedo, albedo");
    let co2 = "set_vmr('co2', 348.0e-6_wp)";
    let [columns, layers] =
        ["ncol", "nlay"].map(|size| format!("set_vmr('co2', reshape([(348.0e-6_wp, i=1, {size})], [{size}, 1]))"));
    for (wave, from, to, words) in [
        ("lw", surface, "p_lev, t_sfc(:1), emissivity", "rte_lw: t_sfc has the shape (1), and has to have (3)"),
        ("lw", surface, "p_lev, t_sfc, emissivity(:1, :)", "sfc_emis has the shape (1, 3), and has to have (16, 3)"),
        ("lw", surface, "p_lev, t_sfc, emissivity(:1, :1)", "sfc_emis has the shape (1, 1), and has to have (16, 3)"),
        ("sw", sun, "p_lev, mu0(:1), albedo, albedo", "rte_sw: mu0 has the shape (1), and has to have (3)"),
        ("sw", sun, "p_lev, mu0, albedo(:1, :), albedo", "sfc_alb_dir has the shape (1, 3), and has to have (14, 3)"),
        ("sw", sun, "p_lev, mu0, albedo, albedo(:, :1)", "sfc_alb_dif has the shape (14, 1), and has to have (14, 3)"),
        ("lw", co2, &columns, "co2 of gas_concs has the shape (3, 1), and has to have (1, 1), (1, 4) or (3, 4)"),
        ("sw", co2, &layers, "co2 of gas_concs has the shape (4, 1), and has to have (1, 1), (1, 4) or (3, 4)"),
    ] {
        let Some(error) = refused(wave, &[(from, to)], &thrice(&cloudy())) else { return };
        assert!(error.contains(words), "{error}");
    }
}

/// RTE's short wave with unscaled clouds, and its long wave with scaled ones, are not there: no other fluxes come out.
#[test]
fn delta_scaling_is_asked_for_where_it_is_done() {
    let scale = "    call stop_on(scattering%delta_scale())\n";
    let Some(error) = refused("sw", &[(scale, "")], &cloudy()) else { return };
    assert!(error.contains("rte_sw: clouds whose forward peak is not scaled are not there"), "{error}");
    let Some(error) = refused("sw", &[(scale, &scale.repeat(2))], &cloudy()) else { return };
    assert!(error.contains("delta_scale: the clouds have been scaled"), "{error}");
    let (begin, scaled) = ("call stop_on(rte_lw(", "call stop_on(absorbing%delta_scale())\n    call stop_on(rte_lw(");
    let scattering = [
        ("ty_optical_props_1scl) :: absorbing", "ty_optical_props_2str) :: absorbing"),
        ("absorbing%alloc_1scl", "absorbing%alloc_2str"),
        (begin, scaled),
    ];
    let Some(error) = refused("lw", &scattering, &cloudy()) else { return };
    assert!(error.contains("rte_lw: scaled clouds of the long wave are not there"), "{error}");
    // Clouds that only absorb have no forward peak, and clear sky has no clouds.
    let [k, clouds] = files("lw").unwrap();
    let run = |words: &[(&str, &str)]| driver_with(words).unwrap().run_with(&cloudy(), &[&k, &clouds, "lw", "up"], &[]);
    crate::library::assert_same(&run(&[(begin, scaled)]).unwrap(), &run(&[]).unwrap(), "clouds that absorb");
    let [k, clouds] = files("sw").unwrap();
    let program = driver_with(&[(scale, "")]).unwrap();
    assert!(program.run_with(&column(285.0, [0.0; 4], [0.0; 4]), &[&k, &clouds, "sw", "up"], &[]).is_ok());
}

/// What is not a number is an error, and no invalid operation, for hosts that trap these.
#[test]
fn what_is_not_a_number_is_no_trap() {
    let none = "transfer([-1, -1], 1.0_wp)";
    let gas = ("set_vmr('co2', 348.0e-6_wp)", format!("set_vmr('co2', {none})"));
    let Some(error) = refused("lw", &[(gas.0, &gas.1)], &cloudy()) else { return };
    assert!(error.contains("co2 is NaN, which is not in [0, 1]"), "{error}");
    let sun = format!("mu0 = 0.86_wp\n    call stop_on(k_dist%set_tsi({none}))");
    let Some(error) = refused("sw", &[("mu0 = 0.86_wp", &sun)], &cloudy()) else { return };
    assert!(error.contains("set_tsi: the irradiance is NaN"), "{error}");
    // Temperatures of levels are interpolated by pressures.
    let mut bytes = cloudy();
    bytes[8..16].copy_from_slice(&f64::NAN.to_le_bytes());
    let Some(error) = refused("lw", &[("      t_lev=t_lev, n_gauss", "      n_gauss")], &bytes) else { return };
    assert!(error.contains("pressure_pa at column 0, layer 0 is NaN"), "{error}");
}
