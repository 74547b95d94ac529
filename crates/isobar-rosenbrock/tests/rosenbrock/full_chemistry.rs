//! KPP's runs of GEOS-Chem's full chemistry on cells of the model: with the first step that KPP has of itself, and with
//! that of the cell, which GEOS-Chem keeps from interval to interval.

use std::path::Path;
use std::sync::Arc;

use isobar_core::{Real, Status};
use isobar_golden::Value;
use isobar_rosenbrock::{
    AttemptView, Cells, Chemistry, Compiled, Integrated, Method, Negative, Options, Reduction, Target, outcome,
};

use crate::case::{Case, cell_fastest, network};
use crate::own::{integrate, of_cell};
use crate::tolerances::{STEP, SUM};

/// Concentrations, relative to themselves and 0.01 molecule/cm^3.
const CONCENTRATION: f64 = 1e-9;
/// The few that are further off: what is left of large terms that cancel. KPP's own two forms of the function are 7e-10
/// apart with one of the runs.
const FEW: (f64, usize) = (2e-8, 10);
/// H211b has no bounds and follows errors down to roundings, so that steps differ more (3e-5 found).
const FEW_OF_FILTER: (f64, usize) = (3e-7, 30);
const STEP_OF_FILTER: f64 = 1e-4;
const LENGTH_S: f64 = 900.0;
/// Columns of `env.npy`: the cosine of the Sun's zenith angle, the first step, the pressure as a part of that at the
/// surface.
const COSINE: usize = 5;
const FIRST_STEP: usize = 6;
const PRESSURE: usize = 7;
/// GEOS-Chem's night begins here: the Sun is 98 degrees from the zenith.
const COSINE_OF_NIGHT: f64 = -0.139_173_1;

/// The mechanism and the cells of a folder below that of the reference.
pub(crate) fn case(folder: &str) -> Option<Case> {
    let dir = isobar_golden::find("kpp")?.join("fullchem");
    let mechanism = Arc::new(Compiled::new(network(&dir.join("mechanism"))).expect("tables"));
    Some(Case { dir: dir.join(folder), mechanism, report: Value::Null })
}

/// What the name of a run says: `<method>_<tolerances>_<start>` and more.
struct Named<'a> {
    method: Method,
    tolerances: &'a str,
    of_cell: bool,
    more: Option<&'a str>,
}

impl<'a> Named<'a> {
    /// None where the method is not one of ours.
    fn new(run: &'a str) -> Option<Self> {
        let mut parts = run.split('_');
        let method = match parts.next()? {
            "rodas31" => Method::Rodas31,
            name => Method::named(name)?,
        };
        Some(Self { method, tolerances: parts.next()?, of_cell: parts.next()? == "hc", more: parts.next() })
    }

    /// The options, or none where we do not have them.
    fn options(&self) -> Option<Options> {
        let (relative, by_species) = match self.tolerances {
            "gc" | "gcpassive" => (5e-3, true),
            "u5" => (5e-3, false),
            "r2" => (1e-2, false),
            "r3" => (1e-3, false),
            _ => return None,
        };
        let mut options = Options::new(self.method, relative, 1e-2);
        if by_species {
            options.absolute_tolerance =
                isobar_golden::npy(&isobar_golden::find("kpp")?.join("fullchem/atol_gc.npy")).1;
        }
        options.passive_tolerance = (self.tolerances == "gcpassive").then_some(1e25);
        match self.more {
            None => {}
            Some("clip") => options.negative = Negative::Clip,
            Some("max10") => options.max_steps = 10,
            Some("h211b2") => options.h211b = Some(2.0),
            Some("h211b4") => options.h211b = Some(4.0),
            Some(reduced) => options.reduction = Some(reduction(reduced.strip_prefix("ar")?)?),
        }
        Some(options)
    }
}

/// Autoreduction by the name of a run, or none where KPP's is not exact (append).
fn reduction(name: &str) -> Option<Reduction> {
    let mut all = Reduction::default();
    match name {
        "100" | "p100" => {}
        "1e4" => all.threshold = 1e4,
        "tgt" => {}
        "tgtkeep" => {
            let keep = isobar_golden::npy_integers(&isobar_golden::find("kpp")?.join("fullchem/keep_halogens.npy")).1;
            all.keep = (0..keep.len()).filter(|&species| keep[species] != 0).collect();
        }
        _ => return None,
    }
    if name.starts_with("tgt") {
        all.targets = targets();
    }
    Some(all)
}

/// GEOS-Chem's: OH by day, and NO2 by night.
fn targets() -> Vec<Target> {
    let value = isobar_golden::json(
        &isobar_golden::find("kpp").expect("it is there").join("fullchem/mechanism/mechanism.json"),
    );
    let names = value["species_kpp_order"].as_array().expect("a list");
    let species = |name: &str| names.iter().position(|one| one == name).expect("a species");
    vec![Target { species: species("OH"), ratio: 5e-5 }, Target { species: species("NO2"), ratio: 1e-4 }]
}

/// The runs of a folder, in their order.
fn runs(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let names = names.filter_map(|name| Some(name.to_str()?.strip_suffix("_istatus.npy")?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The cells of a folder, with their own first steps or none.
fn cells(case: &Case, of_cell: bool) -> Cells<f64> {
    let (start, constants) = (case.array("conc_init.npy"), case.array("rconst.npy"));
    let count = start.0[0];
    let first_step_s = if of_cell {
        let (shape, values) = case.array("env.npy");
        (0..count).map(|cell| values[cell * shape[1] + FIRST_STEP]).collect()
    } else {
        vec![0.0; count]
    };
    Cells {
        concentration: cell_fastest(&start, count),
        rate_constant: cell_fastest(&constants, count),
        first_step_s,
        ..Cells::default()
    }
}

/// What a reduction says of the cells, where its run is so.
fn with_reduction(case: &Case, run: &str, mut cells: Cells<f64>) -> Cells<f64> {
    let (shape, environment) = case.array("env.npy");
    let of = |column: usize| environment.iter().skip(column).step_by(shape[1]);
    if run.contains("_artgt") {
        cells.reduction_target = of(COSINE).map(|&cosine| f64::from(u8::from(cosine <= COSINE_OF_NIGHT))).collect();
    }
    if run.contains("_arp") {
        cells.reduction_threshold = of(PRESSURE).map(|part| 100.0 * part).collect();
    }
    cells
}

/// The same species are kept as by KPP, with the same threshold, and its matrix has as many entries; the others have
/// relaxed by the closed form. Gives the rounding of KPP's, which takes the difference of two large terms for it.
fn compare_reduction(case: &Case, run: &str, cells: &Cells<f64>, done: &Integrated<f64>) -> Vec<f64> {
    let count = done.status.len();
    let mut rounded = vec![0.0; done.concentration.len()];
    let (_, kept) = case.integers(&format!("{run}_kept.npy"));
    let (_, thresholds) = case.array(&format!("{run}_threshold.npy"));
    let (_, sizes) = case.integers(&format!("{run}_rnvar.npy"));
    let pattern = case.mechanism.pattern();
    for cell in 0..count {
        let got: Vec<u32> = done.kept.iter().skip(cell).step_by(count).copied().collect();
        let want: Vec<u32> = kept[cell * got.len()..][..got.len()].iter().map(|&kept| kept as u32).collect();
        assert_eq!(got, want, "{run} cell {cell}");
        let (got_threshold, want) = (done.threshold[cell], thresholds[cell]);
        assert!((got_threshold - want).abs() <= SUM * want, "{run} cell {cell}: {got_threshold:e} {want:e}");
        let solved = |row: usize| got[row] != 0;
        let in_row = |row: usize| pattern.column[pattern.row_start[row]..pattern.row_start[row + 1]].iter();
        let rows = || (0..pattern.rows()).filter(|&row| solved(row));
        let entries: usize = rows().map(|row| in_row(row).filter(|&&column| solved(column)).count()).sum();
        assert_eq!([rows().count() as i32, entries as i32], sizes[2 * cell..2 * cell + 2], "{run} cell {cell}");
        let start = of_cell(&cells.concentration, count, cell);
        let [production, loss] = gross(case, &start, &of_cell(&cells.rate_constant, count, cell));
        for species in (0..got.len()).filter(|&species| !solved(species)) {
            let (start, end) = (start[species], done.concentration[species * count + cell]);
            let (frequency, steady) = (loss[species] / start, production[species] * start / loss[species]);
            let relaxes = frequency > 1e-30 && start > 1e-30;
            let want = if relaxes { start - (steady - start) * Real::exp_m1(-frequency * LENGTH_S) } else { start };
            let scale = if relaxes { start + production[species] / frequency.max(1.0 / LENGTH_S) } else { start.abs() };
            assert!((end - want).abs() <= SUM * scale, "{run} cell {cell} species {species}: {end:e} {want:e}");
            rounded[species * count + cell] = if relaxes { 4.0 * f64::EPSILON * steady.abs() } else { 0.0 };
        }
    }
    rounded
}

/// Production and loss of each species by all reactions.
fn gross(case: &Case, concentrations: &[f64], rate_constants: &[f64]) -> [Vec<f64>; 2] {
    let network = case.mechanism.network();
    let rates = case.mechanism.evaluate(concentrations, rate_constants).expect("a state").rates;
    let mut both = [vec![0.0; network.variable()], vec![0.0; network.variable()]];
    for (reaction, rate) in network.reactions().iter().zip(rates) {
        for &(species, power) in reaction.reactants.iter().filter(|&&(species, _)| species < network.variable()) {
            both[1][species] += f64::from(power) * rate;
            // What is on both sides is made, too.
            both[0][species] += f64::from(power) * rate;
        }
        for &(species, factor) in reaction.net.iter().filter(|&&(species, _)| species < network.variable()) {
            both[0][species] += factor * rate;
        }
    }
    both
}

/// The cells of a folder against KPP's run of them, all codes, counters, steps and concentrations, but for those of
/// cells that `skips` has. KPP's concentrations are rounded to `rounded`, or better.
fn compare(case: &Case, run: &str, done: &Integrated<f64>, skips: &[usize], rounded: &[f64]) {
    let (count, species) = (done.status.len(), case.mechanism.network().variable());
    let (shape, want) = case.array(&format!("{run}_conc.npy"));
    let (_, counters) = case.integers(&format!("{run}_istatus.npy"));
    let (_, times) = case.array(&format!("{run}_rstatus.npy"));
    let (_, codes) = case.integers(&format!("{run}_ierr.npy"));
    let (few, step) = if run.contains("h211b") { (FEW_OF_FILTER, STEP_OF_FILTER) } else { (FEW, STEP) };
    let (mut worst, mut beyond) = (0.0_f64, 0);
    for cell in (0..count).filter(|cell| !skips.contains(cell)) {
        let got: Vec<i32> = (0..8).map(|i| done.counters[i * count + cell] as i32).collect();
        assert_eq!(got, counters[8 * cell..8 * cell + 8], "{run} cell {cell}");
        let code = outcome::kpp_code(Status(done.status[cell]));
        assert_eq!(code, codes[cell], "{run}: {}", done.describe(cell));
        // A cell that fails has its last accepted state; but where steps become too small, on its way to infinity.
        for i in if code == -7 { 0..0 } else { 0..species } {
            let (got, want) = (done.concentration[i * count + cell], want[cell * shape[1] + i]);
            let rounding = rounded.get(i * count + cell).copied().unwrap_or(0.0);
            let error = ((got - want).abs() - rounding).max(0.0) / (want.abs() + 1e-2);
            assert!(error <= few.0, "{run} cell {cell} species {i}: {got} {want}, {error:e}");
            beyond += usize::from(error > CONCENTRATION);
            worst = worst.max(error);
        }
        let steps = if code == 1 { 3 } else { 1 };
        for (i, got) in [&done.time_reached_s, &done.last_step_s, &done.next_step_s].into_iter().take(steps).enumerate()
        {
            let (got, want) = (got[cell], times[3 * cell + i]);
            assert!((got - want).abs() <= step * want, "{run} cell {cell} time {i}: {got} {want}");
        }
    }
    println!("{run}: {count} cells within {worst:.1e}, {beyond} concentrations beyond {CONCENTRATION:e}");
    assert!(beyond <= few.1, "{run}: {beyond}");
}

/// Compares all runs of a folder whose options we have, and counts those without and with the cells' own first steps.
fn compare_all(folder: &str, skips: &[usize]) -> Option<[usize; 2]> {
    let case = case(folder)?;
    let mut compared = [0, 0];
    for run in runs(&case.dir) {
        let Some(named) = Named::new(&run) else { continue };
        let Some(options) = named.options() else { continue };
        let cells = with_reduction(&case, &run, cells(&case, named.of_cell));
        let done = integrate(&case.mechanism, &cells, &options, 0.0..LENGTH_S);
        let reduced = options.reduction.is_some();
        let rounded = if reduced { compare_reduction(&case, &run, &cells, &done) } else { vec![] };
        compare(&case, &run, &done, skips, &rounded);
        compared[usize::from(named.of_cell)] += 1;
    }
    Some(compared)
}

#[test]
fn cells_have_kpps_steps_and_concentrations() {
    let Some(compared) = compare_all("", &[]) else { return };
    assert_eq!(compared, [34, 20]);
}

/// Attempts of cells, shown one by one, are those of KPP's traces and end with the kernel's bits; the mean square of
/// species' errors is that of the attempt.
#[test]
fn attempts_are_those_of_kpps_traces() {
    let Some(case) = case("") else { return };
    for run in ["rodas3_gc_h0", "rodas31_gc_hc", "rodas31_u5_h0_h211b2"] {
        let (shape, rows) = case.array(&format!("trace/{run}.npy"));
        let named = Named::new(run).expect("a method");
        let options = named.options().expect("options");
        let cells = cells(&case, named.of_cell);
        let whole = integrate(&case.mechanism, &cells, &options, 0.0..LENGTH_S);
        let (count, mut row) = (whole.status.len(), 0);
        let chemistry = Chemistry::new(case.mechanism.clone(), None);
        for cell in 0..count {
            let one = Cells {
                concentration: of_cell(&cells.concentration, count, cell),
                rate_constant: of_cell(&cells.rate_constant, count, cell),
                first_step_s: vec![cells.first_step_s[cell]],
                ..Cells::default()
            };
            let mut accepted = 0;
            let see = |attempt: &AttemptView<'_>| {
                let want = &rows[row * shape[1]..][..3];
                row += 1;
                // KPP's time is a sum of steps; H follows a root of the error.
                assert!((attempt.time_s - want[0]).abs() <= STEP_OF_FILTER * want[0], "{run} cell {cell}");
                assert!((attempt.step_s - want[1]).abs() <= STEP_OF_FILTER * want[1], "{run} cell {cell}");
                let mean = attempt.errors.iter().map(|error| error * error).sum::<f64>() / attempt.errors.len() as f64;
                assert!((mean.sqrt().max(1e-10) - attempt.error.max(1e-10)).abs() <= SUM * attempt.error.max(1e-10));
                assert!((attempt.error - want[2]).abs() <= 1e-3 * want[2] + 1e-10, "{run} cell {cell}");
                assert_eq!(attempt.accepted, attempt.error <= 1.0);
                accepted += u32::from(attempt.accepted);
            };
            let done = chemistry.trace(&one, &options.over(0.0..LENGTH_S), see).expect("a cell");
            assert_eq!(done.counters[3], accepted);
            assert_eq!(done.concentration, of_cell(&whole.concentration, count, cell), "{run} cell {cell}");
            assert_eq!(done.counters, of_cell(&whole.counters, count, cell), "{run} cell {cell}");
        }
        assert_eq!(row, shape[0], "{run}");
    }
}

/// With append, what has become fast is solved for: the kept species are a superset, and the mean error against the
/// reference is no larger. The matrix is that of the kept species, which KPP's is not: its worst cell takes 34 steps.
#[test]
fn append_solves_for_what_becomes_fast() {
    let Some(case) = case("") else { return };
    let (_, reference) = case.array("reference_conc.npy");
    for run in ["rodas3_gc_h0_ar100", "rodas3_gc_hc_ar100", "rodas3_gc_hc_artgt"] {
        let named = Named::new(run).expect("a method");
        let mut options = named.options().expect("options");
        let cells_of_all = cells(&case, named.of_cell);
        let cells = with_reduction(&case, run, cells_of_all.clone());
        let without = integrate(&case.mechanism, &cells, &options, 0.0..LENGTH_S);
        let reduction = options.reduction.take();
        let whole = integrate(&case.mechanism, &cells_of_all, &options, 0.0..LENGTH_S);
        options.reduction = reduction.map(|reduction| Reduction { append: true, ..reduction });
        let with = integrate(&case.mechanism, &cells, &options, 0.0..LENGTH_S);
        assert!(with.failures().count() == 0);
        assert!(with.kept.iter().zip(&without.kept).all(|(with, without)| with >= without), "{run}");
        let (count, species) = (with.status.len(), case.mechanism.network().variable());
        let joined = with.kept.iter().zip(&without.kept).filter(|(with, without)| with > without).count();
        let error = |done: &Integrated<f64>| {
            let of_cell = |cell: usize| {
                let one = |i: usize| {
                    let (got, want) = (done.concentration[i * count + cell], reference[cell * species + i]);
                    Real::powi((got - want) / (want.abs() + 1e4), 2)
                };
                ((0..species).map(one).sum::<f64>() / species as f64).sqrt()
            };
            (0..count).map(of_cell).sum::<f64>() / count as f64
        };
        let most_steps = |done: &Integrated<f64>| done.counters[2 * count..3 * count].iter().copied().max();
        let [exact, before, after] = [&whole, &without, &with].map(error);
        for done in [&whole, &without, &with] {
            let steps = done.counters[2 * count..3 * count].iter().sum::<u32>();
            let kept = done.kept.iter().sum::<u32>();
            println!("{run}: {kept} kept and {steps} steps in {count} cells, mean error {:.2e}", error(done));
        }
        assert!(joined > 40 && after < 0.97 * before && exact < 0.8 * after, "{run}: {exact:e} {before:e} {after:e}");
        assert!(most_steps(&with) <= most_steps(&without), "{run}");
    }
}

/// Cells with a negative concentration of what reacts with itself end as KPP's do, with the same reason.
#[test]
fn hard_cells_end_as_kpps_do() {
    // KPP takes a NaN for a success of no length, and then for a step too small.
    const NAN: usize = 13;
    let Some(compared) = compare_all("hard", &[NAN]) else { return };
    assert_eq!(compared, [7, 1]);
    let case = case("hard").expect("the reference");
    let done =
        integrate(&case.mechanism, &cells(&case, false), &Options::new(Method::Rodas3, 5e-3, 1e-2), 0.0..LENGTH_S);
    assert!(done.describe(NAN).contains("not a finite number (KPP's code -9) at step 0"), "{}", done.describe(NAN));
    assert!(done.describe(10).contains("step too small (KPP's code -7)"), "{}", done.describe(10));
}
