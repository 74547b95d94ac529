//! What files of JURASSIC's cases have and commands leave out is said.

use std::fs;

use crate::common::{Case, numbers, said};

/// Gives a file of an atmosphere a surface at 1.5 km and 840 hPa, for NSF = 2 with nodes at 700 and 1500 cm^-1.
fn with_surface(case: &Case, to: &str) {
    let text = fs::read_to_string(case.path("limb/atm.tab")).unwrap();
    let row = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ") + " 1.5 840 288 .9 .8";
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let rows: Vec<String> = numbers(&text).iter().map(row).collect();
    let surface = "# $11 = surface layer height [km]\n# $12 = surface layer pressure [hPa]";
    fs::write(case.path(to), format!("{}\n{surface}\n\n{}\n", titles.join("\n"), rows.join("\n"))).unwrap();
}

fn tool(case: &Case, words: &str) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"));
    let output = command.args(words.split(' ')).current_dir(case.path("limb")).output().unwrap();
    assert!(output.status.success(), "{words}: {}", said(&output));
    said(&output)
}

#[test]
fn columns_that_the_control_file_does_not_ask_for() {
    let case = Case::limb();
    with_surface(&case, "limb/sf.tab");
    let files = "--ctl limb.ctl --atm sf.tab --obs obs.tab -o out";
    let told = "sf.tab: not read: surface layer height [km], surface layer pressure [hPa], column 13, column 14, \
                column 15 (";
    for words in [
        format!("forward {files} --device cpu"),
        format!("raytrace {files}"),
        format!("kernel {files} RETT_ZMIN=10 RETT_ZMAX=30"),
        "jurassic atmfmt --ctl limb.ctl --in sf.tab -o out.tab".into(),
        "jurassic hydrostatic --ctl limb.ctl --in sf.tab -o out.tab HYDZ=20".into(),
        "jurassic interpolate --ctl limb.ctl --atm sf.tab --at atm.tab -o out.tab".into(),
    ] {
        let text = tool(&case, &words);
        assert_eq!(text.matches(told).count(), 1, "{words}: {text}");
    }
    let text = tool(&case, &format!("raytrace {files} NSF=2 SFNU[0]=700 SFNU[1]=1500"));
    assert!(!text.contains("not read"), "{text}");
}

#[test]
fn the_surface_of_a_binary_file() {
    let case = Case::limb();
    with_surface(&case, "limb/sf.tab");
    let keys = "NSF=2 SFNU[0]=700 SFNU[1]=1500";
    let told = "out.bin: a binary atmosphere has no height and pressure of the surface: 1.5 km and 840 hPa are not";
    for words in ["atmfmt --in sf.tab -o out.bin", "hydrostatic --in sf.tab -o out.bin HYDZ=20"] {
        let text = tool(&case, &format!("jurassic {words} --ctl limb.ctl {keys}"));
        assert_eq!(text.matches(told).count(), 1, "{words}: {text}");
    }
    for out in ["out.tab", "out.nc"] {
        let text = tool(&case, &format!("jurassic atmfmt --ctl limb.ctl --in sf.tab -o {out} {keys}"));
        assert!(!text.contains("surface"), "{text}");
    }
}

#[test]
fn profiles_besides_the_first() {
    let case = Case::limb();
    tool(&case, "jurassic atmfmt --ctl limb.ctl --in atm.tab --in atm.tab --in atm.tab -o many.nc");
    tool(&case, "jurassic obsfmt --ctl limb.ctl --in obs.tab --in obs.tab -o rays.nc");
    let told = [
        "many.nc: 2 of 3 profiles are left out: PROF_IN names the one that is read, 0 by default; IP = 2 takes all",
        "rays.nc: 1 of 2 profiles are left out: PROF_IN names the one that is read, 0 by default",
    ];
    for command in ["forward", "raytrace"] {
        let words = format!("{command} --ctl limb.ctl --atm many.nc --obs rays.nc -o out");
        let text = tool(&case, &words);
        assert!(told.iter().all(|told| text.matches(told).count() == 1), "{text}");
        let text = tool(&case, &format!("{words} PROF_IN=1"));
        assert!(!text.contains("left out"), "{text}");
    }
}
