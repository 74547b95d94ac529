//! Surface layers: all options, in both precisions.

use isobar_core::fields::{AnyValues, OwnedInputs, OwnedOutputs};
use isobar_golden::{Outputs, conformance};
use isobar_launch::{Error, Queue, RunError};
use isobar_surface::{Fluxes, LandRoughness, Options, Precision, Root, SurfaceLayer, WaterRoughness, analytic};

conformance!(usual, converged, garratt, constant, shallow_and_hills, without_fluxes);

fn usual<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options::default())
}

fn converged<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options { root: Root::Converged, ..Options::default() })
}

fn garratt<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (water_roughness, land_roughness) = (WaterRoughness::Garratt, LandRoughness::ChenZhang);
    run::<R>(queue, Options { water_roughness, land_roughness, ..Options::default() })
}

fn constant<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (water_roughness, land_roughness) = (WaterRoughness::Constant, LandRoughness::Zilitinkevich);
    run::<R>(queue, Options { water_roughness, land_roughness, ..Options::default() })
}

fn shallow_and_hills<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let options = Options { shallow_water: true, form_drag: true, fluxes: Fluxes::Given, ..Options::default() };
    run::<R>(queue, options)
}

fn without_fluxes<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options { fluxes: Fluxes::Zero, ..Options::default() })
}

/// Whole, and in pieces that are no multiples of a warp.
fn run<R: Precision>(queue: &Queue, options: Options) -> Result<Outputs, Error> {
    let columns = analytic::columns::<R>(1000);
    let model = SurfaceLayer::<R>::on(&[queue.device()]);
    let mut parts = Outputs::default();
    for range in [0..1000, 0..333, 333..1000] {
        let results = model.run(&columns.items(1000, range.clone()), &options).map_err(|error| match error {
            RunError::Device(source) | RunError::Interrupted { source, .. } => source,
            invalid => panic!("{invalid}"),
        })?;
        let mut all = Vec::new();
        results.each(&mut |declared, values| all.push((declared.name, values)));
        for (name, values) in all {
            let name = format!("{name} of columns {range:?}");
            parts = match values {
                AnyValues::Real(values) => {
                    assert!(values.iter().all(|value| value.is_finite()), "{name}");
                    parts.reals(&name, values)
                }
                AnyValues::Word(values) => parts.counts(&name, values),
            };
        }
    }
    Ok(parts)
}
