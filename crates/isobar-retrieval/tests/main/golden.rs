//! Against JURASSIC: its Jacobians by differences and by us exactly, and its retrieval.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::{Infrared, InfraredModel};
use isobar_ega::{ForwardSetup, TableData};
use isobar_golden::{find, json, npy, numbers, rows};
use isobar_io::{Control, Observation, read_atmosphere, read_observation, read_setup, read_tables};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, Position, Ray};
use isobar_retrieval::kernel::kernel;
use isobar_retrieval::{Derivative, Estimate, Retrieval, StateVector};

/// A control file and what it names.
struct Case {
    control: Control,
    setup: ForwardSetup,
    tables: Arc<TableData>,
}

impl Case {
    fn read(file: &Path, jurassic_exact: bool) -> Self {
        let (control, _) = Control::read(file, &[]).expect("a control file");
        let setup = ForwardSetup { jurassic_exact, ..read_setup(&control).expect("filters") };
        let set = read_tables(&control).expect("tables");
        let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), jurassic_exact).expect("tables");
        Self { control, setup, tables: Arc::new(tables) }
    }

    fn model(&self) -> InfraredModel<f64> {
        Infrared::new(&self.setup, self.tables.clone()).expect("a setup").on(&[Device::Cpu])
    }
}

/// The reference's Jacobian and ours, as it computes it and exactly; the radiances of `y0` first.
struct Kernels {
    shape: Vec<usize>,
    expected: Vec<f64>,
    finite: Vec<f64>,
    exact: Vec<f64>,
    /// The values of the finite and the exact kernel, and the reference's.
    values: [Vec<f64>; 3],
    quantities: Vec<String>,
}

fn kernels(reference: &Path, name: &str) -> Kernels {
    let description = json(&reference.join(format!("kernel/{name}.json")));
    let inputs = reference.join("inputs");
    let file = |key: &str| inputs.join(description[key].as_str().expect("a name"));
    let geometry = json(&inputs.join("rays.json"));
    let rays: Vec<Ray> = description["rays"]
        .as_array()
        .expect("names")
        .iter()
        .map(|name| {
            let ray =
                geometry["rays"].as_array().expect("rays").iter().find(|ray| &ray["name"] == name).expect("a ray");
            let at = |key: &str| {
                let [height_km, longitude_deg, latitude_deg] = numbers(&ray[key])[..] else { panic!("three numbers") };
                Position { height_km, longitude_deg, latitude_deg }
            };
            Ray { time_s: ray["time"].as_f64().expect("a time"), observer: at("obs"), view_point: at("vp") }
        })
        .collect();
    let (shape, expected) = npy(&reference.join(format!("kernel/{name}.npy")));
    let run = |jurassic_exact, derivative| {
        let case = Case::read(&file("ctl"), jurassic_exact);
        let atmosphere = read_atmosphere(&file("atm"), &case.control).expect("an atmosphere");
        let state =
            StateVector::new(&case.control, &case.control.retrieval().expect("keys"), &atmosphere).expect("a state");
        let found = kernel(&case.model(), &atmosphere, &rays, &state, derivative, &|_, _| {}).expect("a kernel");
        assert_eq!(found.matrix.shape(), (shape[0], shape[1]));
        let names = state.elements.iter().map(|element| element.label.name.clone()).collect::<Vec<_>>();
        (found.radiance, found.matrix.transpose().as_slice().to_vec(), names)
    };
    let (finite_values, finite, quantities) = run(true, Derivative::Finite);
    let (exact_values, exact, _) = run(true, Derivative::Exact(Geometry::Moving));
    let values = [finite_values, exact_values, numbers(&description["y0"])];
    Kernels { shape, expected, finite, exact, values, quantities }
}

/// The largest deviation of each quantity in units of its largest element.
fn worst(kernels: &Kernels, got: &[f64]) -> Vec<(String, f64)> {
    let columns = kernels.shape[1];
    let mut names: Vec<String> = kernels.quantities.clone();
    names.dedup();
    let of = |name: String| {
        let these = || (0..got.len()).filter(|&i| kernels.quantities[i % columns] == name);
        let largest = these().map(|i| kernels.expected[i].abs()).fold(0.0, f64::max);
        let error = these().map(|i| (got[i] - kernels.expected[i]).abs()).fold(0.0, f64::max);
        (name.clone(), error / largest)
    };
    names.into_iter().map(of).collect()
}

#[test]
fn kernels_of_jurassic() {
    let Some(reference) = find("jurassic") else { return };
    for name in ["kernel_rad", "kernel_bbt"] {
        let kernels = kernels(&reference, name);
        for (i, expected) in kernels.values[2].iter().enumerate() {
            assert_eq!(
                kernels.values[0][i].to_bits(),
                kernels.values[1][i].to_bits(),
                "the value part is the plain run"
            );
            assert!((kernels.values[0][i] / expected - 1.0).abs() < 1e-10, "{name}: value {i}");
        }
        println!("{name}: finite {:?}", worst(&kernels, &kernels.finite));
        println!("{name}: exact {:?}", worst(&kernels, &kernels.exact));
        // Radiances agree to some 1e-12; steps of 1 % make that 1e-10 of what a whole profile does, and a level does a
        // hundredth.
        for (quantity, error) in worst(&kernels, &kernels.finite) {
            assert!(error < 1e-6, "{name}: {quantity} deviates by {error:e} of the largest element");
        }
        // Steps of 1 % and 1 K go over nodes of tables and see curvature: some per cent, and more where a row has
        // little of a quantity.
        for (quantity, error) in worst(&kernels, &kernels.exact) {
            assert!(error < 0.3, "{name}: {quantity} deviates by {error:e} of the largest element");
        }
    }
}

/// Runs the reference's retrieval.
fn retrieve(reference: &Path, derivative: Derivative, jurassic_exact: bool) -> Estimate {
    let folder = reference.join("retrieval");
    let case = Case::read(&folder.join("retrieval.ctl"), jurassic_exact);
    let before: Atmosphere = read_atmosphere(&folder.join("atm_apr.tab"), &case.control).expect("an atmosphere");
    let measured: Observation = read_observation(&folder.join("obs_meas.tab"), &case.control).expect("measurements");
    let (model, options) = (case.model(), case.control.retrieval().expect("keys"));
    let retrieval = Retrieval { model: &model, control: &case.control, options: &options, derivative };
    retrieval.run(&before, &measured, &|_, _| {}).expect("a retrieval")
}

/// The largest relative deviation of a result from one of the reference's columns, among elements that it has.
fn deviation(file: PathBuf, estimate: &Estimate, values: &[f64]) -> f64 {
    let rows = rows(&file);
    let all = estimate.state.all;
    let mut worst = 0.0_f64;
    for (element, value) in estimate.state.elements.iter().zip(values) {
        // Columns: time, z, longitude, latitude, then the profiles in our order.
        let expected = rows[element.level][4 + element.number / all.levels];
        worst = worst.max((value / expected - 1.0).abs());
    }
    worst
}

#[test]
fn retrieval_of_jurassic() {
    let Some(reference) = find("jurassic") else { return };
    let file = |name: &str| reference.join("retrieval").join(name);
    let costs: Vec<f64> = rows(&file("costs.tab")).iter().map(|row| row[1]).collect();
    let state_of = |estimate: &Estimate| estimate.state.values(&estimate.atmosphere);

    let finite = retrieve(&reference, Derivative::Finite, true);
    let analysis = finite.analysis.as_ref().expect("an analysis");
    println!("finite: costs {:?}, the reference's {costs:?}", finite.costs);
    assert!(finite.converged);
    assert_eq!(finite.costs.len(), costs.len());
    for (what, deviation) in [
        ("state", deviation(file("atm_final.tab"), &finite, &state_of(&finite))),
        ("total error", deviation(file("atm_err_total.tab"), &finite, analysis.total_error.as_slice())),
        ("noise error", deviation(file("atm_err_noise.tab"), &finite, analysis.noise_error.as_slice())),
        ("forward error", deviation(file("atm_err_formod.tab"), &finite, analysis.forward_error.as_slice())),
        ("contribution", deviation(file("atm_cont.tab"), &finite, analysis.contribution.as_slice())),
        ("resolution", deviation(file("atm_res.tab"), &finite, analysis.resolution.as_slice())),
        ("cost", finite.costs.iter().zip(&costs).map(|(got, cost)| (got / cost - 1.0).abs()).fold(0.0, f64::max)),
    ] {
        println!("finite: {what} {deviation:.1e}");
        // The same arithmetic but for the order of sums, amplified by the condition of the equations.
        assert!(deviation < 1e-7, "{what} deviates by {deviation:e}");
    }

    // Exact derivatives lead to a minimum that differences of 1 % and 1 K miss: nearby, and not higher.
    let exact = retrieve(&reference, Derivative::Exact(Geometry::Moving), true);
    let analysis = exact.analysis.as_ref().expect("an analysis");
    println!("exact: costs {:?}", exact.costs);
    let (got, want) = (state_of(&exact), state_of(&finite));
    let away = (0..got.len()).map(|i| (got[i] - want[i]).abs() / analysis.total_error[i]).fold(0.0, f64::max);
    let relative = (0..got.len()).map(|i| (got[i] / want[i] - 1.0).abs()).fold(0.0, f64::max);
    let errors = deviation(file("atm_err_total.tab"), &exact, analysis.total_error.as_slice());
    println!("exact: state {away:.1e} of its error, {relative:.1e} relative; total error {errors:.1e}");
    assert!(exact.converged && exact.costs.len() == costs.len());
    assert!(exact.costs[exact.costs.len() - 1] <= costs[costs.len() - 1]);
    assert!(away < 0.05 && errors < 0.05);
}
