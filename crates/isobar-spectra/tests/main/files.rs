//! Files of lists: what is read, and one error with file and line for what is wrong.

use std::path::{Path, PathBuf};

use isobar_core::Real;
use isobar_spectra::lists::{
    CollisionInduced, CrossSection, CrossSections, ExoMol, ListSummary, Odd, ParOptions, ParRecord, ParWindows,
    for_each_par, isotopologue, molecule_name, parse_par, read_exomol, read_par, write_par,
};
use isobar_spectra::{Gas, Grid, PartitionSum, SpectraError};

/// A record of HITRAN's format, with made-up numbers.
fn record(molecule: &str, position: f64, intensity: &str, widths: (&str, &str), energy: f64) -> String {
    let front = format!(
        "{molecule}{position:12.6}{intensity:>10} 1.000E+00{:>5}{:>5}{energy:10.4}0.70-.001000",
        widths.0, widths.1
    );
    assert_eq!(front.len(), 67);
    format!("{front:<160}")
}

fn good(position: f64) -> String {
    record(" 21", position, "1.234E-21", (".0700", "0.090"), 123.4567)
}

fn parse(text: &str) -> Result<Vec<ParRecord>, SpectraError> {
    parse_par(text.as_bytes(), Path::new("list.par"), ParOptions::default()).map(|found| found.0)
}

#[test]
fn records_are_read() {
    let tenth = record(" 20", 2001.5, "1.000E-25", (".0600", ".0000"), 0.0);
    let eleventh = record(" 2A", 2002.5, "0.000E+00", (".0600", ".1000"), 0.0);
    // CRLF, an empty line, more than 160 columns.
    let records = parse(&format!("{}\r\n\r\n{tenth}  more\n{eleventh}", good(2000.25))).expect("records");
    assert_eq!(records.iter().map(|r| r.isotopologue).collect::<Vec<_>>(), [1, 10, 11]);
    let line = records[0].line;
    assert_eq!((line.wavenumber_per_cm, line.intensity), (2000.25, 1.234e-21));
    assert_eq!((line.air_width_per_cm_atm, line.self_width_per_cm_atm), (0.07, 0.09));
    assert_eq!((line.lower_energy_per_cm, line.air_exponent, line.self_exponent), (123.4567, 0.7, 0.7));
    assert_eq!(line.air_shift_per_cm_atm, -0.001);
}

#[test]
fn what_is_wrong_with_a_record_is_told_with_its_line() {
    let refused = |bad: &str| parse(&format!("{}\n{bad}\n", good(2000.0))).expect_err("refused").to_string();
    let cases = [
        (good(2001.0)[..120].to_owned(), "120 columns; 160 are needed"),
        (good(1999.0), "comes after 2000 cm^-1"),
        (record(" 21", 2001.0, "-1.00E-21", (".0700", ".0900"), 1.0), "the intensity is -1e-21"),
        (record(" 21", 2001.0, "1.000E-21", ("-.070", ".0900"), 1.0), "the width by air is -0.07 cm^-1/atm"),
        (record(" 21", 2001.0, "1.000E-21", (".0700", "-.090"), 1.0), "the width by the gas itself is -0.09"),
        (record(" 21", 2001.0, "1.000E-21", (".0700", ".0900"), -1.0), "means unknown"),
        (record(" 21", 2001.0, "1.0x0E-21", (".0700", ".0900"), 1.0), "the intensity is '1.0x0E-21'"),
        (record(" 2 ", 2001.0, "1.000E-21", (".0700", ".0900"), 1.0), "the isotopologue is ' '"),
        (record("xx1", 2001.0, "1.000E-21", (".0700", ".0900"), 1.0), "the molecule is 'xx'"),
        (record(" 21", 2001.0, "NaN", (".0700", ".0900"), 1.0), "the intensity is 'NaN'"),
    ];
    for (bad, what) in cases {
        let message = refused(&bad);
        assert!(message.starts_with("list.par, line 2: ") && message.contains(what), "{message}");
    }
    let unknown = record(" 21", 2001.0, "1.000E-21", (".0700", ".0900"), -1.0);
    let options = ParOptions { skip_unknown_energies: true, range_per_cm: Some((1999.0, 2000.5)) };
    let text = format!("{}\n{unknown}\n{}\n", good(2000.0), good(2003.0));
    assert_eq!(parse_par(text.as_bytes(), Path::new("list.par"), options).expect("records").0.len(), 1);
    let missing = read_par(Path::new("no/such/list.par"), ParOptions::default()).expect_err("refused").to_string();
    assert!(missing.starts_with("no/such/list.par: "), "{missing}");
}

#[test]
fn molecules_and_isotopologues_are_known_or_refused() {
    // CODATA's masses of the molecules, and HITRAN's own rounding of them.
    for (molecule, number, mass_u) in [
        (1, 1, 18.010_565),
        (2, 1, 43.989_83),
        (5, 3, 29.999_161),
        (6, 1, 16.031_3),
        (3, 1, 47.984_745),
        (32, 2, 47.008_835),
        (51, 1, 34.021_878),
        (52, 1, 77.952_479),
        (57, 1, 15.023_475),
        (61, 1, 80.961_757),
    ] {
        let known = isotopologue(molecule, number).expect("known");
        assert!((known.mass_u - mass_u).abs() < 2e-6, "{known:?}");
    }
    assert_eq!(isotopologue(2, 11).expect("known").atoms, "18O13C17O");
    assert!(isotopologue(2, 13).expect_err("refused").to_string().contains("1 to 12"));
    assert!(molecule_name(99).expect_err("refused").to_string().contains("1 to 61"));
    let records = parse(&record(" 29", 2000.0, "1.0E-21", (".0700", ".0900"), 1.0)).expect("records");
    assert_eq!(isotopologue(2, 9).expect("known").molecule_name, "CO2");
    let none = Gas::from_records(&records, 2, |_, _| Err(SpectraError::Options("no partition sum".into())));
    assert_eq!(none.expect_err("refused").to_string(), "no partition sum");
    let other = Gas::from_records(&records, 1, |_, _| unreachable!());
    assert!(other.expect_err("refused").to_string().contains("the number of lines of H2O"));
}

/// Steps of 10 K of a smooth curve: between them Hermite's cubic is off by the fourth derivative's part.
#[test]
fn partition_sums() {
    let exact = |t: f64| t * Real::sqrt(t) / (1.0 - Real::exp(-960.0 / t));
    let rows: Vec<(f64, f64)> = (10..=40).map(|i| (10.0 * f64::from(i), exact(10.0 * f64::from(i)))).collect();
    let sum = PartitionSum::new("q", &rows).expect("a table");
    for t in [150.0, 204.0, 296.0, 333.3] {
        assert!((sum.at(t).expect("inside") / exact(t) - 1.0).abs() < 3e-6, "{t}");
    }
    assert!(sum.at(401.0).expect_err("refused").to_string().contains("100 to 400"));
    assert!(sum.at(f64::NAN).is_err());
    let refused = |rows: &[(f64, f64)]| PartitionSum::new("q", rows).expect_err("refused").to_string();
    assert!(refused(&[(100.0, 1.0)]).contains("number of rows"));
    assert!(refused(&[(200.0, 1.0), (100.0, 1.0)]).contains("above 200"));
    assert!(refused(&[(200.0, 1.0), (300.0, -1.0)]).contains("at 300 K"));
    assert!(refused(&[(200.0, 1.0), (290.0, 2.0)]).contains("is 296"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "q1.txt", "  0 0.0\n  200 10.0\n 300 x\n");
    let message = PartitionSum::read(&path).expect_err("refused").to_string();
    assert!(message.contains("q1.txt, line 3") && message.contains("'x'"), "{message}");
}

#[test]
fn lists_of_exomol() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| write(folder.path(), name, text);
    let states = "1 0.0 1 0\n2 1000.0 3 1\n3 1500.5 5 2\n";
    let list = ExoMol {
        name: "X".into(),
        states: file("x.states", states),
        transitions: vec![file("x.trans", "3 1 2.0\n2 1 1.0\n3 2 0.5\n")],
        partition: file("x.pf", "200 8.0\n296 10.0\n400 15.0\n"),
        broadening: Some(file("x.broad", "a0 0.0800 0.60 0\na0 0.0500 0.40 1\n")),
        mass_u: 20.0,
        abundance: 0.5,
        default_width: (0.07, 0.5),
        range_per_cm: (900.0, 2000.0),
        weakest: 0.0,
    };
    let (gas, odd) = read_exomol(&list).expect("a list");
    assert!(odd.is_empty() && odd.records() == 6);
    // Sorted; the line at 500.5 is outside.
    assert_eq!(gas.lines().iter().map(|l| l.wavenumber_per_cm).collect::<Vec<_>>(), [1000.0, 1500.5]);
    let line = gas.lines()[0];
    let emission = 1.0 - Real::exp(-1.438_776_877 * 1000.0 / 296.0);
    let expected = 0.5 * 3.0 / (8.0 * core::f64::consts::PI * 2.997_924_58e10 * 1e6) / 10.0 * emission;
    assert!((line.intensity / expected - 1.0).abs() < 1e-12, "{} {expected}", line.intensity);
    assert!((line.air_width_per_cm_atm - 0.08 * 1.01325).abs() < 1e-15);
    let refused = |list: &ExoMol| read_exomol(list).expect_err("refused").to_string();
    for (text, what) in [
        ("2 1 1.0\n9 1 1.0\n", "line 2: the upper state '9' is not in"),
        ("2 1 1.0\n1 2 1.0\n", "line 2: the upper state is 1000 cm^-1 below"),
        ("2 1\n", "line 1: Einstein's A is missing"),
        ("2 1 -1.0\n", "line 1: Einstein's A is -1e0"),
    ] {
        let message = refused(&ExoMol { transitions: vec![file("bad.trans", text)], ..list.clone() });
        assert!(message.contains(what), "{message}");
    }
    let twice = refused(&ExoMol { states: file("bad.states", "1 0 1 0\n1 5 1 0\n"), ..list.clone() });
    assert!(twice.contains("line 2: state 1 is there twice"), "{twice}");
}

/// The width of a transition by the codes of ExoMol: J of the lower state, of both, or |m|.
#[test]
fn codes_of_exomols_widths() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| write(folder.path(), name, text);
    let list = |widths: &str| ExoMol {
        name: "X".into(),
        states: file("x.states", "1 0.0 1 0\n2 10.0 3 1\n3 1000.0 3 1\n4 1010.0 5 2\n5 1025.0 1 0\n"),
        // R(0), R(1), P(1), in this order of positions: P(1) has 1015, R(0) 1000, R(1) 1000.
        transitions: vec![file("x.trans", "3 1 2.0\n4 2 1.0\n5 2 0.5\n")],
        partition: file("x.pf", "200 8.0\n296 10.0\n400 15.0\n"),
        broadening: Some(file("x.broad", widths)),
        mass_u: 20.0,
        abundance: 1.0,
        default_width: (0.07, 0.5),
        range_per_cm: (0.0, 2000.0),
        weakest: 0.0,
    };
    let widths = |text: &str| {
        let (gas, _) = read_exomol(&list(text)).expect("a list");
        // By the energy of the lower state and the position.
        let of = |energy: f64, position: f64| {
            let is_it = |line: &&isobar_spectra::physics::line::Line<f64>| {
                (line.lower_energy_per_cm, line.wavenumber_per_cm) == (energy, position)
            };
            gas.lines().iter().find(is_it).expect("a line").air_width_per_cm_atm / 1.01325
        };
        [of(0.0, 1000.0), of(10.0, 1000.0), of(10.0, 1015.0)].map(|width| (1e6 * width).round() / 1e6)
    };
    let rows = |code: &str| format!("{code} 0.08 0.6 0\n{code} 0.06 0.5 1\n{code} 0.05 0.4 2\n");
    assert_eq!(widths(&rows("a0")), [0.08, 0.06, 0.06]);
    // R(0) has |m| = 1, R(1) 2, P(1) 1.
    assert_eq!(widths(&rows("m0")), [0.06, 0.05, 0.06]);
    assert_eq!(widths(&format!("{}a1 0.03 0.5 1 2\na1 0.02 0.5 1 0\n", rows("a0"))), [0.08, 0.03, 0.02]);
    let refused = |text: &str, what: &str| {
        let message = read_exomol(&list(text)).expect_err("refused").to_string();
        assert!(message.contains(what), "{message}");
    };
    refused("a0 0.08 0.6 0\nb3 0.08 0.6 0 1\n", "x.broad, line 2: the code is 'b3'; accepted are a0, a1 and m0");
    refused("a1 0.08 0.6 0\n", "line 1: code, width, exponent and J of the lower and of the upper state are needed");
    refused("a0 0.08 0.6 1\na0 0.07 0.6 1\n", "line 2: an earlier row of these quantum numbers has others");
    refused("a0 0.08 0.6 1.25\n", "line 1: J is 1.25");
}

/// One odd record in a list of thousands is left out and counted; more than one in a hundred are an error, with the
/// first one's line. Lines without a width by air stay: HITRAN 2020 has such of O2.
#[test]
fn odd_records_are_counted_by_kind() {
    let list = |odd: &[String], all: usize| {
        let mut lines: Vec<String> = (0..all - odd.len()).map(|i| good(2000.0 + 0.01 * i as f64)).collect();
        // In the middle, in the order of the positions.
        lines.splice(7..7, odd.iter().cloned());
        parse_par(lines.join("\n").as_bytes(), Path::new("list.par"), ParOptions::default())
    };
    let at = 2000.065;
    let kinds = [
        (Odd::BadIntensity, record(" 21", at, "-1.00E-21", (".0700", ".0900"), 1.0), "line of negative intensity"),
        (Odd::BadWidth, record(" 21", at, "1.000E-21", (".0700", "-.090"), 1.0), "line of negative width"),
        (Odd::BadPosition, record(" 21", 0.0, "1.000E-21", (".0700", ".0900"), 1.0), "line whose position is not"),
        (Odd::UnknownMolecule, record("621", at, "1.000E-21", (".0700", ".0900"), 1.0), "line of an unknown molecule"),
        (Odd::UnknownMolecule, record(" 2Z", at, "1.000E-21", (".0700", ".0900"), 1.0), "line of an unknown molecule"),
    ];
    for (kind, odd, words) in kinds {
        let (records, found) = list(std::slice::from_ref(&odd), 100).expect("one in a hundred");
        assert_eq!((records.len(), found.records(), found.count(kind)), (99, 100, 1));
        let [sentence] = &found.sentences()[..] else { panic!("one kind") };
        assert!(sentence.starts_with(&format!("1 {words}")), "{sentence}");
        assert!(sentence.ends_with("is left out; the first: list.par, line 8"), "{sentence}");
        let error = list(&[odd], 99).expect_err("more than one in a hundred").to_string();
        assert!(
            error.starts_with("list.par, line 8: ")
                && error.ends_with("(1 of 99 records like this one, more than 1 %)")
        );
    }
    let doppler = record(" 71", at, "1.000E-26", (".0000", ".0000"), 100.0);
    let other = record(" 71", at, "2.000E-26", (".0000", ".0000"), 100.0);
    let (records, found) = list(&[doppler, other], 10).expect("lines");
    assert_eq!((records.len(), found.count(Odd::NoAirWidth)), (10, 2));
    assert_eq!(
        found.sentences(),
        ["2 lines without a width by air are taken as Doppler lines; the first: list.par, line 8"]
    );
    // A record with all its quantum numbers again, as of two lists put together: it counts twice, whatever stands
    // between; lines that differ in their states do not.
    let line = record(" 21", at, "1.000E-26", (".0700", ".0900"), 100.0);
    let other = format!("{}{:>93}", &line[..67], "P 13e");
    let (records, found) = list(&[line.clone(), other.clone(), line], 10).expect("lines");
    assert_eq!((records.len(), found.count(Odd::Repeated)), (10, 1));
    assert_eq!(found.sentences(), ["1 record that stands twice counts twice; the first: list.par, line 10"]);
    // A list that goes on is judged when enough of it was read: nothing is read behind what is wrong.
    let many: Vec<String> = (0..30).map(|_| record(" 21", at, "-1.00E-21", (".0700", ".0900"), 1.0)).collect();
    assert!(list(&many, 4000).is_ok() && list(&many, 2999).is_err());
}

/// Transitions between states of one energy, energies a rounding below 0, odd states: ExoMol's lists have some.
#[test]
fn odd_records_of_exomol() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| write(folder.path(), name, text);
    let mut states = vec!["1 -0.000001 1 0".to_owned(), "2 -5.0 3 1".to_owned()];
    states.extend((3..300).map(|i| format!("{i} {}.5 3 1", 1000 + i)));
    file("x.states", &states.join("\n"));
    let transition = |i: usize| format!("{i} 1 1.0");
    let transitions: Vec<String> = (3..300).map(transition).collect();
    let with = |odd: &[&str]| {
        let all = [transitions.join("\n"), odd.join("\n")].join("\n");
        file("x.trans", &all);
        file("x.pf", "200 8.0\n296 10.0\n400 15.0\n");
        file(
            "x.def",
            "20.0 # Isotopologue mass (Da)\n0.07 # Default value of Lorentzian half-width\n0.5 # Default value of \
                       temperature exponent\n",
        );
        read_exomol(&ExoMol::open("X", &folder.path().join("x")).expect("files"))
    };
    let (gas, odd) = with(&["5 5 1.0", "6 6 1.0", "7 7 2.0", "8 8 1.0", "1 4 1.0", "2 1 1.0"]).expect("a list");
    assert_eq!(gas.lines().len(), 297);
    assert_eq!(gas.lines()[0].lower_energy_per_cm, -1e-6);
    let counts = [Odd::NoTransitionEnergy, Odd::Inverted, Odd::NoState, Odd::RoundedEnergy, Odd::BadState];
    assert_eq!(counts.map(|kind| odd.count(kind)), [4, 1, 1, 1, 1]);
    assert!(odd.sentences()[1].starts_with("4 transitions between states of one energy are left out; the first: "));
    // Transitions that have no line say nothing against a list; those that cannot be do.
    assert!(with(&["5 5 1.0"; 100]).is_ok());
    let error = with(&["1 4 1.0"; 4]).expect_err("more than one in a hundred").to_string();
    assert!(
        error.contains("x.trans, line 298: the upper state is 1004.5") && error.contains("4 of 301 records"),
        "{error}"
    );
}

/// Packed or not, a list is the same; where a file is there both ways, it is read once.
#[test]
fn packed_lists_are_read() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().expect("a folder");
    let bzip2 = |name: &str, text: &str| {
        let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        packed.write_all(text.as_bytes()).expect("memory");
        std::fs::write(folder.path().join(name), packed.finish().expect("memory")).expect("a file");
    };
    let gzip = |name: &str, text: &str| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text.as_bytes()).expect("memory");
        std::fs::write(folder.path().join(name), packed.finish().expect("memory")).expect("a file");
    };
    let text = format!("{}\n{}\n", good(2000.0), good(2001.0));
    bzip2("list.par.bz2", &text);
    gzip("list.par.gz", &text);
    for name in ["list.par.bz2", "list.par.gz"] {
        let (records, _) = read_par(&folder.path().join(name), ParOptions::default()).expect("records");
        assert_eq!(records, parse(&text).expect("records"), "{name}");
    }
    // A file that is cut is no shorter list.
    let whole = std::fs::read(folder.path().join("list.par.bz2")).expect("a file");
    std::fs::write(folder.path().join("cut.par"), &whole[..whole.len() - 5]).expect("a file");
    assert!(read_par(&folder.path().join("cut.par"), ParOptions::default()).is_err());

    let file = |name: &str, text: &str| write(folder.path(), name, text);
    file("x.pf", "200 8.0\n296 10.0\n400 15.0\n");
    file(
        "x.def",
        "20.0 # Isotopologue mass (Da)\n0.07 # Default value of Lorentzian half-width\n0.5 # Default value of \
                   temperature exponent\n",
    );
    bzip2("x.states.bz2", "1 0.0 1 0\n2 1000.0 3 1\n3 1500.5 5 2\n");
    bzip2("x__00000-01200.trans.bz2", "2 1 1.0\n");
    gzip("x__01200-02000.trans.gz", "3 1 2.0\n");
    file("x__01200-02000.trans", "3 1 2.0\n");
    let list = ExoMol::open("X", &folder.path().join("x")).expect("files");
    assert_eq!(list.transitions.len(), 2);
    assert_eq!(read_exomol(&list).expect("a list").0.lines().len(), 2);
    assert!(list.files().contains(&folder.path().join("x.def")));
    // The range in the name of a packed file counts.
    std::fs::write(folder.path().join("x__00000-01200.trans.bz2"), "no list").expect("a file");
    assert_eq!(read_exomol(&ExoMol { range_per_cm: (1400.0, 1600.0), ..list }).expect("a list").0.lines().len(), 1);
}

#[test]
fn pairs_that_collide() {
    let folder = tempfile::tempdir().expect("a folder");
    let block = |rows: usize, temperature: f64, factor: f64| {
        let head = format!("{:<20}{:10.3}{:10.3}{rows:7}{temperature:7.1}{:10.3E}", "N2-N2", 10.0, 12.0, 1e-45);
        format!("{head}\n 10.000 {:e}\n 11.000 {:e}\n 12.000 {:e}\n", factor, 2.0 * factor, 4.0 * factor)
    };
    let path = write(folder.path(), "n2.cia", &format!("{}{}", block(3, 300.0, 3e-46), block(3, 200.0, 1e-46)));
    let cia = CollisionInduced::read(&path).expect("a file");
    assert_eq!((cia.pair(), cia.range_k(10.5)), ("N2-N2", Some((200.0, 300.0))));
    assert!((cia.at(10.5, 250.0) / 3e-46 - 1.0).abs() < 1e-12, "{}", cia.at(10.5, 250.0));
    assert!((cia.at(11.5, 100.0) / 3e-46 - 1.0).abs() < 1e-12 && cia.at(13.0, 250.0) == 0.0);
    let path = write(folder.path(), "cut.cia", &block(4, 300.0, 1e-46));
    let message = CollisionInduced::read(&path).expect_err("refused").to_string();
    assert!(message.contains("line 1: the header says 4 rows, and 3 follow"), "{message}");
}

#[test]
fn measured_cross_sections() {
    let folder = tempfile::tempdir().expect("a folder");
    let head =
        |values: usize| format!("{:<20}{:10.4}{:10.4}{values:7}{:7.2}{:6.1}", "CCl4", 700.0, 711.0, 250.0, 380.0);
    let values: Vec<String> = (0..12).map(|i| fortran(f64::from(if i == 3 { -3 } else { i }) * 1e-20)).collect();
    let body = format!("{}\n{}\n", values[..10].concat(), values[10..].concat());
    let path = write(folder.path(), "ccl4.xsc", &format!("{}\n{body}", head(12)));
    let all = CrossSection::read(&path).expect("a file");
    assert_eq!((all.len(), all[0].name.as_str(), all[0].temperature_k), (1, "CCl4", 250.0));
    assert!((all[0].pressure_hpa - 506.625).abs() < 1e-9);
    assert!((all[0].at(703.0) / -3e-20 - 1.0).abs() < 1e-12);
    assert!((all[0].at(705.25) / 5.25e-20 - 1.0).abs() < 1e-12 && all[0].at(699.0) == 0.0 && all[0].at(711.0) > 1e-19);
    let path = write(folder.path(), "cut.xsc", &format!("{}\n{body}", head(13)));
    let message = CrossSection::read(&path).expect_err("refused").to_string();
    assert!(message.contains("line 1: the header says 13 values, and 12 follow"), "{message}");
}

/// The made-up list of the repository: what is written is what was read, and a pass over the file counts it.
#[test]
fn lists_are_written_and_summed_up() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/spectra/made-up.par");
    let (records, odd) = read_par(&path, ParOptions::default()).expect("the repository's list");
    assert!(odd.is_empty());
    let mut text = Vec::new();
    write_par(&mut text, &records).expect("memory");
    assert_eq!(text, std::fs::read(&path).expect("the same file"));
    let mut one_by_one = Vec::new();
    let options = ParOptions { range_per_cm: Some((785.0, 790.0)), ..ParOptions::default() };
    let skipped = for_each_par(&path, options, &mut |record| {
        one_by_one.push(record);
        Ok(())
    });
    assert!(skipped.expect("good records").is_empty());
    assert_eq!(one_by_one, read_par(&path, options).expect("good records").0);

    let folder = tempfile::tempdir().expect("a folder");
    let unknown = record(" 21", 2001.0, "1.000E-21", (".0700", ".0900"), -1.0);
    let other = record(" 22", 2002.0, "2.000E-22", (".0500", ".0900"), 10.0);
    let list = write(folder.path(), "list.par", &format!("{}\n{unknown}\n{other}\n", good(2000.0)));
    let summary = ListSummary::read(&list, None).expect("a list");
    assert_eq!((summary.lines(), summary.odd.count(Odd::UnknownEnergy), summary.isotopologues.len()), (2, 1, 2));
    let second = &summary.isotopologues[1];
    assert_eq!((second.strongest, second.highest_energy_per_cm), ((2002.0, 2e-22), 10.0));
    assert_eq!(second.decades.iter().collect::<Vec<_>>(), [(&-22, &1)]);
    assert_eq!(summary.by_wavenumber[&2][&2000], 1.234e-21);
    let nothing = ListSummary::read(&list, Some((1.0, 2.0))).expect_err("no line");
    assert!(nothing.to_string().contains("no line is in it"), "{nothing}");
    let nobody =
        write(folder.path(), "bad.par", &format!("{}\n{}\n", good(2000.0), good(2001.0).replacen(" 21", "991", 1)));
    let refused = ListSummary::read(&nobody, None).expect_err("no molecule").to_string();
    assert!(refused.contains("bad.par, line 2: the molecule's number is 99"), "{refused}");
    let wide = ParRecord { isotopologue: 40, ..records[0] };
    assert!(write_par(&mut Vec::new(), &[wide]).expect_err("no letter").to_string().contains("isotopologue 40"));
}

/// Measurements at several states: between temperatures, at the nearest pressure, each where it has the wavenumber.
#[test]
fn cross_sections_between_measurements() {
    let folder = tempfile::tempdir().expect("a folder");
    let block = |ends: (f64, f64), t: f64, torr: f64, value: f64| {
        let header = format!("{:>20}{:10.4}{:10.4}{:7}{t:7.2}{torr:6.1}\n", "X", ends.0, ends.1, 2);
        header + &fortran(value) + &fortran(value) + "\n"
    };
    let all = (800.0, 810.0);
    let text = [
        block(all, 200.0, 0.0, 1e-20),
        block(all, 300.0, 0.0, 3e-20),
        block(all, 300.0, 760.0, 5e-20),
        block((820.0, 830.0), 250.0, 0.0, -1e-20),
    ];
    let path = write(folder.path(), "x.xsc", &text.concat());
    let sections = CrossSections::read(&[path]).expect("four blocks");
    assert_eq!(sections.blocks().len(), 4);
    let near = |nu: f64, p: f64, t: f64, expected: f64| {
        let got = sections.at(nu, p, t);
        assert!((got - expected).abs() <= 1e-14 * expected, "{nu} {p} {t}: {got:e}");
    };
    near(805.0, 10.0, 250.0, 2e-20);
    near(805.0, 1000.0, 250.0, 3e-20);
    near(805.0, 1000.0, 300.0, 5e-20);
    near(805.0, 10.0, 150.0, 1e-20);
    near(805.0, 10.0, 350.0, 3e-20);
    // Noise below 0, and no measurement.
    near(825.0, 10.0, 250.0, 0.0);
    near(815.0, 10.0, 250.0, 0.0);
    assert!(CrossSections::read(&[] as &[PathBuf]).is_err());
    // Of 4 temperatures 2 are outside from 800 to 810 cm^-1, and 3 where there is one measurement.
    let asked = [150.0, 250.0, 280.0, 310.0];
    let held = sections.held((805.0, 808.0), &asked).expect("some are outside");
    assert_eq!((held.outside, held.all, held.measured_k), (2, 4, (200.0, 300.0)));
    let held = sections.held((790.0, 900.0), &asked).expect("some are outside");
    assert_eq!((held.outside, held.measured_k, held.range_per_cm), (3, (250.0, 250.0), (820.0, 830.0)));
    assert!(sections.held((801.0, 802.0), &[200.0, 300.0]).is_none());
}

#[test]
fn grids() {
    let grid = Grid::regular(2380.0, 2380.01, 0.001).expect("a grid");
    assert_eq!(grid.wavenumbers_per_cm()[7], 2380.0 + 7.0 / 1000.0);
    assert_eq!(grid.wavenumbers_per_cm().len(), 11);
    let refused = |grid: Result<Grid, SpectraError>| grid.expect_err("refused").to_string();
    assert!(refused(Grid::regular(10.0, 5.0, 0.1)).contains("10, the first, or more"));
    assert!(refused(Grid::regular(10.0, 15.0, 0.0)).contains("the step"));
    assert!(refused(Grid::regular(-1.0, 15.0, 0.1)).contains("the first wavenumber"));
    assert!(refused(Grid::regular(1.0, 1e6, 1e-6)).contains("points"));
    assert!(refused(Grid::of(vec![1.0, 1.0])).contains("wavenumber 2"));
    assert!(refused(Grid::of(vec![])).contains("1 or more"));
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// As Fortran's E10.3 has it.
fn fortran(value: f64) -> String {
    let text = format!("{value:.3E}");
    let (digits, exponent) = text.split_once('E').expect("an exponent");
    let exponent: i32 = exponent.parse().expect("a number");
    format!("{:>10}", format!("{digits}E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()))
}

/// Windows that overlap, of two lists: what `read_par` gives of the same range, whatever was read before, and the
/// number of lines below.
#[test]
fn windows_of_lists_have_the_records_of_their_ranges() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = |name: &str, first: f64| {
        let path = folder.path().join(name);
        let text: Vec<String> = (0..200).map(|i| good(first + 0.5 * f64::from(i))).collect();
        std::fs::write(&path, text.join("\n")).expect("a list");
        path
    };
    let paths = [list("a.par", 2000.0), list("b.par", 2030.25)];
    let mut windows = ParWindows::open(&paths, None, false).expect("lists");
    let read =
        |path, range_per_cm| read_par(path, ParOptions { range_per_cm, ..ParOptions::default() }).expect("records").0;
    let ranges =
        [(1900.0, 1950.0), (1990.0, 2040.0), (2015.0, 2040.0), (2040.0, 2050.5), (2001.0, 2031.0), (2200.0, 2300.0)];
    for (low, high) in ranges {
        let expected: Vec<ParRecord> = paths.iter().flat_map(|path| read(path, Some((low, high)))).collect();
        let window = windows.window(low, high).expect("records");
        assert_eq!(window.records, expected, "{low} to {high}");
        let all = paths.iter().flat_map(|path| read(path, None));
        let below = all.filter(|record| record.line.wavenumber_per_cm < low).count();
        assert_eq!((window.passed(2), window.passed(1)), (below, 0), "{low} to {high}");
        assert_eq!(window.of_lists.iter().sum::<usize>(), expected.len());
    }
    let mut others = ParWindows::open(&paths, Some(vec![1]), false).expect("lists");
    assert_eq!(others.window(2000.0, 2100.0).expect("records").records, []);
    // An odd line is counted once, though a lower window reads the list anew.
    let odd = [good(2000.0), record(" 21", 2000.5, "-1.00E-21", (".0700", ".0900"), 1.0)];
    let rest = (0..200).map(|i| good(2001.0 + 0.5 * f64::from(i)));
    std::fs::write(&paths[1], odd.into_iter().chain(rest).collect::<Vec<_>>().join("\n")).expect("a list");
    let mut windows = ParWindows::open(&paths[1..], None, false).expect("a list");
    let counts = [(2000.0, 2010.0), (2050.0, 2060.0), (2000.0, 2070.0)]
        .map(|(low, high)| windows.window(low, high).expect("records").odd[0].count(Odd::BadIntensity));
    assert_eq!(counts, [1, 0, 0]);
    // What is wrong is told where it stands, what lies below a window is checked, and what lies behind is not looked
    // at.
    let text = [good(2000.0), good(2001.0), good(2003.0), good(2002.0)].join("\n");
    std::fs::write(&paths[0], text).expect("a list");
    let mut windows = ParWindows::open(&paths[..1], None, false).expect("a list");
    assert_eq!(windows.window(2000.0, 2002.5).expect("records").records.len(), 2);
    let error = windows.window(2002.5, 2004.0).expect_err("out of order").to_string();
    assert!(error.contains("a.par, line 4: the position 2002 cm^-1 comes after 2003"), "{error}");
}

/// HITRANonline's tables: columns by their names, in any order, with commas, tabs and blanks; what they lack; and one
/// error with its place for what is wrong.
#[test]
fn columns_are_read_by_their_names() {
    let names = "nu,sw,molec_id,local_iso_id,elower,gamma_air,gamma_self,n_air,n_self,delta_air,y_air,remark";
    let rows = ["2000.25,1e-21,2,1,100.5,0.07,0.09,0.7,0.6,-0.001,0.02,x", "2001.5,2e-22,2,0,5,0.06,#,0.5,#,#,#,#"];
    for separator in [",", "\t", " "] {
        let text = [names, rows[0], rows[1]].join("\n").replace(',', separator);
        let records = parse(&text).expect("records");
        let [first, second] = records[..] else { panic!("two records") };
        assert_eq!((first.molecule, first.isotopologue, second.isotopologue), (2, 1, 10));
        let line = first.line;
        assert_eq!((line.wavenumber_per_cm, line.intensity, line.lower_energy_per_cm), (2000.25, 1e-21, 100.5));
        assert_eq!((line.air_width_per_cm_atm, line.self_width_per_cm_atm), (0.07, 0.09));
        assert_eq!((line.air_exponent, line.self_exponent), (0.7, 0.6));
        assert_eq!((line.air_shift_per_cm_atm, line.mixing_per_atm), (-0.001, 0.02));
        let line = second.line;
        assert_eq!((line.self_width_per_cm_atm, line.self_exponent, line.mixing_per_atm), (0.0, 0.5, 0.0));
    }
    // Without a width by air, or its exponent, as 160 columns have it: zeros.
    for (unknown, expected) in [("#,#,0.5", (0.0, 0.5)), ("0.06,#,#", (0.06, 0.0)), ("#,#,#", (0.0, 0.0))] {
        let text = [names, rows[0], &rows[1].replace("0.06,#,0.5", unknown)].join("\n");
        let line = parse(&text).expect("records")[1].line;
        assert_eq!((line.air_width_per_cm_atm, line.air_exponent), expected);
    }
    // What else would change lines is told.
    let told = |more: &str| {
        let path = std::env::temp_dir().join(format!("columns_{}.txt", std::process::id()));
        let with = |row: &str, more: &str| format!("{row},{more}");
        let value = vec!["0.1"; more.split(',').count()].join(",");
        std::fs::write(&path, [with(names, more), with(rows[0], &value)].join("\n")).expect("a file");
        let found = read_par(&path, ParOptions::default()).expect("a record").1;
        std::fs::remove_file(&path).expect("a file");
        found.sentences().concat()
    };
    let sentence = told("deltap_air,gamma_H2O,n_H2O,SD_air,gamma_air-err,global_upper_quanta");
    assert!(sentence.ends_with(": columns that are not read: deltap_air, gamma_h2o, n_h2o, sd_air"), "{sentence}");
    assert_eq!(told("ierr1,global_upper_quanta"), "");
    let refused = |text: String| parse(&text).expect_err("refused").to_string();
    for (text, what) in [
        (names.replace(",n_air", ""), "line 1: there is no column n_air"),
        (format!("{names}\n2000,1e-21,2,1"), "line 2: the record has 4 columns; the first line names 12"),
        (format!("{names}\n{}", rows[0].replace("1e-21", "#")), "line 2: sw is missing"),
        (format!("{names}\n{}", rows[0].replace("1e-21", "-1e-21")), "line 2: the intensity is -1e-21"),
        (format!("{names}\n{}", rows[1].replace(",5,", ",#,")), "line 2: the lower state's energy is -1 cm^-1"),
        (format!("{names}\n{}\n{}", rows[1], rows[0]), "line 3: the position 2000.25 cm^-1 comes after 2001.5"),
    ] {
        let message = refused(text);
        assert!(message.starts_with("list.par, ") && message.contains(what), "{message}");
    }
}
