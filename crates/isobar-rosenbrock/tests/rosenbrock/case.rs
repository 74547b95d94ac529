//! Mechanisms and cells of the reference data.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use isobar_golden::{Value, json, npy, npy_integers};
use isobar_rosenbrock::{Cells, Compiled, Method, Negative, Network, Options, Reaction};

/// A mechanism of the reference with its folder.
pub(crate) struct Case {
    pub(crate) dir: PathBuf,
    pub(crate) mechanism: Arc<Compiled>,
    pub(crate) report: Value,
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

/// The network that `mechanism.json` lists, whose reactions have species by their numbers or by name.
pub(crate) fn network(dir: &Path) -> Network {
    let value = json(&dir.join("mechanism.json"));
    let names: HashMap<&str, usize> = value["species_kpp_order"]
        .as_array()
        .expect("a list")
        .iter()
        .enumerate()
        .map(|(i, name)| (name.as_str().expect("a name"), i))
        .collect();
    let pairs = |list: &Value| -> Vec<(usize, f64)> {
        let species = |x: &Value| x.as_str().map_or_else(|| index(x), |name| names[name]);
        let pair = |x: &Value| (species(&x[0]), x[1].as_f64().expect("a number"));
        list.as_array().expect("a list").iter().map(pair).collect()
    };
    let reaction = |reaction: &Value| Reaction {
        reactants: pairs(&reaction["reactants"]).into_iter().map(|(species, power)| (species, power as u32)).collect(),
        net: pairs(&reaction["net"]),
    };
    let reactions = value["reactions"].as_array().expect("a list").iter().map(reaction).collect();
    let (variable, fixed) = match &value["counts"] {
        Value::Object(counts) => (index(&counts["variable"]), index(&counts["fixed"])),
        _ => (index(&value["nvar"]), index(&value["nfix"])),
    };
    Network::new(variable, fixed, reactions).expect("a network")
}

/// A mechanism, if the reference is there.
pub(crate) fn case(name: &str) -> Option<Case> {
    let dir = isobar_golden::find("kpp")?.join(name);
    let mechanism = Arc::new(Compiled::new(network(&dir)).expect("tables"));
    let report = if dir.join("report.json").exists() { json(&dir.join("report.json")) } else { Value::Null };
    Some(Case { dir, mechanism, report })
}

/// Rows of cells, of which the first `cells` are taken, turned so that the cell is the fastest index.
pub(crate) fn cell_fastest((shape, values): &(Vec<usize>, Vec<f64>), cells: usize) -> Vec<f64> {
    let width = shape[1];
    (0..width).flat_map(|i| (0..cells).map(move |cell| values[cell * width + i])).collect()
}

impl Case {
    pub(crate) fn array(&self, name: &str) -> (Vec<usize>, Vec<f64>) {
        npy(&self.dir.join(name))
    }

    pub(crate) fn integers(&self, name: &str) -> (Vec<usize>, Vec<i32>) {
        npy_integers(&self.dir.join(name))
    }

    /// The first cells of a run: `prefix` is empty or `hstart_`.
    pub(crate) fn cells(&self, prefix: &str, most: usize) -> Cells<f64> {
        let (start, constants) =
            (self.array(&format!("{prefix}conc_init.npy")), self.array(&format!("{prefix}rconst.npy")));
        let count = start.0[0].min(most);
        Cells {
            concentration: cell_fastest(&start, count),
            rate_constant: cell_fastest(&constants, count),
            first_step_s: vec![0.0; count],
            ..Cells::default()
        }
    }

    /// Options and length of the runs that a report describes.
    pub(crate) fn options(&self, report: &Value, method: Method) -> (Options, f64) {
        let number = |key: &str| report[key].as_f64().expect("a number");
        let mut options = Options::new(method, number("rtol"), number("atol"));
        if report["icntrl16"].as_i64() == Some(1) {
            options.negative = Negative::Clip;
        }
        (options, number("dt"))
    }
}
