//! Results of columns in a NetCDF file that has the dimensions and the orientation of the input.

use std::path::PathBuf;

use isobar_core::fields::Declared;
use isobar_core::{Real, Status};
use isobar_io::netcdf::{DatasetWriter, Orientation, OutputVariable, Provenance, Sample};
use isobar_io::{ColumnsInput, Outside};
use isobar_launch::Device;
use isobar_radiation::FluxViews;

use crate::program::failure::Failure;

/// The status of columns that the file has no values of.
pub(super) const MASKED: u32 = Status::NOT_COMPUTED.0;

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
pub(super) fn outside_in_words(
    (count, first): &(usize, Option<String>),
    outside: Outside,
    [values, tables, otherwise]: [&str; 3],
) -> Option<String> {
    let how = if outside == Outside::Clamp { "clamped" } else { otherwise };
    // The first may be that of another process.
    let first = first.as_ref().map(|first| format!("; the first: {first}")).unwrap_or_default();
    (*count > 0).then(|| format!("{count} {values} lie outside of the {tables}, {how}{first}"))
}

fn names(devices: &[Device]) -> String {
    devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Name, unit, long name, CF standard name, the reference's name.
pub(super) type Named<'a> = (&'a str, &'a str, String, Option<&'a str>, Option<&'a str>);

const PRESSURES: [(&str, &str, &str); 2] =
    [("pressure", "pressure of the layer", "play"), ("level_pressure", "pressure of the level", "plev")];

/// What a field of a scheme is called.
pub(super) fn named(declared: &'static Declared) -> Named<'static> {
    let text = declared.doc.trim().trim_end_matches('.');
    let long_name = text[..1].to_lowercase() + &text[1..];
    let (standard_name, reference) = (declared.standard_names.first().copied(), declared.aliases.first().copied());
    (declared.file_name, declared.unit, long_name, standard_name, reference)
}

/// A variable of these dimensions.
pub(super) fn variable<'a>(named: &'a Named<'_>, dimensions: &'a [&'a str]) -> OutputVariable<'a> {
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
        history: super::history_of_all_ranks(),
        inputs,
    }
}

/// How the input's file had its columns, and which of them were computed.
struct Layout<'a> {
    /// What layers and levels are called.
    vertical: [&'a str; 2],
    /// After how many of the dimensions of columns the vertical comes, and how many columns there are behind it.
    position: usize,
    inner: usize,
    orientation: Orientation,
    layers: usize,
    status: &'a [u32],
    /// How many layers of each column lie below its ground, where there are any.
    below_ground: &'a [usize],
}

/// What a file of results has.
pub(super) struct Contents<'a, F> {
    pub(super) layers: usize,
    pub(super) status: &'a [u32],
    /// Whether results are there for levels, too.
    pub(super) has_levels: bool,
    /// Attributes that say what was computed.
    pub(super) texts: &'a [(&'a str, String)],
    /// Whether a result goes by a name, which is no coordinate's then.
    pub(super) is_result: F,
}

/// Begins a file of results: says what was computed and what was derived, and has the dimensions of an input and its
/// coordinates.
pub(super) fn begin<'a, C>(
    file: &'a mut DatasetWriter,
    input: &'a ColumnsInput<C>,
    contents: Contents<'a, impl Fn(&str) -> bool>,
) -> Result<Writer<'a>, Failure> {
    let Contents { layers, status, has_levels, texts, is_result } = contents;
    let top_first = input.orientation == Orientation::TopFirst;
    file.attribute("orientation", if top_first { "top_first" } else { "bottom_first" })?;
    for (name, text) in texts {
        file.attribute(name, text)?;
    }
    let derived = [&input.derived[..], &input.notes].concat();
    if !derived.is_empty() {
        file.attribute("derived", &derived.join("\n"))?;
    }
    let vertical = input.vertical.each_ref().map(String::as_str);
    for (name, size) in vertical.into_iter().zip([layers, layers + 1]).take(1 + usize::from(has_levels)) {
        file.dimension(name, size)?;
    }
    for (name, size) in &input.horizontal {
        file.dimension(name, *size)?;
    }
    let columns: Vec<&str> = input.horizontal.iter().map(|(name, _)| &**name).collect();
    file.coordinates(&columns, &input.coordinates, is_result)?;
    let position = input.vertical_position;
    let layout = Layout {
        vertical,
        position,
        inner: input.horizontal[position..].iter().map(|(_, size)| size).product(),
        orientation: input.orientation,
        layers,
        status,
        below_ground: &input.below_ground.layers,
    };
    Ok(Writer { file, layout, columns })
}

/// Whether a result of radiation goes by a name.
pub(super) fn is_of_radiation(name: &str) -> bool {
    PRESSURES.iter().any(|(ours, ..)| *ours == name) || FluxViews::<f64>::DECLARED.iter().any(|d| d.file_name == name)
}

impl Layout<'_> {
    /// Layers and levels below the ground are left out: there the lowest layer above it was divided into parts, whose
    /// mean is its own, or whose sum, of derivatives; the ground's values are those of the level below it.
    fn leave_out_below_ground<R: Real + Sample>(&self, values: &mut [R], of_layers: bool, are_derivatives: bool) {
        let count = self.status.len();
        let levels = self.layers + usize::from(!of_layers);
        let bands = values.len() / count / levels;
        for (column, &below) in self.below_ground.iter().enumerate().filter(|(_, below)| **below > 0) {
            for band in 0..bands {
                let at = |level: usize| (level * bands + band) * count + column;
                values[at(below)] = if of_layers {
                    let sum = (0..=below).fold(R::ZERO, |sum, level| sum + values[at(level)]);
                    if are_derivatives { sum } else { sum / R::from_f64((below + 1) as f64) }
                } else {
                    values[at(0)]
                };
                (0..below).for_each(|level| values[at(level)] = R::FILL);
            }
        }
    }

    /// `[row][column]` with the rows where the file has the vertical among the dimensions of its columns.
    fn in_order<R: Copy>(&self, values: Vec<R>) -> Vec<R> {
        let (count, inner) = (self.status.len(), self.inner);
        if inner == count {
            return values;
        }
        let rows = values.len() / count;
        let mut ordered = Vec::with_capacity(values.len());
        for outer in 0..count / inner {
            for row in 0..rows {
                ordered.extend_from_slice(&values[row * count + outer * inner..][..inner]);
            }
        }
        ordered
    }
}

/// An output in the making.
pub(super) struct Writer<'a> {
    pub(super) file: &'a mut DatasetWriter,
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
        named: &Named<'_>,
        values: &[R],
        band: Option<(&'static str, usize)>,
    ) -> Result<(), Failure> {
        self.put_all(named, values, band, false)
    }

    /// Derivatives by what layers, levels or columns have: those by parts of a layer add up to that by the layer.
    pub(super) fn put_derivatives<R: Real + Sample>(&mut self, named: &Named<'_>, values: &[R]) -> Result<(), Failure> {
        if values.len() == self.layout.status.len() {
            return self.put_columns(named, values);
        }
        self.put_all(named, values, None, true)
    }

    fn put_all<R: Real + Sample>(
        &mut self,
        named: &Named<'_>,
        values: &[R],
        band: Option<(&'static str, usize)>,
        are_derivatives: bool,
    ) -> Result<(), Failure> {
        let layout = &self.layout;
        let count = layout.status.len();
        let bands = band.map_or(1, |(_, bands)| bands);
        let of_layers = values.len() == layout.layers * bands * count;
        let mut values = values.to_vec();
        layout.leave_out_below_ground(&mut values, of_layers, are_derivatives);
        for row in values.chunks_mut(count) {
            for (value, status) in row.iter_mut().zip(layout.status) {
                if *status != Status::OK.0 {
                    *value = R::FILL;
                }
            }
        }
        let rows = values.chunks(count * bands);
        let top_first = layout.orientation == Orientation::TopFirst;
        let values: Vec<R> = if top_first { rows.rev().flatten().copied().collect() } else { values };
        let values = layout.in_order(values);
        let [layer, level] = layout.vertical;
        let mut dimensions = self.columns.clone();
        let inserted = [Some(if of_layers { layer } else { level }), band.map(|(name, _)| name)];
        dimensions.splice(layout.position..layout.position, inserted.into_iter().flatten());
        self.file.variable_with_gaps(&variable(named, &dimensions), &values)?;
        Ok(())
    }

    /// A value of each column, with gaps where it was not computed.
    pub(super) fn put_columns<T: Sample + Copy>(&mut self, named: &Named<'_>, values: &[T]) -> Result<(), Failure> {
        let of_column = |(value, status): (&T, &u32)| if *status == Status::OK.0 { *value } else { T::FILL };
        let values: Vec<T> = values.iter().zip(self.layout.status).map(of_column).collect();
        self.file.variable_with_gaps(&variable(named, &self.columns), &values)?;
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

    /// Writes which columns were computed, and says in a word what is wrong with those that are not finite.
    pub(super) fn status(&mut self, named: &Named<'_>, not_finite: &str) -> Result<(), Failure> {
        let status: Vec<i32> = self.layout.status.iter().map(|&status| status as i32).collect();
        // All of them, for the first part of a file does not know what later ones have.
        let meanings = [
            (Status::OK.0 as i32, "computed"),
            (Status::NOT_FINITE.0 as i32, not_finite),
            (Status::OUT_OF_RANGE.0 as i32, "input_out_of_range"),
            (MASKED as i32, "masked"),
        ];
        self.file.flags(&variable(named, &self.columns), &status, &meanings)?;
        Ok(())
    }
}
