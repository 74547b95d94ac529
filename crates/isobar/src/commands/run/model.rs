//! The state and the stages of a run.

use isobar_launch::column::stages::{
    Advance, Chemistry, ChemistryOptions, Diagnose, Ground, Longwave, Sun, SurfaceFlux, Ysu,
};
use isobar_launch::column::{Pipeline, State};
use isobar_launch::{Device, Precision, Queue};
use isobar_longwave::TableData;
use isobar_rosenbrock::{Method, Options};

use super::reader::{CaseFile, closest};
use super::setup::Setup;
use crate::commands::Failure;

/// The stages in their usual order.
const ORDER: [&str; 8] = ["sun", "ground", "diagnose", "surface_flux", "longwave", "ysu", "advance", "chemistry"];

/// Brings the columns to the device and puts the stages in order.
pub(super) fn build<R: Precision>(
    file: &CaseFile,
    setup: &Setup,
    device: Device,
) -> Result<(State<R>, Pipeline<R>), Failure> {
    let mut state = setup.initial.state::<R>(Queue::parallel(device)?)?;
    let mut pipeline = Pipeline::new();
    let own = setup.stages.as_ref().map(|stages| stages.get_ref());
    let order = own.cloned().unwrap_or_else(|| ORDER.map(str::to_owned).to_vec());
    for name in &order {
        pipeline = match (name.as_str(), &setup.chemistry) {
            ("sun", _) => pipeline.stage(Sun { day_of_year: setup.day_of_year }),
            ("ground", _) => pipeline.stage(Ground(setup.ground)),
            ("diagnose", _) => pipeline.stage(Diagnose),
            ("surface_flux", _) => pipeline.stage(SurfaceFlux),
            ("longwave", _) => {
                let tables = TableData::new(&setup.k_distribution);
                pipeline.stage_every(setup.longwave_every, Longwave::new(&state, &tables, &setup.longwave)?)
            }
            ("ysu", _) => pipeline.stage(Ysu::new(&state, isobar_ysu::Options::new(setup.step_s))?),
            ("advance", chemistry) => {
                let emission = chemistry.as_ref().map_or(&[][..], |chemistry| &chemistry.emission);
                pipeline.stage(Advance::new(&state, emission)?)
            }
            ("chemistry", Some(chemistry)) => {
                let mechanism = &chemistry.mechanism;
                let [relative, absolute] = chemistry.tolerances;
                let options = ChemistryOptions {
                    integration: Options::new(Method::Rodas3, relative, absolute),
                    fixed: chemistry.fixed.clone(),
                    inputs: mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect(),
                };
                let stage = Chemistry::new(&state, mechanism.compiled(), mechanism.program(), &options)?;
                pipeline.stage_every(chemistry.every, stage)
            }
            ("chemistry", None) => pipeline,
            (unknown, _) => {
                let near = closest(unknown, ORDER.into_iter()).map(|near| format!("; did you mean `{near}`?"));
                let near = near.unwrap_or_else(|| format!("; there are {}", ORDER.join(", ")));
                let stages = setup.stages.as_ref().expect("ours are known");
                return Err(file.refuse(stages, format!("unknown stage `{unknown}`{near}")));
            }
        };
    }
    pipeline.prepare(&mut state).map_err(|error| match &setup.stages {
        Some(stages) => file.refuse(stages, error),
        None => error.into(),
    })?;
    Ok((state, pipeline))
}
