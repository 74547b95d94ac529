//! What commands of spectra say of inputs that do not do what one may expect.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Case, isobar, said};
use crate::spectra::{done, list, sources, spectra, variable};
use crate::spectra_tables::cross_sections;
use isobar_io::netcdf::{DatasetWriter, OutputVariable};

/// Pairs of molecules with one coefficient on 4 cm^-1 from a wavenumber.
fn pairs(folder: &Path, name: &str, first: f64) -> PathBuf {
    let path = folder.join("pair.cia");
    let mut text = String::new();
    for temperature in [200.0, 300.0] {
        let last = first + 4.0;
        writeln!(text, "{name:>20}{first:10.3}{last:10.3}      3{temperature:7.1} 1.000e-45-0.999").unwrap();
        (0..3).for_each(|i| writeln!(text, "{:10.4} {:10.3e}", first + 2.0 * f64::from(i), 1e-45).unwrap());
    }
    fs::write(&path, text).unwrap();
    path
}

/// Line lists are told that do not reach a range; so are measurements.
#[test]
fn measurements_that_do_not_reach_the_range_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (xsc, out) = (folder.path().join("s.xsc"), folder.path().join("k.nc"));
    cross_sections(&xsc, &[(200.0, 1e-20), (296.0, 1e-20)]);
    let cia = pairs(folder.path(), "N2-N2", 868.0);
    for (range, expected) in [
        ("780:781", Some("780 to 781 cm^-1: it absorbs")),
        ("870:874", Some("872 to 874 cm^-1: it absorbs")),
        ("867:873", Some("867 to 868 cm^-1, nor in another part: it absorbs")),
        ("869:871", None),
    ] {
        let words = format!(
            "--xsc F12={} --cia {} --range {range} --step 0.01 --state 500,250,F12=1e-9 -o {}",
            xsc.display(),
            cia.display(),
            out.display()
        );
        let output = spectra("absorption", &list(), &words);
        done(&output);
        for name in ["--xsc F12", "--cia N2-N2"] {
            let (line, told) = (format!("{name}: nothing is measured from "), said(&output));
            match expected {
                Some(expected) => assert!(told.contains(&(line + expected)), "{range}: {told}"),
                None => assert!(!told.contains(&line), "{range}: {told}"),
            }
        }
        // It is so: zeros where it is told, and no others.
        let (nu, sigma) = (variable(&out, "wavenumber"), variable(&out, "cross_section_f12"));
        for (nu, sigma) in nu.iter().zip(sigma) {
            assert_eq!(sigma > 0.0, (868.0..=872.0).contains(nu), "{nu}");
        }
    }
}

/// The first channel has no lines: that says nothing of the others.
#[test]
fn a_coarse_grid_is_told_in_whichever_channel() {
    let folder = tempfile::tempdir().unwrap();
    for (nu, steps, expected) in [("500,792", 0.01, 1), ("500,786,798", 0.01, 1), ("500,792", 5e-4, 0)] {
        let words = format!(
            "--gas CO2 --nu {nu} --step {steps} --format tab --pressures 100:1000:2 --temperatures 200:296:2 --base {}",
            folder.path().join("own").display()
        );
        let output = spectra("tables", &list(), &words);
        done(&output);
        let told = said(&output).matches("larger than CO2's Doppler half width").count();
        assert_eq!(told, expected, "{nu}, {steps}: {}", said(&output));
    }
}

/// A water continuum of the layout of MT_CKD's.
fn water_continuum(path: &Path) {
    let mut file = DatasetWriter::create(path).unwrap();
    let nodes: Vec<f64> = (-2..=300).map(|i| 10.0 * f64::from(i)).collect();
    file.dimension("wavenumbers", nodes.len()).unwrap();
    for (name, value) in [("wavenumbers", 0.0), ("self_absco_ref", 3e-24), ("for_absco_ref", 2e-26), ("self_texp", 4.5)]
    {
        let (dimensions, units, long_name) = (&["wavenumbers"][..], "1", name);
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name: None, reference_name: None };
        let values = if value == 0.0 { nodes.clone() } else { vec![value; nodes.len()] };
        file.variable(&variable, &values).unwrap();
    }
    file.commit().unwrap();
}

/// The continuum of O2 is at 1360 to 1805 cm^-1, that of N2 is not there.
#[test]
fn continua_that_count_twice_are_told() {
    let case = Case::limb();
    water_continuum(&case.path("mt.nc"));
    fs::write(case.path("own_1550.0000.filt"), "1549.9 1\n1550.1 1\n").unwrap();
    let file = |name: &str| case.path(name).display().to_string();
    let (ctl, atm, obs) = (file("limb/limb.ctl"), file("limb/atm.tab"), file("limb/obs.tab"));
    let lbl = |pair: &str, first: f64, keys: &str| {
        let cia = pairs(&case.path("."), pair, first);
        let words = format!(
            "lbl --ctl {ctl} --atm {atm} --obs {obs} -o {} --quiet --device cpu --step 0.1 {} --cia {} --cut 10 \
             --water-continuum {} ND=1 NU[0]=1550 TBLFMT=1 TBLBASE={} RAYDZ=2 RAYDS=50 {keys}",
            file("lbl.tab"),
            sources(&list()).join(" "),
            cia.display(),
            file("mt.nc"),
            file("own")
        );
        let output = isobar(&words.split_whitespace().collect::<Vec<_>>());
        done(&output);
        said(&output)
    };
    let both = |said: &str| {
        let oxygen = "adds to the continuum of CTM_O2 at 1550 cm^-1: CTM_O2=0 leaves it out";
        [oxygen, "--water-continuum adds to the continuum of CTM_H2O"].map(|line| said.contains(line))
    };
    let told = lbl("O2-O2", 1548.0, "");
    assert_eq!(both(&told), [true, true], "{told}");
    assert!(told.contains("--cut 10: --water-continuum is made for lines that end at 25 cm^-1"), "{told}");
    assert_eq!(both(&lbl("O2-O2", 1548.0, "CTM_O2=0 CTM_H2O=0")), [false, false]);
    // Other molecules, and no pair at the channel.
    for (pair, first) in [("N2-N2", 1548.0), ("O2-O2", 1500.0)] {
        assert_eq!(both(&lbl(pair, first, "CTM_H2O=0")), [false, false]);
    }
}

/// A gas of a pair is one by whichever name: it absorbs, and nothing else is said.
#[test]
fn names_of_gases_of_pairs_have_no_case() {
    let folder = tempfile::tempdir().unwrap();
    let cia = pairs(folder.path(), "N2-N2", 868.0);
    let with = |state: &str| {
        let out = folder.path().join("k.nc");
        let words = format!("--cia {} --range 869:871 --step 0.1 --state 500,250,{state}", cia.display());
        let output = spectra("absorption", &list(), &format!("{words} -o {}", out.display()));
        done(&output);
        assert!(!said(&output).to_lowercase().contains("n2 absorbs nothing"), "{}", said(&output));
        variable(&out, "absorption_coefficient")
    };
    let found = with("N2=0.5");
    assert!(found.iter().all(|&value| value > 0.0));
    assert_eq!(with("n2=0.5"), found);
}

/// No point lies beyond the range, and a last one before its end is told.
#[test]
fn a_range_of_no_whole_number_of_steps_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("k.nc");
    for (range, step, points, end) in
        [("790:791", "0.4", 3, Some("790.8")), ("790:791", "0.3", 4, Some("790.9")), ("790:790.3", "0.1", 4, None)]
    {
        let words = format!("--range {range} --step {step} --state 500,250,CO2=4e-4 -o {}", out.display());
        let output = spectra("absorption", &list(), &words);
        done(&output);
        let nu = variable(&out, "wavenumber");
        let last: f64 = range.split_once(':').unwrap().1.parse().unwrap();
        assert!(nu.len() == points && nu[points - 1] <= last + 1e-9, "{nu:?}");
        let told = said(&output);
        match end {
            Some(end) => assert!(told.contains(&format!("and ends at {end}")), "{told}"),
            None => assert!(!told.contains("whole number of steps"), "{told}"),
        }
    }
}

#[test]
fn curves_that_a_plot_leaves_out_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (states, expected) in [(12, true), (2, false)] {
        let state = |i: usize| format!(" --state {},250,CO2=4e-4", 100 * (i + 1));
        let states: String = (0..states).map(state).collect();
        let words = format!("--range 791:791.5 --step 0.01 {states} -o {} --plot {}", file("k.nc"), file("k.svg"));
        let output = spectra("absorption", &list(), &words);
        done(&output);
        assert_eq!(said(&output).contains("--plot draws the first"), expected, "{}", said(&output));
    }
}

/// A copy under another name, half of it, or lists that overlap count twice and say so, once for each line; another
/// half of a list is a part of it.
#[test]
fn lines_of_two_lists_that_are_alike_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(list()).unwrap();
    let records: Vec<&str> = text.lines().collect();
    let write = |name: &str, records: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, records.join("\n") + "\n").unwrap();
        path
    };
    let (some, others) = records.split_at(records.len() / 2);
    let (copy, some, others) = (write("copy.par", &records), write("some.par", some), write("others.par", others));
    let told = |first: &Path, second: &Path| {
        let words = format!(
            "--range 790:795 --step 0.01 --cut 1e4 --state 500,250,CO2=4e-4 --lines {} -o {}",
            second.display(),
            folder.path().join("k.nc").display()
        );
        let output = spectra("absorption", first, &words);
        done(&output);
        said(&output).contains("lines stand more than once in the lists, and count as often")
    };
    assert_eq!([told(&list(), &copy), told(&list(), &some), told(&some, &others)], [true, true, false]);
    // Two downloads of which three lines are the same.
    let (low, high) = (write("low.par", &records[..records.len() / 2 + 3]), &others);
    let words = format!(
        "--range 790:795 --step 0.01 --cut 1e4 --state 500,250,CO2=4e-4 --lines {} -o {}",
        high.display(),
        folder.path().join("k.nc").display()
    );
    let output = spectra("absorption", &low, &words);
    assert!(said(&output).contains("--lines: 3 lines stand more than once in the lists"), "{}", said(&output));
    // In one list, put together.
    let mut both = records.clone();
    both.insert(records.len() / 2, records[records.len() / 2]);
    let both = write("both.par", &both);
    let words = words.replace(&format!("--lines {}", high.display()), "");
    let output = spectra("absorption", &both, &words);
    assert!(said(&output).contains("1 record that stands twice counts twice; the first: "), "{}", said(&output));
}

/// What `lbl` counts of the same files and a k-distribution does not have.
#[test]
fn what_a_k_distribution_leaves_out_is_told() {
    let case = Case::limb();
    water_continuum(&case.path("mt.nc"));
    let file = |name: &str| case.path(name).display().to_string();
    // With a cloud of 1 km at 10 km, and a surface of 290 K.
    let text = fs::read_to_string(case.path("limb/atm.tab")).unwrap();
    let rows = text.lines().map(|line| match line.chars().next() {
        Some('0'..='9') => format!("{line} 10 1 0.1 0.1 0 0 290 0.9 0.8").replace(" 0 10 1 ", " 0.001 10 1 "),
        _ => line.to_owned(),
    });
    fs::write(case.path("limb/full.tab"), rows.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    let kdist = |atmosphere: &str, more: &str| {
        let words = format!(
            "--ctl {} --atm {} --step 0.5 --bands 790:792 --most 2 --pressures 1:1000:2 --temperatures 200:300:2 -o {} \
             {more}",
            file("limb/limb.ctl"),
            file(atmosphere),
            file("k.nc")
        );
        let output = spectra("kdist", &list(), &words);
        done(&output);
        said(&output)
    };
    let layers = "NCL=2 CLNU[0]=700 CLNU[1]=900 NSF=2 SFNU[0]=700 SFNU[1]=900 HYDZ=0";
    let parts =
        ["its cloud is not in", "its extinction is not in", "its surface does not count", "HYDZ does not count"];
    let all = kdist("limb/full.tab", layers);
    assert!(parts.iter().all(|part| all.matches(part).count() == 1), "{all}");
    let continua = "continua of CTM_H2O, CTM_CO2 are not in the k-distribution: --water-continuum has one of H2O; \
                    with CTM_H2O=0 CTM_CO2=0 none is meant\n";
    assert_eq!(all.matches("continua of").count(), 1, "{all}");
    assert!(all.contains(continua), "{all}");
    let few = kdist("limb/atm.tab", &format!("--water-continuum {}", file("mt.nc")));
    assert!(few.contains("continua of CTM_CO2 are not in the k-distribution: with CTM_CO2=0 none"), "{few}");
    assert!(parts.iter().all(|part| !few.contains(part)), "{few}");
    let none = kdist("limb/atm.tab", "CTM_H2O=0 CTM_CO2=0");
    assert!(!none.contains("continua of") && parts.iter().all(|part| !none.contains(part)), "{none}");
}
