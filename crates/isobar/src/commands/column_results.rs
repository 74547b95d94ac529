//! Results of columns in a NetCDF file that has the dimensions and the orientation of the input.

use std::path::PathBuf;

use isobar_core::fields::Declared;
use isobar_core::{Real, Status};
use isobar_io::netcdf::{NetcdfOutput, Orientation, OutputVariable, Provenance, Sample};
use isobar_io::{ColumnsInput, Outside};
use isobar_launch::Device;

use crate::program::failure::Failure;

/// Says how long columns took: `how` is what there is to say besides, and `times` says how often each was computed.
pub(super) fn summarize(
    [columns, layers]: [usize; 2],
    how: &str,
    (devices, precision): (&[Device], &str),
    (seconds, times): (f64, u32),
) {
    let rate = columns as f64 * f64::from(times) / seconds;
    tell!(
        "{columns} columns, {layers} layers{how} on {} in {precision}: {seconds:.3} s, {rate:.0} columns/s",
        names(devices)
    );
}

/// Which end of its layers a file has first, for [`summarize`].
pub(super) fn from_where(orientation: Orientation) -> &'static str {
    if orientation == Orientation::TopFirst { " from the top," } else { " from the surface," }
}

/// How many values lie outside of these tables, and what became of them.
pub(super) fn outside_in_words<C>(
    input: &ColumnsInput<C>,
    outside: Outside,
    [values, tables, otherwise]: [&str; 3],
) -> Option<String> {
    let (count, first) = &input.outside;
    let how = if outside == Outside::Clamp { "clamped" } else { otherwise };
    let first = first.as_ref()?;
    Some(format!("{count} {values} lie outside of the {tables}, {how}; the first: {first}"))
}

fn names(devices: &[Device]) -> String {
    devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Name, unit, long name, CF standard name, the reference's name.
pub(super) type Named = (&'static str, &'static str, String, Option<&'static str>, Option<&'static str>);

const PRESSURES: [(&str, &str, &str); 2] =
    [("pressure", "pressure of the layer", "play"), ("level_pressure", "pressure of the level", "plev")];

/// What a field of a scheme is called.
pub(super) fn named(declared: &'static Declared) -> Named {
    let text = declared.doc.trim().trim_end_matches('.');
    let long_name = text[..1].to_lowercase() + &text[1..];
    let (standard_name, reference) = (declared.standard_names.first().copied(), declared.aliases.first().copied());
    (declared.file_name, declared.unit, long_name, standard_name, reference)
}

/// A variable of these dimensions.
pub(super) fn variable<'a>(named: &'a Named, dimensions: &'a [&'a str]) -> OutputVariable<'a> {
    let (name, units, long_name, standard_name, reference_name) = named;
    let (standard_name, reference_name) = (*standard_name, *reference_name);
    OutputVariable { name, dimensions, units, long_name, standard_name, reference_name }
}

/// Where results come from.
pub(super) fn provenance(title: &str, devices: &[Device], precision: &str, inputs: Vec<PathBuf>) -> Provenance {
    Provenance {
        title: title.into(),
        device: names(devices),
        precision: precision.into(),
        history: super::history(),
        inputs,
    }
}

/// How the input's file had its columns, and which of them were computed.
struct Layout<'a> {
    /// What layers and levels are called.
    vertical: [&'static str; 2],
    orientation: Orientation,
    layers: usize,
    status: &'a [u32],
}

/// Begins a file of fluxes: says what was computed, with what, and of which derived and extrapolated values, and has
/// the dimensions of an input with this number of layers.
pub(super) fn begin<'a, C>(
    mut file: NetcdfOutput,
    input: &'a ColumnsInput<C>,
    (layers, status): (usize, &'a [u32]),
    [scheme, k_distribution]: [&str; 2],
    outside: Option<String>,
) -> Result<Writer<'a>, Failure> {
    let top_first = input.orientation == Orientation::TopFirst;
    file.attribute("orientation", if top_first { "top_first" } else { "bottom_first" })?;
    file.attribute("scheme", scheme)?;
    file.attribute("k_distribution", k_distribution)?;
    let derived = [&input.derived[..], &input.notes].concat();
    if !derived.is_empty() {
        file.attribute("derived", &derived.join("\n"))?;
    }
    if let Some(text) = outside {
        file.attribute("outside_tables", &text)?;
    }
    for (name, size) in input.vertical.into_iter().zip([layers, layers + 1]) {
        file.dimension(name, size)?;
    }
    for (name, size) in &input.horizontal {
        file.dimension(name, *size)?;
    }
    let columns = input.horizontal.iter().map(|(name, _)| &**name).collect();
    let layout = Layout { vertical: input.vertical, orientation: input.orientation, layers, status };
    Ok(Writer { file, layout, columns })
}

/// An output in the making.
pub(super) struct Writer<'a> {
    pub(super) file: NetcdfOutput,
    layout: Layout<'a>,
    columns: Vec<&'a str>,
}

impl Writer<'_> {
    /// Writes the pressures of layers and levels \[Pa\].
    pub(super) fn pressures<R: Real + Sample>(&mut self, layers: &[f64], levels: &[f64]) -> Result<(), Failure> {
        for (&(name, long_name, reference), pressure) in PRESSURES.iter().zip([layers, levels]) {
            let named = (name, "Pa", long_name.to_owned(), Some("air_pressure"), Some(reference));
            self.put(&named, &pressure.iter().map(|&p| R::from_f64(p)).collect::<Vec<_>>(), None)?;
        }
        Ok(())
    }

    /// `[(layer or level * bands + band) * columns + column]`, the surface first, with the dimension of the bands and
    /// their number if there are any; with gaps where a column was not computed.
    pub(super) fn put<R: Real + Sample>(
        &mut self,
        named: &Named,
        values: &[R],
        band: Option<(&'static str, usize)>,
    ) -> Result<(), Failure> {
        let count = self.layout.status.len();
        let bands = band.map_or(1, |(_, bands)| bands);
        let top_first = self.layout.orientation == Orientation::TopFirst;
        let rows = values.chunks(count * bands);
        let mut values: Vec<R> = if top_first { rows.rev().flatten().copied().collect() } else { values.to_vec() };
        for row in values.chunks_mut(count) {
            for (value, status) in row.iter_mut().zip(self.layout.status) {
                if *status != Status::OK.0 {
                    *value = R::FILL;
                }
            }
        }
        let [layer, level] = self.layout.vertical;
        let mut dimensions = vec![if values.len() == self.layout.layers * bands * count { layer } else { level }];
        dimensions.extend(band.map(|(name, _)| name));
        dimensions.extend(&self.columns);
        self.file.variable_with_gaps(&variable(named, &dimensions), &values)?;
        Ok(())
    }

    /// Writes a dimension of bands, and their limits \[cm^-1\] as variables of these names.
    pub(super) fn bands(
        &mut self,
        dimension: &'static str,
        names: [&'static str; 2],
        limits: impl ExactSizeIterator<Item = [f64; 2]> + Clone,
    ) -> Result<(), Failure> {
        self.file.dimension(dimension, limits.len())?;
        for (limit, (name, which)) in names.into_iter().zip(["lower", "upper"]).enumerate() {
            let named = (name, "cm-1", format!("{which} limit of the band"), None, None);
            let values: Vec<f64> = limits.clone().map(|limits| limits[limit]).collect();
            self.file.variable(&variable(&named, &[dimension]), &values)?;
        }
        Ok(())
    }

    /// Writes which columns were computed.
    pub(super) fn status(&mut self, declared: &'static Declared) -> Result<(), Failure> {
        let status: Vec<i32> = self.layout.status.iter().map(|&status| status as i32).collect();
        let meanings = [
            (Status::OK.0 as i32, "computed"),
            (Status::NOT_FINITE.0 as i32, "not_finite"),
            (Status::OUT_OF_RANGE.0 as i32, "input_out_of_range"),
        ];
        self.file.flags(&variable(&named(declared), &self.columns), &status, &meanings)?;
        Ok(())
    }
}
