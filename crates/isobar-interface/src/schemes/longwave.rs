//! Long-wave radiation as RRTMG_LW.

use std::path::PathBuf;

use isobar_io::longwave::Absorber;
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
    let (spectrum, gases, halocarbons) = ((k.bands.len(), k.points()), k.gases(), k.halocarbons());
    let needed = Absorber::all().filter(|absorber| match absorber {
        Absorber::Gas(gas) => gases.contains(gas) && !absorber.may_be_missing(),
        Absorber::Halocarbon(_) => false,
    });
    let facts = json!({
        "bands": k.bands.len(),
        "g_points": k.points(),
        "band_limits_per_cm": limits,
        "needed_gases": needed.map(Absorber::name).collect::<Vec<_>>(),
    });
    let mut parts = parts("rrtmg_longwave", defaults(), facts);
    parts.file = Some(Box::new(move |path, options, choices| {
        let constant = |(name, &value): (&String, &f64)| match name.parse::<Absorber>() {
            Ok(absorber) => Ok((absorber, value)),
            Err(_) => Err(CallError::name("gas", name, Absorber::all().map(Absorber::name))),
        };
        let constants = choices.gases.iter().map(constant).collect::<Result<Vec<_>, CallError>>()?;
        let constants = &constants[..];
        let &FileChoices { assume_zero, clouds, cloud_fraction, outside, .. } = choices;
        let (gases, halocarbons) = (&gases[..], &halocarbons[..]);
        let request = LongwaveRequest {
            options,
            spectrum,
            gases,
            halocarbons,
            constants,
            assume_zero,
            clouds,
            cloud_fraction,
            outside,
            keep_going: false,
        };
        let input = read_longwave(path, &request).map_err(of_file)?;
        let views = ColumnViews::try_from(&input.columns)?;
        let extents = views.extents(spectrum, options)?;
        Ok(FileFields::of(&views, &extents, input.derived).with_notes(input.notes))
    }));
    setup.wrap(|devices| Longwave::<R>::new(&k).on(devices), parts)
}
