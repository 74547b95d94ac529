//! The output file.

use isobar_core::fields::{AnyValues, BAND, Declared, OwnedOutputs};
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
type Named = (&'static str, &'static str, String, Option<&'static str>, Option<&'static str>);

/// What a field of the scheme is called.
fn named(declared: &'static Declared) -> Named {
    let text = declared.doc.trim().trim_end_matches('.');
    let long_name = text[..1].to_lowercase() + &text[1..];
    let (standard_name, reference) = (declared.standard_names.first().copied(), declared.aliases.first().copied());
    (declared.file_name, declared.unit, long_name, standard_name, reference)
}

/// The net flux, which is upward less downward, with clouds and without.
const NET: [(&str, &str, &str, &str); 2] = [
    ("net_flux", "upward less downward long-wave flux", "net_upward_longwave_flux_in_air", "fnet"),
    (
        "net_flux_clear",
        "upward less downward long-wave flux without clouds",
        "net_upward_longwave_flux_in_air_assuming_clear_sky",
        "fnetc",
    ),
];
const LIMITS: [(&str, &str); 2] =
    [("band_lower_wavenumber", "lower limit of the band"), ("band_upper_wavenumber", "upper limit of the band")];
const PRESSURES: [(&str, &str, &str); 2] =
    [("pressure", "pressure of the layer", "play"), ("level_pressure", "pressure of the level", "plev")];

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
    file.attribute("scheme", &(in_words(scheme, input.columns.is_cloudy()) + top))?;
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
        let (columns, fluxes) = (&self.run.input.columns, &self.run.fluxes);
        for (&(name, long_name, reference), pressure) in
            PRESSURES.iter().zip([&columns.pressure_pa, &columns.level_pressure_pa])
        {
            let named = (name, "Pa", long_name.to_owned(), Some("air_pressure"), Some(reference));
            self.put(&named, &pressure.iter().map(|&p| R::from_f64(p)).collect::<Vec<_>>(), 1)?;
        }
        let mut fields = Vec::new();
        fluxes.each(&mut |declared, values| fields.push((declared, values)));
        // Without clouds, all sky is clear sky.
        let all_sky = |name: &str| name.replace("_clear", "");
        for &(declared, values) in &fields {
            let AnyValues::Real(mut values) = values else { continue };
            if values.is_empty() && !columns.is_cloudy() {
                let with = fields.iter().find(|(other, _)| other.name == all_sky(declared.name));
                if let Some((_, AnyValues::Real(with))) = with {
                    values = with;
                }
            }
            if declared.name == "band_up_w_per_m2" && scheme.band_fluxes {
                self.limits(bands)?;
            }
            if !values.is_empty() {
                self.put(&named(declared), values, if declared.shape.contains(&BAND) { bands.len() } else { 1 })?;
            }
            if let Some(&(name, long_name, standard_name, reference)) = net_after(declared.name) {
                let named = (name, declared.unit, long_name.to_owned(), Some(standard_name), Some(reference));
                let clear = columns.is_cloudy() && name.ends_with("_clear");
                let (up, down) = if clear {
                    (&fluxes.up_clear_w_per_m2, &fluxes.down_clear_w_per_m2)
                } else {
                    (&fluxes.up_w_per_m2, &fluxes.down_w_per_m2)
                };
                let net: Vec<R> = up.iter().zip(down).map(|(&up, &down)| up - down).collect();
                self.put(&named, &net, 1)?;
            }
        }
        let status: Vec<i32> = fluxes.status.iter().map(|&status| status as i32).collect();
        let meanings = [(Status::OK.0 as i32, "computed"), (Status::NOT_FINITE.0 as i32, "not_finite")];
        let (declared, _) = fields.last().expect("there are results");
        self.file.flags(&variable(&named(declared), &self.columns), &status, &meanings)?;
        Ok(())
    }

    /// Writes the limits of the bands.
    fn limits(&mut self, bands: &[Band]) -> Result<(), Failure> {
        self.file.dimension("band", bands.len())?;
        for (limit, &(name, long_name)) in LIMITS.iter().enumerate() {
            let values: Vec<f64> = bands.iter().map(|band| band.wavenumbers_per_cm[limit]).collect();
            let named = (name, "cm-1", long_name.to_owned(), None, None);
            self.file.variable(&variable(&named, &["band"]), &values)?;
        }
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
            for (value, status) in row.iter_mut().zip(&self.run.fluxes.status) {
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

/// The net flux that stands behind a downward one.
fn net_after(name: &str) -> Option<&'static (&'static str, &'static str, &'static str, &'static str)> {
    match name {
        "down_w_per_m2" => Some(&NET[0]),
        "down_clear_w_per_m2" => Some(&NET[1]),
        _ => None,
    }
}

fn variable<'a>(named: &'a Named, dimensions: &'a [&'a str]) -> OutputVariable<'a> {
    let (name, units, long_name, standard_name, reference_name) = named;
    let (standard_name, reference_name) = (*standard_name, *reference_name);
    OutputVariable { name, dimensions, units, long_name, standard_name, reference_name }
}
