//! The output file.

use isobar_core::fields::{AnyValues, Declared, InputSet, LAYER, OwnedOutputs};
use isobar_core::{Real, Status};
use isobar_io::BoundaryLayerInput;
use isobar_io::netcdf::{NetcdfOutput, Orientation, Sample};
use isobar_ysu::{ColumnViews, Constants, Device};

use super::options::{Pbl, SchemeOption, SurfaceOption, VersionOption};
use super::steps::Run;
use crate::commands::column_results::{self, Named, provenance, variable};
use crate::program::failure::Failure;

/// The fields that the scheme changes.
const STATE: [&str; 6] =
    ["u_m_per_s", "v_m_per_s", "temperature_k", "vapour_kg_per_kg", "cloud_water_kg_per_kg", "cloud_ice_kg_per_kg"];

/// Results of the surface layer that those of the boundary layer have, too, and after it.
const OF_BOTH: [&str; 3] = ["u_10m_m_per_s", "v_10m_m_per_s", "status"];

/// A field as the scheme declares it, `when` it is: the first sentence of what is said of it.
fn named(declared: &'static Declared, when: &str) -> Named {
    let (name, unit, long_name, standard_name, reference_name) = column_results::named(declared);
    let first = long_name.split('.').next().unwrap_or(&long_name);
    (name, unit, format!("{first}{when}"), standard_name, reference_name)
}

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
    let title = match options.scheme {
        SchemeOption::Ysu => "Boundary-layer tendencies by the YSU scheme",
        SchemeOption::ShinHong => "Boundary-layer tendencies by the Shin-Hong scheme",
    };
    file.provenance(&provenance(title, devices, R::NAME, vec![options.columns.clone()]))?;
    let top_first = input.orientation == Orientation::TopFirst;
    file.attribute("orientation", if top_first { "top_first" } else { "bottom_first" })?;
    file.attribute("scheme", &scheme(options))?;
    if !input.derived.is_empty() {
        file.attribute("derived", &input.derived.join("\n"))?;
    }
    let [layer, _] = input.vertical;
    file.dimension(layer, input.columns.layers())?;
    for (name, size) in &input.horizontal {
        file.dimension(name, *size)?;
    }
    let columns: Vec<&str> = input.horizontal.iter().map(|(name, _)| &**name).collect();
    let layers = [vec![layer], columns.clone()].concat();
    let count = input.columns.columns();
    let mut writer = Writer { file, layers, columns, count, top_first, status: &run.status };

    let height = "height of the middle of the layer above the ground".to_owned();
    let height = ("height", "m", height, Some("height"), Some("za"));
    writer.layers(&height, &heights::<R>(&input.columns.thickness_m, count))?;
    let mut outcome = Ok(());
    run.outputs.each(&mut |declared, values| {
        let written = match (declared.name, values) {
            ("status", _) => Ok(()),
            // What the scheme does not have.
            (_, AnyValues::Real([])) => Ok(()),
            (_, AnyValues::Word(words)) => {
                writer.columns(&named(declared, ""), words.iter().map(|&word| word as i32).collect())
            }
            (_, AnyValues::Real(values)) if declared.shape == [LAYER] => writer.layers(&named(declared, ""), values),
            (_, AnyValues::Real(values)) if declared.shape.is_empty() => {
                writer.columns(&named(declared, ""), values.to_vec())
            }
            (_, AnyValues::Real(_)) => Ok(()),
        };
        if outcome.is_ok() {
            outcome = written;
        }
    });
    if let Some(surface) = &run.surface {
        surface.each(&mut |declared, values| {
            if outcome.is_err() || OF_BOTH.contains(&declared.name) {
                return;
            }
            outcome = match values {
                AnyValues::Real(values) => writer.columns(&named(declared, ""), values.to_vec()),
                AnyValues::Word(words) => {
                    writer.columns(&named(declared, ""), words.iter().map(|&word| word as i32).collect())
                }
            };
        });
    }
    if options.steps.is_some() {
        ColumnViews::try_from(&run.state)?.visit(&mut |declared, field| {
            if STATE.contains(&declared.name) && outcome.is_ok() {
                let field = field.real();
                let rows = (0..field.levels()).flat_map(|row| (0..count).map(move |column| field.at(row, column)));
                let values: Vec<R> = rows.map(R::from_f64).collect();
                outcome = writer.layers(&named(declared, " after the last step"), &values);
            }
        });
    }
    outcome?;
    let status: Vec<i32> = run.status.iter().map(|status| status.0 as i32).collect();
    let meanings = [
        (Status::OK.0 as i32, "computed"),
        (Status::NOT_FINITE.0 as i32, "input_missing_or_not_finite"),
        (Status::OUT_OF_RANGE.0 as i32, "input_out_of_range"),
    ];
    let named = ("status", "1", "whether the column was computed".to_owned(), None, None);
    writer.file.flags(&variable(&named, &writer.columns), &status, &meanings)?;
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

    fn columns<T: Sample + Copy>(&mut self, named: &Named, values: Vec<T>) -> Result<(), Failure> {
        self.put(named, false, values)
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

/// VersionOption the middles of layers, above the ground.
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
        VersionOption::Wrf4 => "WRF 4",
        VersionOption::Wrf361 => "WRF 3.6.1",
    };
    let name = match options.scheme {
        SchemeOption::Ysu => format!("YSU as in {version}"),
        SchemeOption::ShinHong => "Shin-Hong".to_owned(),
    };
    let mut text = format!("{name}, time step {} s, applied {} times", options.dt, options.times());
    if options.surface == SurfaceOption::RevisedMm5 {
        text += ", surface layer of the revised MM5 scheme";
    }
    if options.constants != Constants::WRF {
        let all = options.constants.each().map(|(name, _, value)| format!("{name} {value}"));
        text += &format!(", constants {}", all.join(", "));
    }
    if options.top_down {
        text += ", top-down mixing";
    }
    if options.limited_entrainment {
        text += ", limited entrainment of cloud tops";
    }
    if options.urban {
        text += ", towns";
    }
    if options.ysu_flux {
        text += ", thermals as in YSU";
    }
    if options.dissipative_heating {
        text += ", heat of dissipation";
    }
    if options.topographic {
        text += ", drag over unresolved orography";
    }
    text
}
