//! What is refused, and in which words; files of cells.

use isobar_rosenbrock::{
    CellFile, Cells, Chemistry, Device, Method, Network, Options, Rates, Reaction, Reduction, Target,
};

use crate::own::{cells, end, integrate, mechanism};

fn refusal(change: impl FnOnce(&mut Cells<f64>, &mut Options)) -> String {
    let (mut cells, mut options) = (cells(3), Options::default());
    change(&mut cells, &mut options);
    let model = Chemistry::new(mechanism(), None).on(&[Device::Thread]);
    model.run(&cells, &options.over(0.0..10.0)).expect_err("this is not valid").to_string()
}

#[test]
fn each_mistake_has_one_message() {
    type Change = fn(&mut Cells<f64>, &mut Options);
    let cases: [(&str, Change); 27] = [
        ("a batch needs at least one cell, and a first step for each", |c, _| c.first_step_s.clear()),
        ("concentration has 14 values instead of 15 = 5 species x 3 cells", |c, _| c.concentration.truncate(14)),
        ("rate_constant has 0 values instead of 15 = 5 reactions x 3 cells", |c, _| c.rate_constant.clear()),
        ("concentration has 15 values instead of 16 = 4 species x 4 cells", |c, _| c.first_step_s.push(1.0)),
        ("concentration at cell 2, species 1 is -5, which is not in [-1, inf)", |c, _| c.concentration[5] = -5.0),
        ("concentration at cell 0, species 4 is -0.5, which is not in [0, inf)", |c, _| c.concentration[12] = -0.5),
        ("first_step_s at cell 1 is -1, which is not in [0, inf) s", |c, _| c.first_step_s[1] = -1.0),
        ("rate_constant at cell 0, reaction 3 is NaN, which is not a finite number", |c, _| {
            c.rate_constant[9] = f64::NAN;
        }),
        ("the absolute tolerance of species 0 is 0, which is not a positive finite number", |_, o| {
            o.absolute_tolerance[0] = 0.0;
        }),
        ("the relative tolerance of species 0 is 1, which is not in (2.2e-15, 1)", |_, o| {
            o.relative_tolerance[0] = 1.0
        }),
        ("2 values of the relative tolerance for 4 variable species", |_, o| o.relative_tolerance.push(0.1)),
        ("no step is allowed", |_, o| o.max_steps = 0),
        ("the smallest step is -1, which is not at least 0", |_, o| o.min_step_s = -1.0),
        ("the longest step is 0, which is not positive", |_, o| o.max_step_s = Some(0.0)),
        ("the factor after rejections is 1, which is not in (0, 1)", |_, o| o.rejected_factor = 1.0),
        ("the b of H211b is -2, which is not positive", |_, o| o.h211b = Some(-2.0)),
        ("the order of H211b is 0, which is not positive", |_, o| (o.h211b, o.h211b_order) = (Some(2.0), Some(0.0))),
        ("all species have an absolute tolerance of 1e0 or more: all are passive", |_, o| {
            o.passive_tolerance = Some(1.0);
        }),
        ("the wanted times do not rise: 2 s, then 2 s", |_, o| o.wanted_times_s = vec![1.0, 2.0, 2.0]),
        ("the wanted time 11 s is not in [0, 10] s", |_, o| o.wanted_times_s = vec![11.0]),
        ("the threshold of the reduction is 0, which is not positive", |_, o| {
            o.reduction = Some(Reduction { threshold: 0.0, ..Reduction::default() });
        }),
        ("the ratio of target species 1 is -1, which is not positive", |_, o| {
            let targets = vec![Target { species: 1, ratio: -1.0 }];
            o.reduction = Some(Reduction { targets, ..Reduction::default() });
        }),
        ("the reduction names species 4, but 4 species change", |_, o| {
            o.reduction = Some(Reduction { keep: vec![4], ..Reduction::default() });
        }),
        ("times are wanted, at which species that a reduction leaves out are not known", |_, o| {
            (o.reduction, o.wanted_times_s) = (Some(Reduction::default()), vec![1.0]);
        }),
        ("cells have a threshold or a target of a reduction, but the options have no reduction", |c, _| {
            c.reduction_threshold = vec![1.0; 3];
        }),
        ("reduction_target at cell 1 is 1, which is not in [0, 0]", |c, o| {
            c.reduction_target = vec![0.0, 1.0, 0.0];
            let targets = vec![Target { species: 1, ratio: 1.0 }];
            o.reduction = Some(Reduction { targets, ..Reduction::default() });
        }),
        ("rate constants are given, so they cannot change within the interval", |_, o| o.rates = Rates::Stage),
    ];
    for (words, change) in cases {
        assert_eq!(refusal(change), words);
    }
}

/// KPP's options 12 to 14 of both kinds.
#[test]
fn kpps_options_of_autoreduction() {
    let given = |icntrl: [i32; 3], rcntrl: [f64; 3]| {
        let whole = [&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &icntrl].concat();
        let real = [&[0.0; 11][..], &rcntrl].concat();
        Options::default().with_icntrl(&whole).expect("options").with_rcntrl(&real).reduction
    };
    assert_eq!(given([0, 1, 5], [50.0, 0.0, 1e-4]), None);
    assert_eq!(given([1, 0, 0], [0.0; 3]), Some(Reduction::default()));
    let append = Reduction { threshold: 50.0, append: true, ..Reduction::default() };
    assert_eq!(given([1, 1, 0], [50.0, 0.0, 1e-4]), Some(append));
    // KPP counts species from 1 on; what is not positive is not given.
    let targets = vec![Target { species: 4, ratio: 1e-4 }];
    assert_eq!(given([1, 0, 5], [-1.0, 0.0, 1e-4]), Some(Reduction { targets, ..Reduction::default() }));
    let negative = Options::default().with_icntrl(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, -2]);
    assert_eq!(negative.unwrap_err().to_string(), "icntrl(14), the target species, is -2, less than 0");
}

#[test]
fn cells_may_start_below_zero_where_that_is_wanted() {
    let refused = |change: fn(&mut Cells<f64>)| {
        refusal(|cells, options| {
            options.negative_start = true;
            change(cells);
        })
    };
    let words = "concentration at cell 2, species 1 is NaN, which is not a finite number";
    assert_eq!(refused(|cells| cells.concentration[5] = f64::NAN), words);
    let words = "concentration at cell 0, species 4 is -0.5, which is not in [0, inf)";
    assert_eq!(refused(|cells| cells.concentration[12] = -0.5), words);
    let (mut cells, mut options) = (cells(3), Options::default());
    options.negative_start = true;
    cells.concentration[5] = -5.0;
    let model = Chemistry::new(mechanism(), None).on(&[Device::Thread]);
    assert!(model.run(&cells, &options.over(0.0..1e-3)).expect("a run").concentration[5] < -4.0);
}

#[test]
fn networks_are_checked() {
    let reaction = |species, power, factor| Reaction { reactants: vec![(species, power)], net: vec![(0, factor)] };
    let refusal =
        |variable, reactions| Network::new(variable, 0, reactions).expect_err("this is not valid").to_string();
    assert_eq!(refusal(0, vec![reaction(0, 1, 1.0)]), "a mechanism without variable species");
    assert_eq!(refusal(1, vec![]), "a mechanism without reactions");
    assert_eq!(refusal(1, vec![reaction(1, 1, 1.0)]), "reaction 0 has species 1, but there are 1");
    assert_eq!(refusal(1, vec![reaction(0, 0, 1.0)]), "reaction 0 has a reactant to the power of 0");
    let steep = "reaction 1 is of the order 101; orders up to 100 are accepted";
    assert_eq!(refusal(1, vec![reaction(0, 100, 1.0), reaction(0, 101, 1.0)]), steep);
    assert_eq!(refusal(1, vec![reaction(0, 1, f64::NAN)]), "reaction 0 has the coefficient NaN");
}

#[test]
fn a_failed_cell_goes_on_from_its_file() {
    let mut options = Options::new(Method::Rodas3, 1e-6, 1e-8);
    options.max_steps = 12;
    let all = cells(3);
    let done = integrate(&mechanism(), &all, &options, 0.0..50.0);
    assert_eq!(done.failures().count(), 3);
    let mut file = CellFile::new("robertson", (&all, &done), 1, &options.over(0.0..50.0), vec![]);
    file.names.species = ["A", "B", "C"].map(str::to_owned).to_vec();
    assert_eq!((file.outcome.as_str(), file.steps), ("too many steps", 13));
    assert_eq!(file.left_s, 50.0 - file.time_s);
    assert!(file.time_s > 0.0 && file.time_s < 50.0 && file.step_s > 0.0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cell.json");
    file.write(&path).expect("a file");
    let read = CellFile::read(&path).expect("the file");
    assert_eq!(read, file);
    options.max_steps = 10_000;
    let rest = integrate(&mechanism(), &read.cells(), &options, read.time_s..read.end_s);
    let whole = integrate(&mechanism(), &all, &options, 0.0..50.0);
    // Steps are equal; the time itself is rounded where it goes on.
    assert!(end(&rest, 0).iter().zip(end(&whole, 1)).all(|(a, b)| (a - b).abs() < 1e-9));
    std::fs::write(&path, "{\"format\": \"isobar cell 1\"}").expect("a file");
    let error = CellFile::read(&path).expect_err("nothing in it").to_string();
    assert!(error.ends_with("cell.json: `mechanism` is missing, or is not what it should be"), "{error}");
}
