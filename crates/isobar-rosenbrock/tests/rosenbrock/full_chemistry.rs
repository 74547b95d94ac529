//! KPP's runs of GEOS-Chem's full chemistry on cells of the model: with the first step that KPP has of itself, and with
//! that of the cell, which GEOS-Chem keeps from interval to interval.

use std::path::Path;
use std::sync::Arc;

use isobar_core::Status;
use isobar_golden::Value;
use isobar_rosenbrock::{Cells, Compiled, Integrated, Method, Negative, Options, outcome};

use crate::case::{Case, cell_fastest, network};
use crate::own::integrate;
use crate::tolerances::STEP;

/// Concentrations, relative to themselves and 0.01 molecule/cm^3.
const CONCENTRATION: f64 = 1e-9;
/// The few that are further off: what is left of large terms that cancel. KPP's own two forms of the function are 7e-10
/// apart with one of the runs.
const FEW: (f64, usize) = (2e-8, 10);
/// H211b has no bounds and follows errors down to roundings, so that steps differ more (3e-5 found).
const FEW_OF_FILTER: (f64, usize) = (3e-7, 30);
const STEP_OF_FILTER: f64 = 1e-4;
const LENGTH_S: f64 = 900.0;
/// The column of the first step in `env.npy`.
const FIRST_STEP: usize = 6;

/// The mechanism and the cells of a folder below that of the reference.
fn case(folder: &str) -> Option<Case> {
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
            Some(_) => return None,
        }
        Some(options)
    }
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

/// The cells of a folder against KPP's run of them, all codes, counters, steps and concentrations, but for those of
/// cells that `skips` has.
fn compare(case: &Case, run: &str, done: &Integrated<f64>, skips: &[usize]) {
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
        // Cells that fail do so on their way to infinity.
        for i in if code == 1 { 0..species } else { 0..0 } {
            let (got, want) = (done.concentration[i * count + cell], want[cell * shape[1] + i]);
            let error = (got - want).abs() / (want.abs() + 1e-2);
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
        let done = integrate(&case.mechanism, &cells(&case, named.of_cell), &options, 0.0..LENGTH_S);
        compare(&case, &run, &done, skips);
        compared[usize::from(named.of_cell)] += 1;
    }
    Some(compared)
}

#[test]
fn cells_have_kpps_steps_and_concentrations() {
    let Some(compared) = compare_all("", &[]) else { return };
    assert_eq!(compared, [27, 15]);
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
