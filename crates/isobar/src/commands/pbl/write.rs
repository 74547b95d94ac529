//! The output file.

use isobar_core::Real;
use isobar_core::fields::{AnyValues, Declared, InputSet, LAYER, OwnedOutputs};
use isobar_io::BoundaryLayerInput;
use isobar_io::netcdf::{DatasetWriter, Sample};
use isobar_ysu::{ColumnViews, Constants, Device, ResultViews};

use super::options::{Pbl, SchemeOption, VersionOption};
use super::steps::Run;
use crate::commands::column_results::{self, Contents, Named, begin, provenance};
use crate::program::failure::Failure;

/// What the heights of layers are called; the other where a dimension has that name, whose coordinate it would be.
const HEIGHTS: [&str; 2] = ["height", "height_above_ground"];

/// The fields that the scheme changes.
const STATE: [&str; 6] =
    ["u_m_per_s", "v_m_per_s", "temperature_k", "vapour_kg_per_kg", "cloud_water_kg_per_kg", "cloud_ice_kg_per_kg"];

/// Results of the surface layer that those of the boundary layer have, too, and after it.
const OF_BOTH: [&str; 3] = ["u_10m_m_per_s", "v_10m_m_per_s", "status"];

/// A field as the scheme declares it, `when` it is: the first sentence of what is said of it.
fn named(declared: &'static Declared, when: &str) -> Named<'static> {
    let (name, unit, long_name, standard_name, reference_name) = column_results::named(declared);
    let first = long_name.split('.').next().unwrap_or(&long_name);
    (name, unit, format!("{first}{when}"), standard_name, reference_name)
}

/// The same along the axes of a grid.
fn along_grid((name, unit, long_name, standard_name, reference): Named<'static>) -> Named<'static> {
    let standard_name = match standard_name {
        Some("eastward_wind") => Some("x_wind"),
        Some("northward_wind") => Some("y_wind"),
        other => other.filter(|name| !["eastward", "northward"].iter().any(|way| name.contains(way))),
    };
    let along = [("eastward", "x"), ("northward", "y")].into_iter().flat_map(|(way, axis)| {
        ["wind", "momentum"].map(|what| (format!("{way} {what}"), format!("{what} along the grid's {axis} axis")))
    });
    let long_name = along.fold(long_name, |text, (way, axis)| text.replace(&way, &axis));
    (name, unit, long_name, standard_name, reference)
}

/// Writes the results with the input's dimensions and orientation.
pub(super) fn write<R: Real + Sample>(
    options: &Pbl,
    input: &BoundaryLayerInput,
    devices: &[Device],
    run: &Run<R>,
    file: &mut DatasetWriter,
) -> Result<(), Failure> {
    let title = match options.scheme {
        SchemeOption::Ysu => "Boundary-layer tendencies by the YSU scheme",
        SchemeOption::ShinHong => "Boundary-layer tendencies by the Shin-Hong scheme",
    };
    file.provenance(&provenance(title, devices, R::NAME, options.columns.clone()))?;
    let air = &input.air.columns;
    let status: Vec<u32> = run.status.iter().map(|status| status.0).collect();
    let is_dimension = |name: &str| {
        input.air.vertical.iter().chain(input.air.horizontal.iter().map(|(name, _)| name)).any(|other| other == name)
    };
    let height = HEIGHTS[usize::from(is_dimension(HEIGHTS[0]))];
    let is_result = |name: &str| {
        let of_results = ResultViews::<f64>::DECLARED.iter().chain(isobar_surface::ResultViews::<f64>::DECLARED);
        let of_state = ColumnViews::<f64>::DECLARED.iter().filter(|declared| STATE.contains(&declared.name));
        name == height || of_results.chain(of_state).any(|declared| declared.file_name == name)
    };
    let mut texts = vec![("scheme", scheme(options))];
    texts.extend(when(options).map(|text| ("comment", text)));
    let contents = Contents { layers: air.layers(), status: &status, has_levels: false, texts: &texts, is_result };
    let mut writer = begin(file, &input.air, contents)?;
    let count = air.columns();

    let long_name = "height of the middle of the layer above the ground".to_owned();
    writer.put(
        &(height, "m", long_name, Some("height"), Some("za")),
        &heights::<R>(&run.state.thickness_m, count),
        None,
    )?;
    let named = |declared: &'static Declared, when: &str| {
        let named = named(declared, when);
        if input.is_along_grid { along_grid(named) } else { named }
    };
    let mut outcome = Ok(());
    run.outputs.each(&mut |declared, values| {
        let written = match (declared.name, values) {
            ("status", _) => Ok(()),
            // What the scheme does not have.
            (_, AnyValues::Real([])) => Ok(()),
            (_, AnyValues::Word(words)) => writer.put_columns(&named(declared, ""), &as_numbers(words)),
            (_, AnyValues::Real(values)) if declared.shape == [LAYER] => writer.put(&named(declared, ""), values, None),
            (_, AnyValues::Real(values)) if declared.shape.is_empty() => {
                writer.put_columns(&named(declared, ""), values)
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
                AnyValues::Real(values) => writer.put_columns(&named(declared, ""), values),
                AnyValues::Word(words) => writer.put_columns(&named(declared, ""), &as_numbers(words)),
            };
        });
    }
    if options.steps.is_some() {
        ColumnViews::try_from(&run.state)?.visit(&mut |declared, field| {
            if STATE.contains(&declared.name) && outcome.is_ok() {
                let field = field.real();
                let rows = (0..field.levels()).flat_map(|row| (0..count).map(move |column| field.at(row, column)));
                let values: Vec<R> = rows.map(R::from_f64).collect();
                outcome = writer.put(&named(declared, " after the last step"), &values, None);
            }
        });
    }
    outcome?;
    let named = ("status", "1", "whether the column was computed".to_owned(), None, None);
    writer.status(&named, "input_missing_or_not_finite")
}

fn as_numbers(words: &[u32]) -> Vec<i32> {
    words.iter().map(|&word| word as i32).collect()
}

/// The middles of layers, above the ground.
fn heights<R: Real>(thickness: &[f64], count: usize) -> Vec<R> {
    let mut bottom = vec![0.0; count];
    let middle = |(i, thickness): (usize, &f64)| {
        let bottom = &mut bottom[i % count];
        *bottom += thickness;
        R::from_f64(*bottom - 0.5 * thickness)
    };
    thickness.iter().enumerate().map(middle).collect()
}

/// Of which times results and the last state are, where they are not those of the file.
pub(super) fn when(options: &Pbl) -> Option<String> {
    let (times, dt) = (f64::from(options.steps?), options.dt);
    let results = if times == 1.0 { String::new() } else { format!(" results are of {} s later,", (times - 1.0) * dt) };
    Some(format!("times are those of the columns that were read:{results} the last state is of {} s later", times * dt))
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
    text += &options.surface.in_words();
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
    if options.coriolis_magnitude {
        text += ", magnitude of the Coriolis parameter";
    }
    if options.dissipative_heating {
        text += ", heat of dissipation";
    }
    if options.topographic {
        text += ", drag over unresolved orography";
    }
    text
}
