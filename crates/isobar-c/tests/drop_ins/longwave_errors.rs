//! What `rrtmg_lw` refuses, and what it leaves behind.

use std::path::Path;

use crate::fortran::{Bytes, Source};
use crate::longwave::{Case, POINTS, driver, made_up};

#[test]
fn what_is_wrong_is_said() {
    let Some(program) = driver(None) else { return };
    let run = |case: &Case, file: &str| {
        let mut bytes = Bytes::default();
        case.write(&mut bytes);
        program.run(&bytes.0, &[("ISOBAR_RRTMG_LW_DATA", file)]).unwrap_err()
    };
    let (mut case, _) = made_up(3, 8, true);
    let error = run(&case, "no_such_file");
    assert!(error.contains("no_such_file"), "{error}");
    // The seventh layer's droplets, and one sub-column that has more ice than the others.
    case.clouds[5][6 * 3] = 100.0;
    let error = run(&case, "analytic");
    assert!(error.contains("liquid_radius_um at column 0, layer 6 is 100"), "{error}");
    case.clouds[5][6 * 3] = 12.0;
    let point = case.clouds[0].iter().position(|&cloudy| cloudy == 1.0).unwrap();
    case.clouds[2][point] += 5.0;
    let error = run(&case, "analytic");
    assert!(error.contains("ciwpmcl and clwpmcl at column 0, layer 0"), "{error}");
    case.flags = [1, 3, 1];
    let error = run(&case, "analytic");
    assert!(error.contains("inflglw is neither 0"), "{error}");
    let (mut case, _) = made_up(3, 8, false);
    case.air[2][4] = 50.0;
    let error = run(&case, "analytic");
    assert!(error.contains("temperature_k at column 1, layer 1 is 50, which is not in [100, 400] K"), "{error}");
}

/// With a k-distribution of another code fluxes would be that code's, which is not what `rrtmg_lw` computes.
#[test]
fn k_distributions_of_other_codes_are_refused() {
    let Some(program) = driver(None) else { return };
    let (case, _) = made_up(3, 8, false);
    let mut bytes = Bytes::default();
    case.write(&mut bytes);
    let ecckd = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation/ecckd-longwave-32.nc");
    let rrtmgp = isobar_golden::find("rrtmgp").map(|dir| dir.join("coeff/lw-g128.nc"));
    for file in [Some(ecckd), rrtmgp].into_iter().flatten() {
        let file = file.to_str().unwrap();
        let error = program.run(&bytes.0, &[("ISOBAR_RRTMG_LW_DATA", file)]).unwrap_err();
        let words = format!("{file} is a k-distribution of RRTMGP's or ecCKD's form, and has to be a file of RRTMG_LW");
        assert!(error.contains(&words), "{error}");
    }
}

/// The caller that takes the error by `stat` has no scheme afterwards.
#[test]
fn a_k_distribution_that_was_refused_is_not_used() {
    let text = Source::Text(include_str!("../fortran/rrtmg_lw.f90")).with(
        "  call rrtmg_lw_ini(1004.0_rb)\n",
        "  call rrtmg_lw_ini(1004.0_rb, stat=status, errmsg=path)\n  if (status /= -7) error stop 'no error'\n  \
         if (index(path, 'has to be a file of RRTMG_LW') == 0) error stop 'no reason'\n",
    );
    let Some(program) = driver(Some(&text)) else { return };
    let (case, _) = made_up(3, 8, false);
    let mut bytes = Bytes::default();
    case.write(&mut bytes);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation/ecckd-longwave-32.nc");
    let error = program.run(&bytes.0, &[("ISOBAR_RRTMG_LW_DATA", file.to_str().unwrap())]).unwrap_err();
    assert!(error.contains("call rrtmg_lw_ini first"), "{error}");
}

/// What is no cloud, or no choice, does not count as clear sky, or as the default.
#[test]
fn clouds_and_choices_that_are_none_are_errors() {
    let Some(program) = driver(None) else { return };
    let (case, _) = made_up(3, 8, true);
    let run = |case: &Case, transmittance: &str| {
        let mut bytes = Bytes::default();
        case.write(&mut bytes);
        let environment = [("ISOBAR_RRTMG_LW_DATA", "analytic"), ("ISOBAR_RRTMG_LW_TRANSMITTANCE", transmittance)];
        program.run(&bytes.0, &environment)
    };
    // A cloudy point of the fourth layer of the first column, and a clear one.
    let of_cell = 3 * case.columns * POINTS..(3 * case.columns + 1) * POINTS;
    let point = |cloudy: f64| case.clouds[0][of_cell.clone()].iter().position(|&value| value == cloudy).unwrap();
    let (cloudy, clear) = (point(1.0), point(0.0));
    let refused = |water: i32, field: usize, point: usize, value: f64| {
        let mut clouds = case.clouds.clone();
        clouds[field][of_cell.start + point] = value;
        let air = case.air.clone();
        let changed = Case { columns: 3, layers: 8, flags: [water, 3, 1], air, clouds, ..Case::default() };
        run(&changed, "")
    };
    for (water, field, name, value, shown) in [
        (2, 0, "cldfmcl", 0.5, "0.5000000, which is neither 0 nor 1"),
        (2, 0, "cldfmcl", f64::NAN, "NaN, which is neither 0 nor 1"),
        (2, 2, "ciwpmcl", f64::NAN, "NaN, which is not a finite number of at least 0"),
        (2, 3, "clwpmcl", f64::NAN, "NaN, which is not a finite number of at least 0"),
        (2, 3, "clwpmcl", -2.0, "-2.000000, which is not a finite number of at least 0"),
        (0, 1, "taucmcl", f64::NAN, "NaN, which is not a finite number of at least 0"),
    ] {
        let error = refused(water, field, cloudy, value).unwrap_err();
        let words = format!("{name} at column 0, layer 3, g-point {cloudy} is {shown}");
        assert!(error.contains(&words), "{error}");
    }
    // What a clear point has is not read.
    assert!(refused(2, 2, clear, f64::NAN).is_ok());
    let error = run(&case, "tabel").unwrap_err();
    assert!(error.contains("ISOBAR_RRTMG_LW_TRANSMITTANCE is tabel, which is neither exact nor table"), "{error}");
}

/// After an error that the caller takes by `stat`, results are 0 and not what was in memory; climlab's form.
#[test]
fn results_after_an_error_are_zero() {
    let mut text = include_str!("../fortran/rrtmg_lw.f90").to_owned();
    for (from, to) in [
        (
            "    integer :: n\n\n    play",
            "    integer :: n, stat\n    real(rb) :: olr(ncol, bands)\n\n    olr = 9\n    play",
        ),
        ("    call cpu_time(started)\n", "    uflxc = 9\n    dflxc = 9\n    hrc = 9\n    call cpu_time(started)\n"),
        ("rrtmg_lw(ncol, nlay, icld, int(", "rrtmg_lw(ncol, nlay, icld, 1_im, int("),
        ("radius, tauaer, uflx(2:ncol", "radius, tauaer, olr, uflx(2:ncol"),
        ("duflxc_dt(2:ncol + 1, :))\n    end do", "duflxc_dt(2:ncol + 1, :), stat=stat)\n    end do"),
        (
            "    if (header(4) /= 1) then",
            "    if (stat >= 0) error stop 'no error'\n    if (any(abs(olr) > 0)) error stop 'olr'\n
    if (header(4) /= 1) then",
        ),
    ] {
        text = Source::Text(&text).with(from, to);
    }
    let Some(program) = driver(Some(&text)) else { return };
    // Temperatures that the library refuses, and clouds that the drop-in does.
    let (mut cold, _) = made_up(3, 8, false);
    cold.air[2][4] = 50.0;
    let (mut cloudy, _) = made_up(3, 8, true);
    cloudy.clouds[0][0] = 0.5;
    for case in [cold, cloudy] {
        let mut bytes = Bytes::default();
        case.write(&mut bytes);
        let written = program.run(&bytes.0, &[("ISOBAR_RRTMG_LW_DATA", "analytic")]).unwrap();
        assert!(!written.is_empty() && written.iter().all(|&flux| flux == 0.0), "{written:?}");
    }
}
