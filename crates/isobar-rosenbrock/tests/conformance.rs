//! Chemical kinetics: all methods with frozen and changing rate constants, failures, wanted times, both widths of
//! tables, and a large mechanism.

mod stratosphere;

use std::sync::Arc;

use isobar_core::Status;
use isobar_golden::{Outputs, Value, find, json, npy, same_bits_everywhere};
use isobar_launch::{Error, Queue};
use isobar_rosenbrock::{
    AnyTables, BadItems, Cells, Chemistry, Compiled, Integrated, Method, Model, Negative, Network, Options,
    RateProgram, Rates, Reaction, Reduction, RunError, Target, outcome,
};

use stratosphere::{cells, options, stratosphere};

/// Half an hour.
const INTERVAL: std::ops::Range<f64> = 43_200.0..45_000.0;

#[test]
fn frozen_rates() {
    for method in Method::ALL {
        check(options(method), |_| {});
    }
}

#[test]
fn changing_rates() {
    for (method, rates, autonomous) in [
        (Method::Ros2, Rates::Step, true),
        (Method::Ros3, Rates::Stage, false),
        (Method::Ros4, Rates::Stage, true),
        (Method::Rodas3, Rates::Stage, false),
        (Method::Rodas4, Rates::Frozen, false),
    ] {
        let choose = |mut options: Options| {
            (options.rates, options.autonomous, options.negative) = (rates, autonomous, Negative::Clip);
            options
        };
        check(choose(options(method)), |_| {});
    }
}

/// Rates that read one species, a few and long sums, one in another, with the time and an input: the Jacobian has their
/// derivatives, and rows for the sums.
#[test]
fn rates_that_read_concentrations() {
    let sum = (0..7).map(|i| format!("C(ind_S{i})")).collect::<Vec<_>>().join(" + ");
    let mut text = String::from("#DEFVAR P; Q;");
    (0..7).for_each(|i| text += &format!(" S{i};"));
    text += &format!("\n#INLINE F90_RCONST\nRO2 = {sum}\nMORE = RO2 + C(ind_P)\n#ENDINLINE\n#EQUATIONS\n");
    for i in 0..7 {
        text += &format!("S{i} + Q = S{} + P : 1.0E-3*RO2*EXP(-{i}.0/TEMP);\n", (i + 2) % 7);
        text += &format!("S{i} = P : 1.0E-4*SQRT(MORE)*SIN(1.0E-3*TIME) + 1.0E-4*C(ind_Q)**1.5;\n");
    }
    text += "P = Q : MIN(1.0E-3*C(ind_P), 0.1)/(1.0 + C(ind_S1));\n";
    let mechanism = isobar_kpp::Reader::new().read_text("sums.kpp", &text).unwrap_or_else(|error| panic!("{error}"));
    let (count, species) = (41, mechanism.species().len());
    let cells = Cells {
        concentration: (0..species * count).map(|i| (1 + i * 37 % 101) as f64 / 50.0).collect(),
        rate_input: (0..count).map(|cell| 200.0 + cell as f64).collect(),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    };
    for (method, autonomous) in [(Method::Ros2, true), (Method::Ros4, false), (Method::Rodas3, true)] {
        let mut options = Options::new(method, 1e-4, 1e-6);
        (options.rates, options.autonomous) = (Rates::Stage, autonomous);
        // Slopes are in extents, too.
        options.counted_reactions = vec![13, 1, 2];
        same_bits_everywhere(|queue| run(queue, mechanism.compiled(), mechanism.program(), &cells, &options));
    }
}

/// The digital filter, with rejections, and species that are not in the mean error.
#[test]
fn other_step_control() {
    for (method, b, k) in [(Method::Ros3, 2.0, None), (Method::Rodas31, 4.0, Some(4.0))] {
        let choose = |options: &mut Options| {
            (options.h211b, options.h211b_order) = (Some(b), k);
            options.first_step_s = 100.0;
            options.absolute_tolerance = vec![1.0; stratosphere().variable()];
            options.absolute_tolerance[1] = 1e25;
            options.passive_tolerance = Some(1e25);
        };
        check(with(options(method), choose), |_| {});
    }
}

/// Species that are left out, by thresholds of cells and by targets, with frozen and changing rate constants.
#[test]
fn reductions() {
    for (method, rates, autonomous, append) in [
        (Method::Rodas3, Rates::Frozen, true, false),
        (Method::Ros3, Rates::Stage, false, true),
        (Method::Rang3, Rates::Step, true, true),
    ] {
        let choose = |options: &mut Options| {
            (options.rates, options.autonomous) = (rates, autonomous);
            let targets = vec![Target { species: 1, ratio: 1e-3 }, Target { species: 4, ratio: 0.1 }];
            options.reduction = Some(Reduction { targets, keep: vec![2], append, ..Reduction::default() });
        };
        let of_cells = |cells: &mut Cells<f64>| {
            let count = cells.first_step_s.len();
            cells.reduction_threshold = (0..count).map(|cell| [0.0, 1e3, 1e5, 1e7][cell % 4]).collect();
            cells.reduction_target = (0..count).map(|cell| (cell / 4 % 2) as f64).collect();
            cells.concentration[3] = f64::NAN;
        };
        check(with(options(method), choose), of_cells);
    }
}

#[test]
fn wanted_times() {
    check(with(options(Method::Rodas3), |options| options.wanted_times_s = vec![43_200.0, 43_201.0, 44_999.0]), |_| {});
}

/// Extents of reactions, some of them, in another order.
#[test]
fn extents() {
    let count = |options: &mut Options| options.counted_reactions = vec![5, 0, 17, 3];
    for method in [Method::Ros2, Method::Rodas4] {
        check(with(options(method), count), |_| {});
        let changing = |options: &mut Options| {
            count(options);
            (options.rates, options.autonomous) = (Rates::Stage, false);
        };
        check(with(options(method), changing), |_| {});
    }
}

#[test]
fn failures() {
    let spoil = |cells: &mut Cells<f64>| {
        let count = cells.first_step_s.len();
        cells.concentration[3] = f64::NAN;
        cells.rate_input[30] = f64::INFINITY;
        cells.concentration[2 * count + 17] = 1e300;
    };
    // Some cells need more steps than that.
    check(with(options(Method::Ros3), |options| options.max_steps = 16), spoil);
}

fn with(mut options: Options, change: impl Fn(&mut Options)) -> Options {
    change(&mut options);
    options
}

/// Cells of the stratosphere, which rates depend on temperature and sunlight.
fn check(options: Options, spoil: impl Fn(&mut Cells<f64>)) {
    let mechanism = stratosphere();
    let mut cells = cells(&mechanism, 41);
    spoil(&mut cells);
    same_bits_everywhere(|queue| run(queue, mechanism.compiled(), mechanism.program(), &cells, &options));
}

/// A mechanism on the device of a queue, with fewer cells in flight than there are: lanes take the next one.
fn model(queue: &Queue, mechanism: &Arc<Compiled>, program: Option<&Arc<RateProgram>>) -> Model<Chemistry> {
    let chemistry = Chemistry::new(mechanism.clone(), program.cloned()).cells_in_flight(32);
    chemistry.on(&[queue.device()]).bad_items(BadItems::Compute)
}

/// Errors other than a device's are mistakes of the test.
fn device_error(error: RunError) -> Error {
    match error {
        RunError::Device(error) | RunError::Interrupted { source: error, .. } => error,
        other => panic!("{other}"),
    }
}

/// In chunks that are no multiples of a warp; and on the device for two intervals, the second with the steps of the
/// first.
fn run(
    queue: &Queue,
    mechanism: &Arc<Compiled>,
    program: &Arc<RateProgram>,
    cells: &Cells<f64>,
    options: &Options,
) -> Result<Outputs, Error> {
    let interval = options.over(INTERVAL);
    let chunks = model(queue, mechanism, Some(program)).items_per_chunk(17);
    let mut parts = add(Outputs::default(), "chunks", &chunks.run(cells, &interval).map_err(device_error)?);
    let model = model(queue, mechanism, Some(program));
    let mut resident = model.resident(cells, &interval).map_err(device_error)?;
    let mut done = Integrated::default();
    resident.compute(&interval)?;
    resident.results_into(&mut done)?;
    parts = add(parts, "first interval", &done);
    if options.wanted_times_s.is_empty() {
        resident.advance()?;
        resident.compute(&options.over(INTERVAL.end..INTERVAL.end + 60.0))?;
        resident.results_into(&mut done)?;
        parts = add(parts, "second interval", &done);
    }
    Ok(parts)
}

fn add(parts: Outputs, name: &str, done: &Integrated<f64>) -> Outputs {
    assert!(done.status.iter().all(|&status| outcome::kpp_code(Status(status)) != 0), "not computed");
    parts
        .reals(&format!("concentrations, {name}"), &done.concentration)
        .reals(&format!("times, {name}"), &done.time_reached_s)
        .reals(&format!("last steps, {name}"), &done.last_step_s)
        .reals(&format!("next steps, {name}"), &done.next_step_s)
        .reals(&format!("first steps, {name}"), &done.first_step_s)
        .reals(&format!("wanted times, {name}"), &done.wanted_concentration)
        .reals(&format!("extents, {name}"), &done.extent_of_reaction)
        .counts(&format!("counters, {name}"), &done.counters)
        .counts(&format!("status, {name}"), &done.status)
        .counts(&format!("kept, {name}"), &done.kept)
        .reals(&format!("thresholds, {name}"), &done.threshold)
}

/// Whole, for one interval.
fn once(queue: &Queue, mechanism: &Arc<Compiled>, cells: &Cells<f64>, options: &Options) -> Result<Outputs, Error> {
    let done = model(queue, mechanism, None).run(cells, &options.over(INTERVAL)).map_err(device_error)?;
    Ok(add(Outputs::default(), "all cells", &done))
}

#[test]
fn wide_tables() {
    // More reactions than 16 bits count.
    let reactions = (0..66_000).map(|i| {
        let (from, to) = (i % 3, (i + 1 + i % 2) % 3);
        Reaction { reactants: vec![(from, 1 + (i % 7 == 0) as u32)], net: vec![(from, -1.0), (to, 1.0)] }
    });
    let mechanism = Arc::new(Compiled::new(Network::new(3, 0, reactions.collect()).unwrap()).unwrap());
    assert!(matches!(mechanism.tables(), AnyTables::Wide(_)));
    let count = 3;
    let cells = Cells {
        concentration: (0..3 * count).map(|i| 1e3 * (1.0 + i as f64)).collect(),
        rate_constant: (0..66_000 * count).map(|i| 1e-9 * (1 + i % 11) as f64).collect(),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    };
    // A step is enough, for one takes long.
    let options = with(options(Method::Ros2), |options| options.max_steps = 1);
    same_bits_everywhere(|queue| once(queue, &mechanism, &cells, &options));
}

/// A ring of 40 species, of which a GPU's warps compute the cells together, with failures among them.
#[test]
fn cells_of_warps() {
    let next = |i: usize, by: usize| (i + by) % 40;
    let reactions = (0..120).map(|i| {
        let (a, b) = (i % 40, next(3 * i, 7));
        match i % 4 {
            0 => Reaction { reactants: vec![(a, 1)], net: vec![(a, -1.0), (next(a, 1), 1.0)] },
            1 if a != b => Reaction { reactants: vec![(a, 1), (b, 1)], net: vec![(a, -1.0), (next(b, 1), 0.3)] },
            2 => Reaction { reactants: vec![(a, 2), (40, 1)], net: vec![(a, -2.0), (next(a, 5), 2.0)] },
            _ => Reaction { reactants: vec![(a, 1), (40, 2)], net: vec![(a, -1.0), (next(a, 11), 1.0)] },
        }
    });
    let mechanism = Arc::new(Compiled::new(Network::new(40, 1, reactions.collect()).unwrap()).unwrap());
    let count = 101;
    let mut cells = Cells {
        concentration: (0..41 * count).map(|i| 1.0 + (i * 37 % 101) as f64 / 50.0).collect(),
        rate_constant: (0..120 * count).map(|i| 1e-3 * (1 + i * 53 % 211) as f64).collect(),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    };
    cells.concentration[3] = f64::NAN;
    cells.concentration[2 * count + 17] = 1e300;
    cells.rate_constant[5 * count + 64] = f64::INFINITY;
    for method in Method::ALL {
        let most = with(options(method), |options| options.max_steps = 40);
        assert!(mechanism.schedule(&most).is_some(), "it has rounds");
        same_bits_everywhere(|queue| once(queue, &mechanism, &cells, &most));
    }
}

#[test]
fn large_mechanism() {
    let Some(folder) = find("kpp").map(|folder| folder.join("mecca_mim1")) else { return };
    let value = json(&folder.join("mechanism.json"));
    let index = |value: &Value| value.as_u64().expect("an index") as usize;
    let pairs = |list: &Value| -> Vec<(usize, f64)> {
        let pair = |x: &Value| (index(&x[0]), x[1].as_f64().expect("a number"));
        list.as_array().expect("a list").iter().map(pair).collect()
    };
    let reaction = |reaction: &Value| Reaction {
        reactants: pairs(&reaction["reactants"]).into_iter().map(|(species, power)| (species, power as u32)).collect(),
        net: pairs(&reaction["net"]),
    };
    let reactions = value["reactions"].as_array().expect("a list").iter().map(reaction).collect();
    let network = Network::new(index(&value["nvar"]), index(&value["nfix"]), reactions).expect("a network");
    let mechanism = Arc::new(Compiled::new(network).expect("tables"));
    let count = if cfg!(debug_assertions) { 11 } else { 47 };
    let read = |name: &str| {
        let (shape, values) = npy(&folder.join(name));
        (0..shape[1])
            .flat_map(|i| (0..count).map(move |cell| (i, cell)))
            .map(|(i, cell)| values[cell * shape[1] + i])
            .collect()
    };
    let cells = Cells {
        concentration: read("conc_init.npy"),
        rate_constant: read("rconst.npy"),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    };
    for method in Method::ALL {
        same_bits_everywhere(|queue| once(queue, &mechanism, &cells, &options(method)));
    }
    let reduced = with(options(Method::Rodas3), |options| options.reduction = Some(Reduction::default()));
    same_bits_everywhere(|queue| once(queue, &mechanism, &cells, &reduced));
}
