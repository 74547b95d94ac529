//! The output file.

use isobar_core::Real;
use isobar_io::netcdf::{NetcdfOutput, OutputVariable, Provenance, Sample};
use isobar_launch::column::stages::quantity as q;
use isobar_launch::column::{Quantity, Shape};
use isobar_launch::{Device, Precision};

use super::report::Report;
use super::{Records, Run, Setup};
use crate::commands::Failure;

/// Names of CF's table among those of the fields.
const STANDARD: [Quantity; 20] = [
    q::POTENTIAL_TEMPERATURE,
    q::TEMPERATURE,
    q::VAPOUR,
    q::WIND_EAST,
    q::WIND_NORTH,
    q::THICKNESS,
    q::PRESSURE,
    q::EXNER,
    q::DIFFUSIVITY_HEAT,
    q::DIFFUSIVITY_MOMENTUM,
    q::HEATING,
    q::FLUX_UP,
    q::FLUX_DOWN,
    q::SURFACE_TEMPERATURE,
    q::SENSIBLE_HEAT_FLUX,
    q::MOISTURE_FLUX,
    q::BOUNDARY_LAYER_HEIGHT,
    q::LATITUDE,
    q::LONGITUDE,
    q::SURFACE_PRESSURE,
];

pub(super) fn write<R: Precision + Sample>(
    run: &Run,
    setup: &Setup,
    device: Device,
    records: &Records<R>,
    report: &Report,
    mut file: NetcdfOutput,
) -> Result<(), Failure> {
    file.provenance(&Provenance {
        title: setup.title.clone(),
        device: device.to_string(),
        precision: R::NAME.into(),
        // Neither the folder of the program nor how the run was stopped and resumed: the result does not depend on them.
        history: format!("isobar run {}", run.case.display()),
        inputs: setup.inputs.clone(),
    })?;
    file.attribute("positive", "up")?;
    let times = records.times.len();
    let sizes =
        [("time", times), ("column", setup.columns()), ("layer", setup.layers()), ("level", setup.layers() + 1)];
    sizes.into_iter().try_for_each(|(name, size)| file.dimension(name, size))?;
    let time = OutputVariable {
        name: "time",
        dimensions: &["time"],
        units: "s",
        long_name: "time since midnight at longitude 0 of the first day",
        standard_name: Some("time"),
        reference_name: None,
    };
    file.variable(&time, &records.times)?;
    for (quantity, values) in &records.constant {
        field(&mut file, *quantity, false, values)?;
    }
    for (quantity, values) in &records.fields {
        match quantity.shape {
            Shape::LayersOfTracers | Shape::Tracers => tracers(&mut file, setup, *quantity, values)?,
            _ => field(&mut file, *quantity, true, values)?,
        }
    }
    let flags: Vec<i32> = report.flags.iter().map(|&flags| flags.cast_signed()).collect();
    let name = "statuses of all steps, bit by bit; 0: success";
    let variable = OutputVariable {
        name: "flags",
        dimensions: &["column"],
        units: "1",
        long_name: name,
        standard_name: None,
        reference_name: None,
    };
    file.variable(&variable, &flags)?;
    Ok(file.commit()?)
}

/// Names of the dimensions.
fn dimensions(shape: Shape, in_time: bool) -> Vec<&'static str> {
    let own: &[&str] = match shape {
        Shape::Column | Shape::Tracers => &["column"],
        Shape::Layers | Shape::LayersOfTracers => &["layer", "column"],
        Shape::Levels => &["level", "column"],
    };
    in_time.then_some("time").into_iter().chain(own.iter().copied()).collect()
}

fn field<R: Precision + Sample>(
    file: &mut NetcdfOutput,
    quantity: Quantity,
    in_time: bool,
    values: &[R],
) -> Result<(), Failure> {
    let long_name = q::ALL.iter().find(|(other, _)| *other == quantity).map_or(quantity.name, |(_, text)| text);
    let variable = OutputVariable {
        name: quantity.name,
        dimensions: &dimensions(quantity.shape, in_time),
        units: quantity.unit,
        long_name,
        standard_name: STANDARD.contains(&quantity).then_some(quantity.name),
        reference_name: None,
    };
    Ok(file.variable_with_gaps(&variable, &filled(values))?)
}

/// A variable for each tracer.
fn tracers<R: Precision + Sample>(
    file: &mut NetcdfOutput,
    setup: &Setup,
    quantity: Quantity,
    values: &[R],
) -> Result<(), Failure> {
    let (names, columns) = (setup.tracers(), setup.columns());
    for (number, species) in names.iter().enumerate() {
        let rows = values.chunks(columns).skip(number).step_by(names.len());
        let own: Vec<R> = rows.flatten().copied().collect();
        let (name, long_name) = match quantity {
            _ if quantity == q::TRACERS => ((*species).to_owned(), format!("mole fraction of {species}")),
            _ if quantity == q::TRACERS_GAINED => {
                (format!("{species}_emitted"), format!("{species} emitted since the start"))
            }
            _ => (format!("{species}_content"), format!("{species} in the column")),
        };
        let variable = OutputVariable {
            name: &name,
            dimensions: &dimensions(quantity.shape, true),
            units: quantity.unit,
            long_name: &long_name,
            standard_name: None,
            reference_name: None,
        };
        file.variable_with_gaps(&variable, &filled(&own))?;
    }
    Ok(())
}

/// Values that are no numbers are missing.
fn filled<R: Precision + Sample>(values: &[R]) -> Vec<R> {
    values.iter().map(|&value| if Real::is_finite(value) { value } else { R::FILL }).collect()
}
