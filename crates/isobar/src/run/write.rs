//! The output file.

use isobar_column::limits::WORDS;
use isobar_column::stages::quantity as q;
use isobar_column::{Precision, Quantity, Shape};
use isobar_io::netcdf::{DatasetWriter, OutputVariable, Provenance, Sample};
use isobar_launch::Device;

use super::collected::{Collected, filled};
use super::error::Error;
use super::records::Records;
use super::setup::Setup;
use super::sight::{Sight, coordinates};
use super::team::Member;
use super::times::put_times;

/// Names of CF's table among those of the fields.
const STANDARD: [Quantity; 34] = [
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
    q::SHORTWAVE_HEATING,
    q::SHORTWAVE_UP,
    q::SHORTWAVE_DOWN,
    q::SHORTWAVE_DIRECT,
    q::CLOUD_FRACTION,
    q::GROUND_HEAT_FLUX,
    q::SURFACE_TEMPERATURE,
    q::SENSIBLE_HEAT_FLUX,
    q::MOISTURE_FLUX,
    q::BOUNDARY_LAYER_HEIGHT,
    q::LATITUDE,
    q::LONGITUDE,
    q::SURFACE_PRESSURE,
    q::ROUGHNESS,
    q::GEOSTROPHIC_EAST,
    q::GEOSTROPHIC_NORTH,
    q::VERTICAL_VELOCITY,
    q::PRESSURE_VELOCITY,
    q::TEMPERATURE_ADVECTION,
    q::WIND_EAST_ADVECTION,
    q::WIND_NORTH_ADVECTION,
];

/// What became of each column: the words, as files call them ([`isobar_column::limits`]).
pub(super) const STATUS_WORDS: [&str; WORDS] =
    ["flags", "stopped_by", "stopped_layer", "stopped_step", "stopped_value_bits"];
/// What they are; the value is written by restart files alone.
const WORDS_IN_WORDS: [&str; WORDS - 1] = [
    "statuses of all steps, bit by bit; 0: success",
    "what left its range and stopped the column; 0: nothing, 1: temperature of the ground, 2: temperature, 3: water \
     vapour, 4: eastward wind, 5: northward wind, 6: a tracer",
    "its layer, from 0 at the ground",
    "its step, from 1; 0: none",
];

pub(super) fn write<R: Precision + Sample>(
    setup: &Setup,
    device: Device,
    (member, records, words): (&Member<'_>, &Records<R>, &[u32]),
    sight: Option<&Sight>,
    output: Option<DatasetWriter>,
) -> Result<(), Error> {
    let begin = || begin(setup, device, (R::NAME, &records.times), output.expect("the first member has begun it"));
    let mut file = Collected::new(member, setup.columns(), begin);
    let own = member.columns(setup.columns()).len();
    for (quantity, values) in &records.constant {
        field(&mut file, own, *quantity, false, values);
    }
    for (quantity, values) in &records.fields {
        match quantity.shape {
            Shape::LayersOfTracers | Shape::Tracers => {
                tracers(&mut file, (setup, own), *quantity, values);
            }
            _ => field(&mut file, own, *quantity, true, values),
        }
    }
    // Of the words, the value that a column would have had is said at the end of the run.
    let masked = if setup.masked.is_empty() { "" } else { "; 4: masked, without values at the start" };
    for ((own, name), long_name) in words.chunks(words.len() / WORDS).zip(STATUS_WORDS).zip(WORDS_IN_WORDS) {
        let long_name = &format!("{long_name}{}", if name == STATUS_WORDS[0] { masked } else { "" });
        file.put(Ok(own.to_vec()), |file, words| {
            let words: Vec<i32> = words.iter().map(|&word| word.cast_signed()).collect();
            let variable = OutputVariable {
                name,
                dimensions: &["column"],
                units: "1",
                long_name,
                standard_name: None,
                reference_name: None,
            };
            Ok(file.variable(&variable, &words)?)
        });
    }
    if let (Some(satellite), Some(sight)) = (&setup.satellite, sight) {
        sight.write(&mut file, satellite);
    }
    file.finish()
}

/// Attributes, dimensions and times.
fn begin(
    setup: &Setup,
    device: Device,
    (precision, times): (&str, &[f64]),
    mut file: DatasetWriter,
) -> Result<DatasetWriter, Error> {
    file.provenance(&Provenance {
        title: setup.title.clone(),
        // Neither the number of a GPU nor how many there were: the result does not depend on them.
        device: if device.is_cpu() { "cpu" } else { "cuda" }.into(),
        precision: precision.into(),
        // Neither the folder of the program nor how the run was stopped and resumed, for the same reason.
        history: format!("isobar run {}{}", setup.inputs[0].display(), setup.changes),
        inputs: setup.inputs.clone(),
    })?;
    file.attribute("positive", "up")?;
    let sizes =
        [("time", times.len()), ("column", setup.columns()), ("layer", setup.layers()), ("level", setup.layers() + 1)];
    sizes.into_iter().try_for_each(|(name, size)| file.dimension(name, size))?;
    if let Some(soil) = &setup.soil {
        file.dimension("soil_layer", soil.layers.count())?;
        let depth = OutputVariable {
            name: "soil_depth",
            dimensions: &["soil_layer"],
            units: "m",
            long_name: "depth of the middles of the layers of soil",
            standard_name: Some("depth"),
            reference_name: None,
        };
        file.variable(&depth, &soil.layers.depths_m())?;
    }
    put_times(setup, &mut file, ("time", "time since midnight at longitude 0 of the first day"), times)?;
    if let Some(satellite) = &setup.satellite {
        coordinates(&mut file, (setup, satellite), times)?;
    }
    Ok(file)
}

/// Names of the dimensions.
fn dimensions(shape: Shape, in_time: bool) -> Vec<&'static str> {
    let own: &[&str] = match shape {
        Shape::Column | Shape::Tracers => &["column"],
        Shape::Layers | Shape::LayersOfTracers => &["layer", "column"],
        Shape::Levels => &["level", "column"],
        Shape::Soil(_) => &["soil_layer", "column"],
    };
    in_time.then_some("time").into_iter().chain(own.iter().copied()).collect()
}

fn field<R: Precision + Sample>(
    file: &mut Collected<'_>,
    columns: usize,
    quantity: Quantity,
    in_time: bool,
    values: &[R],
) {
    let known = q::ALL.iter().find(|(other, _)| *other == quantity).map_or(quantity.name, |(_, text)| text);
    let soil = matches!(quantity.shape, Shape::Soil(_));
    let long_name = if soil { "Temperature of the layers of soil" } else { known };
    let variable = OutputVariable {
        name: quantity.name,
        dimensions: &dimensions(quantity.shape, in_time),
        units: quantity.unit,
        long_name,
        standard_name: (soil || STANDARD.contains(&quantity)).then_some(quantity.name),
        reference_name: None,
    };
    let rows: Vec<_> = values.chunks(columns).collect();
    file.put(Ok(filled(&rows)), |file, values| Ok(file.variable_with_gaps(&variable, values)?));
}

/// A variable for each tracer, from `columns` columns.
fn tracers<R: Precision + Sample>(
    file: &mut Collected<'_>,
    (setup, columns): (&Setup, usize),
    quantity: Quantity,
    values: &[R],
) {
    let names = setup.tracers();
    for (number, species) in names.iter().enumerate() {
        let rows: Vec<_> = values.chunks(columns).skip(number).step_by(names.len()).collect();
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
        file.put(Ok(filled(&rows)), |file, values| Ok(file.variable_with_gaps(&variable, values)?));
    }
}
