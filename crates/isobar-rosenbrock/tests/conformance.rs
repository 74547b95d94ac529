//! Chemical kinetics: all methods with frozen and changing rate constants, failures, wanted times, both widths of
//! tables, and a large mechanism.

mod stratosphere;

use isobar_golden::{Outputs, Value, find, json, npy, same_bits_everywhere};
use isobar_launch::{Error, Queue};
use isobar_rosenbrock::launch::{Integrated, Resident};
use isobar_rosenbrock::{
    AnyTables, Cells, Compiled, Method, Negative, Network, Options, RateProgram, Rates, Reaction, outcome,
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

#[test]
fn wanted_times() {
    check(with(options(Method::Rodas3), |options| options.dense_times = vec![43_200.0, 43_201.0, 44_999.0]), |_| {});
}

#[test]
fn failures() {
    let spoil = |cells: &mut Cells| {
        cells.concentrations[3] = f64::NAN;
        cells.inputs[30] = f64::INFINITY;
        cells.concentrations[2 * cells.count + 17] = 1e300;
    };
    // Some cells need more steps than that.
    check(with(options(Method::Ros3), |options| options.max_steps = 16), spoil);
}

fn with(mut options: Options, change: impl Fn(&mut Options)) -> Options {
    change(&mut options);
    options
}

/// Cells of the stratosphere, which rates depend on temperature and sunlight.
fn check(options: Options, spoil: impl Fn(&mut Cells)) {
    let mechanism = stratosphere();
    let mut cells = cells(&mechanism, 41);
    spoil(&mut cells);
    let (compiled, program) = (mechanism.compiled().clone(), mechanism.program().clone());
    same_bits_everywhere(|queue| run(queue, &compiled, &program, &cells, &options));
}

/// Whole, and in pieces that are no multiples of a warp; each piece goes on for a second interval, with the steps of
/// the first.
fn run(
    queue: &Queue,
    mechanism: &Compiled,
    program: &RateProgram,
    cells: &Cells,
    options: &Options,
) -> Result<Outputs, Error> {
    let count = cells.count;
    // Fewer in flight than there are: lanes take the next one.
    let mut resident = Resident::new(queue, mechanism, Some(program), (cells, options), count, 32)?;
    let mut parts = Outputs::default();
    let later = INTERVAL.end..INTERVAL.end + 60.0;
    for range in [0..count, 0..count / 3, count / 3..count] {
        resident.load(queue, cells, &range)?;
        resident.compute(queue, &INTERVAL)?;
        let first = resident.outputs(queue)?;
        if options.dense_times.is_empty() {
            resident.keep_steps();
            resident.compute(queue, &later)?;
        }
        let second = resident.outputs(queue)?;
        for (when, results) in [("first", first), ("second", second)] {
            parts = add(parts, &format!("{when} interval, cells {range:?}"), &results);
        }
    }
    Ok(parts)
}

fn add(parts: Outputs, name: &str, Integrated { concentrations, outputs }: &Integrated) -> Outputs {
    assert!(outputs.status.iter().all(|&status| outcome::kpp_code(isobar_core::Status(status)) != 0), "not computed");
    parts
        .reals(&format!("concentrations, {name}"), concentrations)
        .reals(&format!("times, {name}"), &outputs.times)
        .reals(&format!("next step, {name}"), &outputs.next_step)
        .reals(&format!("wanted times, {name}"), &outputs.dense)
        .counts(&format!("counters, {name}"), &outputs.counters)
        .counts(&format!("status, {name}"), &outputs.status)
}

/// Whole, for one interval.
fn once(queue: &Queue, mechanism: &Compiled, cells: &Cells, options: &Options) -> Result<Outputs, Error> {
    let mut resident = Resident::new(queue, mechanism, None, (cells, options), cells.count, 32)?;
    resident.load(queue, cells, &(0..cells.count))?;
    resident.compute(queue, &INTERVAL)?;
    Ok(add(Outputs::default(), "all cells", &resident.outputs(queue)?))
}

#[test]
fn wide_tables() {
    // More reactions than 16 bits count.
    let reactions = (0..66_000).map(|i| {
        let (from, to) = (i % 3, (i + 1 + i % 2) % 3);
        Reaction { reactants: vec![(from, 1 + (i % 7 == 0) as u32)], net: vec![(from, -1.0), (to, 1.0)] }
    });
    let mechanism = Compiled::new(Network::new(3, 0, reactions.collect()).unwrap()).unwrap();
    assert!(matches!(mechanism.tables(), AnyTables::Wide(_)));
    let count = 3;
    let cells = Cells {
        count,
        concentrations: (0..3 * count).map(|i| 1e3 * (1.0 + i as f64)).collect(),
        rate_constants: (0..66_000 * count).map(|i| 1e-9 * (1 + i % 11) as f64).collect(),
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
    let mechanism = Compiled::new(Network::new(40, 1, reactions.collect()).unwrap()).unwrap();
    let count = 101;
    let mut cells = Cells {
        count,
        concentrations: (0..41 * count).map(|i| 1.0 + (i * 37 % 101) as f64 / 50.0).collect(),
        rate_constants: (0..120 * count).map(|i| 1e-3 * (1 + i * 53 % 211) as f64).collect(),
        ..Cells::default()
    };
    cells.concentrations[3] = f64::NAN;
    cells.concentrations[2 * count + 17] = 1e300;
    cells.rate_constants[5 * count + 64] = f64::INFINITY;
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
    let mechanism = Compiled::new(network).expect("tables");
    let count = if cfg!(debug_assertions) { 11 } else { 47 };
    let read = |name: &str| {
        let (shape, values) = npy(&folder.join(name));
        (0..shape[1])
            .flat_map(|i| (0..count).map(move |cell| (i, cell)))
            .map(|(i, cell)| values[cell * shape[1] + i])
            .collect()
    };
    let cells =
        Cells { count, concentrations: read("conc_init.npy"), rate_constants: read("rconst.npy"), ..Cells::default() };
    for method in Method::ALL {
        same_bits_everywhere(|queue| once(queue, &mechanism, &cells, &options(method)));
    }
}
