//! The output file.

use isobar_core::Real;
use isobar_core::fields::{AnyValues, BAND, OwnedOutputs};
use isobar_io::netcdf::{NetcdfOutput, Sample};
use isobar_launch::Device;
use isobar_longwave::Options;
use isobar_longwave::band::Band;

use super::choices::in_words;
use super::k_set::KSet;
use super::{Longwave, Run};
use crate::commands::Failure;
use crate::commands::column_results::{Layout, Writer, named, provenance};

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
    let inputs = vec![options.files.columns.clone(), k.path.clone()];
    file.provenance(&provenance("Long-wave fluxes and heating rates", devices, R::NAME, inputs))?;
    let layout = Layout {
        horizontal: &input.horizontal,
        vertical: input.vertical,
        orientation: input.orientation,
        layers: input.columns.layers(),
        status: &run.fluxes.status,
    };
    layout.say_orientation(&mut file)?;
    let top = if options.of_rrtmg.top_layer { ", an isothermal layer on top" } else { "" };
    file.attribute("scheme", &(in_words(scheme, input.columns.is_cloudy()) + top))?;
    file.attribute("k_distribution", &k.description())?;
    let derived = [&input.derived[..], &input.notes].concat();
    if !derived.is_empty() {
        file.attribute("derived", &derived.join("\n"))?;
    }
    if let Some(text) = options.outside_in_words(input) {
        file.attribute("outside_tables", &text)?;
    }
    let mut writer = layout.writer(file)?;
    all(&mut writer, run, scheme, k.coefficients.bands)?;
    writer.file.commit()?;
    Ok(())
}

fn all<R: Real + Sample>(
    writer: &mut Writer<'_>,
    run: &Run<R>,
    scheme: &Options,
    bands: &[Band],
) -> Result<(), Failure> {
    let (columns, fluxes) = (&run.input.columns, &run.fluxes);
    writer.pressures::<R>(&columns.pressure_pa, &columns.level_pressure_pa)?;
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
            let limits = bands.iter().map(|band| band.wavenumbers_per_cm);
            writer.bands("band", ["band_lower_wavenumber", "band_upper_wavenumber"], limits)?;
        }
        if !values.is_empty() {
            let band = declared.shape.contains(&BAND).then_some(("band", bands.len()));
            writer.put(&named(declared), values, band)?;
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
            writer.put(&named, &net, None)?;
        }
    }
    let (declared, _) = fields.last().expect("there are results");
    writer.status(declared)
}

/// The net flux that stands behind a downward one.
fn net_after(name: &str) -> Option<&'static (&'static str, &'static str, &'static str, &'static str)> {
    match name {
        "down_w_per_m2" => Some(&NET[0]),
        "down_clear_w_per_m2" => Some(&NET[1]),
        _ => None,
    }
}
