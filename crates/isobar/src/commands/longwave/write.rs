//! The output file.

use isobar_core::{Real, Status};
use isobar_io::netcdf::{NetcdfOutput, Orientation, OutputVariable, Provenance, Sample};
use isobar_launch::Device;
use isobar_longwave::Options;
use isobar_longwave::band::Band;

use super::choices::in_words;
use super::k_set::KSet;
use super::{Longwave, Run};
use crate::commands::Failure;

/// Name, unit, long name, CF standard name, the reference's name.
type Named = (&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

const fn flux(
    name: &'static str,
    long_name: &'static str,
    standard_name: &'static str,
    reference: Option<&'static str>,
) -> Named {
    (name, "W m-2", long_name, Some(standard_name), reference)
}

/// What the upward, the downward and the net flux and the heating rate are called, with clouds and without.
const ALL_SKY: [Named; 4] = [
    flux("upward_flux", "upward long-wave flux", "upwelling_longwave_flux_in_air", Some("uflx")),
    flux("downward_flux", "downward long-wave flux", "downwelling_longwave_flux_in_air", Some("dflx")),
    flux("net_flux", "upward less downward long-wave flux", "net_upward_longwave_flux_in_air", Some("fnet")),
    (
        "heating_rate",
        "K day-1",
        "long-wave heating rate of the layer",
        Some("tendency_of_air_temperature_due_to_longwave_heating"),
        Some("hr"),
    ),
];
const CLEAR_SKY: [Named; 4] = [
    flux(
        "upward_flux_clear",
        "upward long-wave flux without clouds",
        "upwelling_longwave_flux_in_air_assuming_clear_sky",
        Some("uflxc"),
    ),
    flux(
        "downward_flux_clear",
        "downward long-wave flux without clouds",
        "downwelling_longwave_flux_in_air_assuming_clear_sky",
        Some("dflxc"),
    ),
    flux(
        "net_flux_clear",
        "upward less downward long-wave flux without clouds",
        "net_upward_longwave_flux_in_air_assuming_clear_sky",
        Some("fnetc"),
    ),
    (
        "heating_rate_clear",
        "K day-1",
        "long-wave heating rate of the layer without clouds",
        Some("tendency_of_air_temperature_due_to_longwave_heating_assuming_clear_sky"),
        Some("hrc"),
    ),
];
const DERIVATIVES: [Named; 2] = [
    (
        "upward_flux_derivative",
        "W m-2 K-1",
        "derivative of the upward flux by the surface's temperature",
        None,
        Some("duflx_dt"),
    ),
    (
        "upward_flux_derivative_clear",
        "W m-2 K-1",
        "derivative of the upward flux by the surface's temperature without clouds",
        None,
        Some("duflxc_dt"),
    ),
];
const BANDS: [Named; 2] = [
    ("band_upward_flux", "W m-2", "upward long-wave flux of the band", None, None),
    ("band_downward_flux", "W m-2", "downward long-wave flux of the band", None, None),
];
const LIMITS: [Named; 2] = [
    ("band_lower_wavenumber", "cm-1", "lower limit of the band", None, None),
    ("band_upper_wavenumber", "cm-1", "upper limit of the band", None, None),
];
const PRESSURES: [Named; 2] = [
    ("pressure", "Pa", "pressure of the layer", Some("air_pressure"), Some("play")),
    ("level_pressure", "Pa", "pressure of the level", Some("air_pressure"), Some("plev")),
];
const STATUS: Named = ("status", "1", "whether the column was computed", None, None);

/// An output in the making: dimensions of the input, in its orientation.
struct Writer<'a, R> {
    file: NetcdfOutput,
    run: &'a Run<'a, R>,
    vertical: [&'static str; 2],
    columns: Vec<&'a str>,
}

/// Writes the results with the input's dimensions and orientation.
pub(super) fn write<R: Real + Sample>(
    options: &Longwave,
    scheme: &Options,
    k: &KSet,
    devices: &[Device],
    run: &Run<R>,
    mut file: NetcdfOutput,
) -> Result<(), Failure> {
    let input = run.input;
    file.provenance(&Provenance {
        title: "Long-wave fluxes and heating rates".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: R::NAME.into(),
        // Without the folder of the program, which says nothing about the result.
        history: std::iter::once("isobar".into()).chain(std::env::args().skip(1)).collect::<Vec<_>>().join(" "),
        inputs: vec![options.columns.clone(), k.path.clone()],
    })?;
    let top_first = input.orientation == Orientation::TopFirst;
    file.attribute("orientation", if top_first { "top_first" } else { "bottom_first" })?;
    let top = if options.choices.top_layer { ", an isothermal layer on top" } else { "" };
    file.attribute("scheme", &(in_words(scheme, input.columns.clouds.is_some()) + top))?;
    file.attribute("k_distribution", &k.description())?;
    if !input.derived.is_empty() {
        file.attribute("derived", &input.derived.join("\n"))?;
    }
    if let Some(text) = options.outside_in_words(input) {
        file.attribute("outside_tables", &text)?;
    }
    let layers = input.columns.layers();
    for (name, size) in input.vertical.into_iter().zip([layers, layers + 1]) {
        file.dimension(name, size)?;
    }
    for &(name, size) in &input.horizontal {
        file.dimension(name, size)?;
    }
    let columns = input.horizontal.iter().map(|&(name, _)| name).collect();
    let mut writer = Writer { file, run, vertical: input.vertical, columns };
    writer.all(scheme, k.coefficients.bands)?;
    writer.file.commit()?;
    Ok(())
}

impl<R: Real + Sample> Writer<'_, R> {
    fn all(&mut self, scheme: &Options, bands: &[Band]) -> Result<(), Failure> {
        let (columns, out) = (&self.run.input.columns, &self.run.outputs);
        for (named, pressure) in PRESSURES.iter().zip([&columns.pressure, &columns.level_pressure]) {
            self.put(named, &pressure.iter().map(|&p| R::from_f64(p)).collect::<Vec<_>>(), 1)?;
        }
        let cloudy = columns.clouds.is_some();
        let with = [&out.up, &out.down, &out.heating];
        let without = if cloudy { [&out.up_clear, &out.down_clear, &out.heating_clear] } else { with };
        for (named, [up, down, heating]) in [(&ALL_SKY, with), (&CLEAR_SKY, without)] {
            let net: Vec<R> = up.iter().zip(down).map(|(&up, &down)| up - down).collect();
            for (named, values) in named.iter().zip([up, down, &net, heating]) {
                self.put(named, values, 1)?;
            }
        }
        if scheme.derivative {
            let without = if cloudy { &out.derivative_clear } else { &out.derivative };
            for (named, values) in DERIVATIVES.iter().zip([&out.derivative, without]) {
                self.put(named, values, 1)?;
            }
        }
        if scheme.band_fluxes {
            self.file.dimension("band", bands.len())?;
            for (limit, named) in LIMITS.iter().enumerate() {
                let values: Vec<f64> = bands.iter().map(|band| band.wavenumbers_per_cm[limit]).collect();
                self.file.variable(&variable(named, &["band"]), &values)?;
            }
            for (named, values) in BANDS.iter().zip([&out.band_up, &out.band_down]) {
                self.put(named, values, bands.len())?;
            }
        }
        let status: Vec<i32> = out.status.iter().map(|&status| status as i32).collect();
        let meanings = [(Status::OK.0 as i32, "computed"), (Status::NOT_FINITE.0 as i32, "not_finite")];
        self.file.flags(&variable(&STATUS, &self.columns), &status, &meanings)?;
        Ok(())
    }

    /// `[(layer or level * bands + band) * columns + column]`, the surface first; with gaps where a column was not
    /// computed.
    fn put(&mut self, named: &Named, values: &[R], bands: usize) -> Result<(), Failure> {
        let columns = &self.run.input.columns;
        let count = columns.columns();
        let top_first = self.run.input.orientation == Orientation::TopFirst;
        let rows = values.chunks(count * bands);
        let mut values: Vec<R> = if top_first { rows.rev().flatten().copied().collect() } else { values.to_vec() };
        for row in values.chunks_mut(count) {
            for (value, status) in row.iter_mut().zip(&self.run.outputs.status) {
                if *status != Status::OK.0 {
                    *value = R::FILL;
                }
            }
        }
        let [layer, level] = self.vertical;
        let mut dimensions = vec![if values.len() == columns.layers() * bands * count { layer } else { level }];
        dimensions.extend((bands > 1).then_some("band"));
        dimensions.extend(&self.columns);
        self.file.variable_with_gaps(&variable(named, &dimensions), &values)?;
        Ok(())
    }
}

fn variable<'a>(named: &Named, dimensions: &'a [&'a str]) -> OutputVariable<'a> {
    let &(name, units, long_name, standard_name, reference_name) = named;
    OutputVariable { name, dimensions, units, long_name, standard_name, reference_name }
}
