//! The column model: every kernel of its own, and all stages together, over an hour of the morning and one of the
//! night.

mod small_column;

use isobar_column::stages::{GroundKind, Sunlight, quantity};
use isobar_column::{Pipeline, Precision, Shape, State, Step};
use isobar_launch::{Error, Queue};

use isobar_golden::{Outputs, conformance};

conformance!(given_ground, slab, soil, radiation, prescribed, sinking, condensing, evaporating);

fn given_ground<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, 8.0 * 3600.0, GroundKind::Given { warmest_hour: 14.0 })
}

fn slab<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let slab = GroundKind::Slab {
        heat_capacity_j_per_m2_k: 1e5,
        conductance_w_per_m2_k: 5.0,
        sunlight: Sunlight::Part { transmittance: 0.7, albedo: 0.2 },
    };
    run::<R>(queue, 23.5 * 3600.0, slab)
}

/// Layers of soil below a slab.
fn soil<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    outputs(small_column::over_soil::<R>(queue.another()?, (37, 12), 300.0).unwrap(), 11.0 * 3600.0)
}

/// Both spectra with clouds and layers above the top, and ground that lives on their fluxes.
fn radiation<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, 11.0 * 3600.0, small_column::SLAB)
}

/// Ground, fluxes, geostrophic wind, subsidence and advective tendencies by time and height.
fn prescribed<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    outputs(small_column::all_prescribed::<R>(queue.another()?, (37, 12), 300.0, false).unwrap(), 0.0)
}

/// The same with subsidence by pressure.
fn sinking<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    outputs(small_column::all_prescribed::<R>(queue.another()?, (37, 12), 300.0, true).unwrap(), 0.0)
}

/// The revised MM5 surface layer over land and water, and condensation: what falls arrives ...
fn condensing<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    outputs(small_column::condensing::<R>(queue.another()?, (37, 12), 300.0, false).unwrap(), 11.0 * 3600.0)
}

/// ... or evaporates on its way.
fn evaporating<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    outputs(small_column::condensing::<R>(queue.another()?, (37, 12), 300.0, true).unwrap(), 11.0 * 3600.0)
}

/// Every field after 12 steps of 5 minutes. Not a multiple of a warp.
fn run<R: Precision>(queue: &Queue, start_s: f64, ground: GroundKind) -> Result<Outputs, Error> {
    // A queue of its own: the state owns it. It shares as the other one does.
    let own = queue.another()?;
    outputs(small_column::model::<R>(own, (37, 12), 300.0, ground).unwrap(), start_s)
}

fn outputs<R: Precision>((mut state, mut pipeline): (State<R>, Pipeline<R>), start_s: f64) -> Result<Outputs, Error> {
    for number in 0..12 {
        pipeline.step(&mut state, &Step::of_run(number, start_s, 300.0)).unwrap();
    }
    let quantities: Vec<_> = state.quantities().collect();
    let mut parts = Outputs::default();
    for quantity in &quantities {
        let values = state.to_host(*quantity).unwrap();
        assert!(values.iter().all(|value| value.is_finite()), "{quantity}");
        parts = parts.reals(quantity.name, &values);
    }
    let made = |shape: Shape| quantities.iter().filter(|quantity| quantity.shape == shape).count();
    assert!(
        made(Shape::Layers) >= 20 && made(Shape::Column) >= 30 && made(Shape::Tracers) == 2,
        "all fields are there"
    );
    let soil = quantities.iter().filter(|quantity| matches!(quantity.shape, Shape::Soil(_))).count();
    let known = quantity::ALL.iter().filter(|(quantity, _)| quantities.contains(quantity)).count();
    assert!(known + soil == quantities.len());
    Ok(parts.counts("flags", &state.flags().unwrap()))
}
