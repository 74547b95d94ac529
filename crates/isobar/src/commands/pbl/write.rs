//! The output file.

use isobar_core::{Real, Status};
use isobar_io::BoundaryLayerInput;
use isobar_io::netcdf::{NetcdfOutput, Orientation, OutputVariable, Provenance, Sample};
use isobar_launch::Device;

use super::{Of, Pbl, Run};
use crate::commands::Failure;

/// Name, unit, long name, CF standard name, the reference's name.
type Named = (&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

const TENDENCIES: [Named; 8] = [
    (
        "tendency_u",
        "m s-2",
        "tendency of eastward wind",
        Some("tendency_of_eastward_wind_due_to_diffusion"),
        Some("rublten"),
    ),
    (
        "tendency_v",
        "m s-2",
        "tendency of northward wind",
        Some("tendency_of_northward_wind_due_to_diffusion"),
        Some("rvblten"),
    ),
    ("tendency_theta", "K s-1", "tendency of potential temperature", None, Some("rthblten")),
    ("tendency_vapour", "kg kg-1 s-1", "tendency of the mixing ratio of water vapour", None, Some("rqvblten")),
    ("tendency_cloud_water", "kg kg-1 s-1", "tendency of the mixing ratio of cloud water", None, Some("rqcblten")),
    ("tendency_cloud_ice", "kg kg-1 s-1", "tendency of the mixing ratio of cloud ice", None, Some("rqiblten")),
    (
        "diffusivity_heat",
        "m2 s-1",
        "diffusivity of heat at the lower interface of the layer",
        Some("atmosphere_heat_diffusivity"),
        Some("exch_h"),
    ),
    (
        "diffusivity_momentum",
        "m2 s-1",
        "diffusivity of momentum at the lower interface of the layer",
        Some("atmosphere_momentum_diffusivity"),
        Some("exch_m"),
    ),
];

const STATE: [Named; 6] = [
    ("u", "m s-1", "eastward wind after the last step", Some("eastward_wind"), Some("u")),
    ("v", "m s-1", "northward wind after the last step", Some("northward_wind"), Some("v")),
    ("temperature", "K", "temperature after the last step", Some("air_temperature"), Some("t")),
    (
        "vapour",
        "kg kg-1",
        "mixing ratio of water vapour after the last step",
        Some("humidity_mixing_ratio"),
        Some("qv"),
    ),
    (
        "cloud_water",
        "kg kg-1",
        "mixing ratio of cloud water after the last step",
        Some("cloud_liquid_water_mixing_ratio"),
        Some("qc"),
    ),
    (
        "cloud_ice",
        "kg kg-1",
        "mixing ratio of cloud ice after the last step",
        Some("cloud_ice_mixing_ratio"),
        Some("qi"),
    ),
];

const COLUMNS: [Named; 9] = [
    (
        "boundary_layer_height",
        "m",
        "height of the boundary layer",
        Some("atmosphere_boundary_layer_thickness"),
        Some("hpbl"),
    ),
    ("convective_velocity", "m s-1", "convective velocity scale", None, Some("wstar")),
    ("entrainment_depth", "m", "depth of the entrainment zone, 0 where nothing is entrained", None, Some("delta")),
    ("u_10m", "m s-1", "eastward wind at 10 m", Some("eastward_wind"), Some("u10")),
    ("v_10m", "m s-1", "northward wind at 10 m", Some("northward_wind"), Some("v10")),
    ("stress_u", "N m-2", "column integral of the tendency of eastward momentum", None, Some("dusfc")),
    ("stress_v", "N m-2", "column integral of the tendency of northward momentum", None, Some("dvsfc")),
    ("heat", "W m-2", "column integral of the heating", None, Some("dtsfc")),
    ("latent_heat", "W m-2", "column integral of the moistening, as latent heat", None, Some("dqsfc")),
];

const HEIGHT: Named = ("height", "m", "height of the middle of the layer above the ground", Some("height"), Some("za"));
const LEVEL: Named = (
    "boundary_layer_level",
    "1",
    "layer in which the boundary layer ends, counted from 1 at the surface",
    None,
    Some("kpbl"),
);
const STATUS: Named = ("status", "1", "whether the column was computed", None, None);

/// An output in the making: dimensions of the input, in its orientation.
struct Writer<'a> {
    file: NetcdfOutput,
    layers: Vec<&'a str>,
    columns: Vec<&'a str>,
    count: usize,
    top_first: bool,
    status: &'a [Status],
}

/// Writes the results with the input's dimensions and orientation.
pub(super) fn write<R: Real + Sample>(
    options: &Pbl,
    input: &BoundaryLayerInput,
    devices: &[Device],
    run: &Run<R>,
    mut file: NetcdfOutput,
) -> Result<(), Failure> {
    file.provenance(&Provenance {
        title: "Boundary-layer tendencies by the YSU scheme".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: R::NAME.into(),
        // Without the folder of the program, which says nothing about the result.
        history: std::iter::once("isobar".into()).chain(std::env::args().skip(1)).collect::<Vec<_>>().join(" "),
        inputs: vec![options.columns.clone()],
    })?;
    let top_first = input.orientation == Orientation::TopFirst;
    file.attribute("orientation", if top_first { "top_first" } else { "bottom_first" })?;
    file.attribute("scheme", &scheme(options))?;
    if !input.derived.is_empty() {
        file.attribute("derived", &input.derived.join("\n"))?;
    }
    let [layer, _] = input.vertical;
    file.dimension(layer, input.columns.layers())?;
    for &(name, size) in &input.horizontal {
        file.dimension(name, size)?;
    }
    let columns: Vec<&str> = input.horizontal.iter().map(|&(name, _)| name).collect();
    let layers = [vec![layer], columns.clone()].concat();
    let count = input.columns.columns();
    let mut writer = Writer { file, layers, columns, count, top_first, status: &run.status };

    writer.layers(&HEIGHT, &heights::<R>(&input.columns.air.thickness, count))?;
    let out = &run.outputs;
    let tendencies = [
        &out.u,
        &out.v,
        &out.theta,
        &out.vapour,
        &out.cloud_water,
        &out.cloud_ice,
        &out.diffusivity_heat,
        &out.diffusivity_momentum,
    ];
    for (named, values) in TENDENCIES.iter().zip(tendencies) {
        writer.layers(named, values)?;
    }
    if options.steps.is_some() {
        let air = &run.state;
        let state = [&air.u, &air.v, &air.temperature, &air.vapour, &air.cloud_water, &air.cloud_ice];
        for (named, values) in STATE.iter().zip(state) {
            writer.layers(named, &values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>())?;
        }
    }
    let surface = [
        &out.height,
        &out.convective_velocity,
        &out.entrainment_depth,
        &out.u_10m,
        &out.v_10m,
        &out.stress_u,
        &out.stress_v,
        &out.heat,
        &out.latent_heat,
    ];
    for (named, values) in COLUMNS.iter().zip(surface) {
        writer.columns(named, values)?;
    }
    writer.columns(&LEVEL, &out.level.iter().map(|&level| level as i32).collect::<Vec<_>>())?;
    let status: Vec<i32> = run.status.iter().map(|status| status.0 as i32).collect();
    let meanings = [
        (Status::OK.0 as i32, "computed"),
        (Status::NOT_FINITE.0 as i32, "input_missing_or_not_finite"),
        (Status::OUT_OF_RANGE.0 as i32, "input_out_of_range"),
    ];
    writer.file.flags(&variable(&STATUS, &writer.columns), &status, &meanings)?;
    writer.file.commit()?;
    Ok(())
}

impl Writer<'_> {
    /// `[layer * columns + column]`, the surface first.
    fn layers<T: Sample + Copy>(&mut self, named: &Named, values: &[T]) -> Result<(), Failure> {
        let rows = values.chunks(self.count);
        let values: Vec<T> = if self.top_first { rows.rev().flatten().copied().collect() } else { values.to_vec() };
        self.put(named, true, values)
    }

    fn columns<T: Sample + Copy>(&mut self, named: &Named, values: &[T]) -> Result<(), Failure> {
        self.put(named, false, values.to_vec())
    }

    /// With gaps where a column was not computed.
    fn put<T: Sample + Copy>(&mut self, named: &Named, by_layer: bool, mut values: Vec<T>) -> Result<(), Failure> {
        for row in values.chunks_mut(self.count) {
            for (value, status) in row.iter_mut().zip(self.status) {
                if !status.is_ok() {
                    *value = T::FILL;
                }
            }
        }
        let dimensions = if by_layer { &self.layers } else { &self.columns };
        self.file.variable_with_gaps(&variable(named, dimensions), &values)?;
        Ok(())
    }
}

fn variable<'a>(named: &Named, dimensions: &'a [&'a str]) -> OutputVariable<'a> {
    let &(name, units, long_name, standard_name, reference_name) = named;
    OutputVariable { name, dimensions, units, long_name, standard_name, reference_name }
}

/// Of the middles of layers, above the ground.
fn heights<R: Real>(thickness: &[f64], count: usize) -> Vec<R> {
    let mut bottom = vec![0.0; count];
    let middle = |(i, thickness): (usize, &f64)| {
        let bottom = &mut bottom[i % count];
        *bottom += thickness;
        R::from_f64(*bottom - 0.5 * thickness)
    };
    thickness.iter().enumerate().map(middle).collect()
}

/// What was computed, in words.
fn scheme(options: &Pbl) -> String {
    let version = match options.version {
        Of::Wrf4 => "WRF 4",
        Of::Wrf361 => "WRF 3.6.1",
    };
    let mut text = format!("YSU as in {version}, time step {} s, applied {} times", options.dt, options.times());
    if options.top_down {
        text += ", top-down mixing";
    }
    if options.topographic {
        text += ", drag over unresolved orography";
    }
    text
}
