//! JURASSIC of 2026 on the command line: its tables, its files of profiles, its small tools.

#![cfg(feature = "cli")]

mod common;

use std::ffi::OsString;
use std::fs;

use common::{Case, isobar, printed, said};
use isobar_core::Real;

/// Runs a command of words, some of them paths of the case (`@`), and gives what it printed.
fn run(case: &Case, words: &str) -> String {
    let word = |word: &str| match word.split_once('@') {
        Some((before, path)) => {
            let mut all = OsString::from(before);
            all.push(case.path(path));
            all
        }
        None => word.into(),
    };
    let output = isobar(&words.split_whitespace().map(word).collect::<Vec<_>>());
    assert!(output.status.success(), "{words}: {}", said(&output));
    printed(&output)
}

/// The text of a forward run with keys.
fn forward(case: &Case, keys: &str) -> String {
    run(
        case,
        &format!(
            "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab -o - --quiet --device cpu {keys}"
        ),
    )
}

/// Logarithms of the same numbers, whatever file they come from.
#[test]
fn tables_in_every_format_give_the_same_radiances() {
    let case = Case::limb();
    let convert = "tables convert --ctl @limb/limb.ctl";
    run(&case, &format!("{convert} --base @a --format nc"));
    run(&case, &format!("{convert} --base @b --format packed TBLFMT=3 TBLBASE=@a"));
    run(&case, &format!("{convert} --base @c --format bin TBLFMT=2 TBLBASE=@b"));
    run(&case, &format!("{convert} --base @d --format tab TBLFMT=3 TBLBASE=@a"));
    let own = forward(&case, "TBLINTERP=1");
    assert_eq!(forward(&case, "TBLINTERP=1 TBLFMT=3 TBLBASE=@a"), own);
    assert_eq!(forward(&case, "TBLINTERP=1 TBLFMT=2 TBLBASE=@b"), own);
    // Files of values have digits of single precision alone; the linear interpolation takes those everywhere.
    assert_eq!(forward(&case, "TBLFMT=1 TBLBASE=@d"), forward(&case, "TBLFMT=2 TBLBASE=@c"));
    assert_eq!(forward(&case, "TBLFMT=3 TBLBASE=@a"), forward(&case, "TBLFMT=2 TBLBASE=@b"));
    assert_ne!(forward(&case, ""), own);
    // The filter is inside, and has to come from somewhere.
    let one = run(&case, "tables convert @b_792.0000_O3.bin @e.bin --format packed");
    assert_eq!(
        (one.as_str(), fs::read(case.path("e.bin")).unwrap()),
        ("", fs::read(case.path("b_792.0000_O3.bin")).unwrap())
    );
    let path = |name: &str| case.path(name).into_os_string();
    let mut words: Vec<OsString> = ["tables", "convert"].map(Into::into).to_vec();
    words.extend([path("c_792.0000_O3.bin"), path("f.bin"), "--format".into(), "packed".into()]);
    let without = isobar(&words);
    assert!(!without.status.success() && said(&without).contains("has no filter inside"), "{}", said(&without));
}

#[test]
fn thinned_tables_say_what_they_do() {
    let case = Case::limb();
    let thin = "tables thin --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab";
    let said = run(&case, &format!("{thin} --base @thin TBLINTERP=1"));
    assert!(said.contains("O3: ") && said.contains("nodes stay") && said.contains("792.0000"), "{said}");
    let nothing = run(&case, &format!("{thin} --base @same --rtol 0 --atol 0 TBLINTERP=1"));
    // With no tolerance all but exact nodes of straight lines stay: radiances change by rounding alone.
    for line in nothing.lines().skip_while(|line| !line.contains("cm^-1")).skip(1) {
        let largest: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(largest.abs() < 1e-3, "{line}");
    }
    forward(&case, "TBLINTERP=1 TBLFMT=3 TBLBASE=@thin");
}

#[test]
fn profiles_pass_through_netcdf() {
    let case = Case::limb();
    let ctl = "--ctl @limb/limb.ctl";
    for (tool, file) in [("atmfmt", "atm.tab"), ("obsfmt", "obs.tab")] {
        run(&case, &format!("jurassic {tool} {ctl} --in @limb/{file} -o @text"));
        run(&case, &format!("jurassic {tool} {ctl} --in @limb/{file} --in @text -o @{tool}.nc"));
        run(&case, &format!("jurassic {tool} {ctl} --in @{tool}.nc --profile 1 -o @again"));
        assert_eq!(fs::read(case.path("text")).unwrap(), fs::read(case.path("again")).unwrap());
    }
    let words = format!("forward {ctl} --atm @atmfmt.nc --obs @obsfmt.nc --quiet --device cpu PROF_IN=1");
    assert_eq!(run(&case, &format!("{words} -o -")), forward(&case, ""));
    run(&case, &format!("{words} -o @rad.nc OBSFMT=3"));
    run(&case, &format!("jurassic obsfmt {ctl} --in @rad.nc -o @rad.tab"));
    assert_eq!(fs::read_to_string(case.path("rad.tab")).unwrap(), forward(&case, ""));
    // At its own heights, an atmosphere is itself but for the last bits.
    run(&case, &format!("jurassic interpolate {ctl} --atm @limb/atm.tab --at @limb/atm.tab -o @same"));
    let numbers = |name: &str| -> Vec<f64> {
        let text = fs::read_to_string(case.path(name)).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
        rows.split_whitespace().map(|word| word.parse().unwrap()).collect()
    };
    for (same, text) in numbers("same").into_iter().zip({
        run(&case, &format!("jurassic atmfmt {ctl} --in @limb/atm.tab -o @text"));
        numbers("text")
    }) {
        assert!((same - text).abs() <= 1e-14 * text.abs(), "{same} is not {text}");
    }
}

#[test]
fn rays_and_black_bodies() {
    let case = Case::limb();
    let radiance = run(&case, "jurassic planck 250 792");
    assert_eq!(
        run(&case, &format!("jurassic brightness {} 792", radiance.trim())).trim().parse::<f64>().unwrap().round(),
        250.0
    );
    // 2 h c^2 nu^3 / (exp(h c nu / k T) - 1).
    let want = 1.191_042_59e-8 * (792.0 * 792.0 * 792.0) / Real::exp_m1(1.438_775_06 * 792.0 / 250.0_f64);
    assert!((radiance.trim().parse::<f64>().unwrap() / want - 1.0).abs() < 1e-13);
    let rows = |words: &str| -> Vec<Vec<f64>> {
        run(&case, &format!("jurassic {words} --ctl @limb/limb.ctl -o @rays"));
        let text = fs::read_to_string(case.path("rays")).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
    };
    let limb = rows("limb --z0 10 --z1 12");
    assert_eq!(limb.iter().map(|row| row[4]).collect::<Vec<_>>(), [10.0, 11.0, 12.0]);
    // cos of the angle at the Earth's centre, whose radius is 6367.421 km.
    assert!((Real::cos(limb[0][6].to_radians()) - 6377.421 / 7147.421).abs() < 1e-15);
    assert_eq!(rows("nadir").len(), 90);
    let zenith = rows("zenith --theta0 0 --theta1 60 --dtheta 60 --vpz 80");
    assert_eq!((zenith.len(), zenith[0][6]), (2, 0.0));
    let (angle, ratio) = (60_f64.to_radians(), 6367.421_f64 / 6447.421);
    assert!((zenith[1][6].to_radians() - (angle - Real::asin(Real::sin(angle) * ratio))).abs() < 1e-14);
}
