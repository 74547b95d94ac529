//! What commands of JURASSIC's cases say of inputs that they do not use, cut off or make up.

use std::fs;
use std::process::{Command, Output};

use crate::common::{Case, numbers, printed, said};

/// Runs words in the folder of the limb case.
fn run(case: &Case, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(words.split_whitespace()).current_dir(case.path("limb")).output().unwrap()
}

const FORWARD: &str = "forward --ctl limb.ctl --atm atm.tab --obs obs.tab -o rad.tab --device cpu --quiet";

#[test]
fn keys_without_effect_are_told() {
    let case = Case::limb();
    // Less declared on the command line leaves those of the file on purpose.
    let usual = run(&case, &format!("{FORWARD} ND=2"));
    assert!(usual.status.success() && said(&usual).is_empty(), "{}", said(&usual));
    let told = run(&case, &format!("{FORWARD} NU[4]=900 NU[5]=910 SFNU[0]=700 EMITTER[3]=N2O PROF_IN=3"));
    for expected in [
        "command line: NU[4] and 1 more have no effect: ND = 4",
        "command line: EMITTER[3] has no effect: NG = 3",
        "command line: PROF_IN = 3 has no effect: it is for files in NetCDF",
    ] {
        assert!(said(&told).contains(expected), "{expected}: {}", said(&told));
    }
    let strict = run(&case, &format!("{FORWARD} --strict NU[4]=900"));
    assert!(!strict.status.success() && said(&strict).contains("NU[4] has no effect: ND = 4"), "{}", said(&strict));
    // Sums over lines have no tables.
    let data = crate::common::data();
    let data = data.display();
    let sums = [1, 2, 3].map(|gas| format!("--partition {gas}.1={data}/spectra/made-up-q.txt")).join(" ");
    let line = format!("--lines {data}/spectra/made-up.par {sums}");
    let lbl = "lbl --ctl limb.ctl --atm atm.tab --obs obs.tab -o rad.tab --device cpu --quiet --step 0.1 ND=1";
    let told = run(&case, &format!("{lbl} {line} FORMOD=0 TBLINTERP=1"));
    for expected in ["FORMOD = 0 has no effect line by line", "TBLINTERP = 1 has no effect line by line"] {
        assert!(said(&told).contains(expected), "{expected}: {}", said(&told));
    }
}

#[test]
fn a_filter_that_is_cut_off_says_how_much() {
    let case = Case::limb();
    // A triangle of 5 cm^-1 within 2.1: of its area (1 - 1.05 / 5)^2 is beyond, 62.4 %.
    let cut = run(&case, "jurassic filter -o f --kind triangle --fwhm 5");
    assert!(cut.status.success() && said(&cut).contains("cuts 62.4 % of the shape's integral off"), "{}", said(&cut));
    for kind in ["boxcar", "triangle", "sinc", "norton-beer", "gauss --width 4"] {
        let whole = run(&case, &format!("jurassic filter -o f --kind {kind}"));
        assert!(whole.status.success() && said(&whole).is_empty(), "{kind}: {}", said(&whole));
    }
}

#[test]
fn tables_in_netcdf_are_listed_by_channel() {
    let case = Case::limb();
    let made = run(&case, "tables convert --ctl limb.ctl --base own --format nc");
    assert!(made.status.success(), "{}", said(&made));
    let text = printed(&run(&case, "tables info own_CO2.nc"));
    assert_eq!(text.lines().count(), 5, "{text}");
    assert!(text.contains("own_CO2.nc, 792 cm^-1") && text.contains("own_CO2.nc, 1410 cm^-1"), "{text}");
    let whole = printed(&run(&case, "tables info --ctl limb.ctl TBLBASE=own TBLFMT=3"));
    assert_eq!(whole.lines().count(), 13, "{whole}");
}

#[test]
fn rays_to_the_zenith_see_the_air() {
    let case = Case::limb();
    let made = run(&case, "jurassic zenith --ctl limb.ctl -o zenith.tab");
    assert!(made.status.success(), "{}", said(&made));
    let seen = run(&case, &FORWARD.replace("obs.tab", "zenith.tab"));
    assert!(seen.status.success() && !said(&seen).contains("above the atmosphere"), "{}", said(&seen));
    let rows = numbers(&fs::read_to_string(case.path("limb/rad.tab")).unwrap());
    assert!(rows[0][10..14].iter().all(|radiance| *radiance > 0.0), "{rows:?}");
}

#[test]
fn pairs_of_molecules_absorb_alone() {
    let case = Case::limb();
    let rows = "  790.0 1e-45\n  800.0 1e-45\n";
    let header = format!("{:>20}{:10.4}{:10.4}{:7}{:7.2}\n", "N2-N2", 790.0, 800.0, 2, 250.0);
    fs::write(case.path("limb/n2.cia"), header + rows).unwrap();
    let words = "spectra absorption --range 790:791 --step 0.5 --state 500,250 --device cpu --quiet -o k.nc";
    let alone = run(&case, &format!("{words} --cia n2.cia"));
    assert!(alone.status.success(), "{}", said(&alone));
    let none = run(&case, words);
    assert!(said(&none).contains("nothing absorbs"), "{}", said(&none));
}
