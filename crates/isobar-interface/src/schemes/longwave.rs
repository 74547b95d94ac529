//! Long-wave radiation as RRTMG_LW.

use std::path::PathBuf;

use isobar_io::{LongwaveRequest, read_longwave};
use isobar_longwave::{ColumnViews, KDistribution, Longwave, Options, Precision, analytic};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, of_file, parts};
use crate::callable::Callable;
use crate::error::CallError;
use crate::files::{FileChoices, FileFields};

pub(super) fn defaults() -> Map<String, Value> {
    as_defaults(&Options::default(), &[])
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    k_distribution: PathBuf,
}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables { k_distribution: path } = setup.tables("rrtmg_longwave")?;
    let k = if path.as_os_str() == "analytic" {
        analytic::k_distribution()
    } else {
        KDistribution::open(&path).map_err(|error| CallError::File(error.to_string()))?
    };
    let limits: Vec<[f64; 2]> = k.bands.iter().map(|band| band.wavenumbers_per_cm).collect();
    let facts = json!({ "bands": k.bands.len(), "g_points": k.points(), "band_limits_per_cm": limits });
    let mut parts = parts("rrtmg_longwave", defaults(), facts);
    let (spectrum, gases, halocarbons) = ((k.bands.len(), k.points()), k.gases(), k.halocarbons());
    parts.file = Some(Box::new(move |path, options, choices| {
        if let Some((name, _)) = choices.gases.iter().next() {
            return Err(CallError::Setup(format!("{name}: replace it among the fields that were read")));
        }
        let &FileChoices { assume_zero, clouds, cloud_fraction, outside, .. } = choices;
        let (gases, halocarbons) = (&gases[..], &halocarbons[..]);
        let request = LongwaveRequest {
            options,
            spectrum,
            gases,
            halocarbons,
            constants: &[],
            assume_zero,
            clouds,
            cloud_fraction,
            outside,
        };
        let input = read_longwave(path, &request).map_err(of_file)?;
        let views = ColumnViews::try_from(&input.columns)?;
        let extents = views.extents(spectrum, options)?;
        Ok(FileFields::of(&views, &extents, input.derived).with_notes(input.notes))
    }));
    setup.wrap(|devices| Longwave::<R>::new(&k).on(devices), parts)
}
