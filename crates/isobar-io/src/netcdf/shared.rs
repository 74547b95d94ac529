//! Whether variables that several files have say the same: instants by their units and calendars, others in one unit.

use netcdf_reader::{NcType, NcVariable};

use super::{Dataset, Unit, values};
use crate::calendar::units::{Since, are_of_times};
use crate::date_of_seconds;

/// Instants this far apart are the same \[s\]: days since a far date are rounded by less.
const SAME_INSTANT_S: f64 = 1e-3;

impl Dataset {
    /// What of a variable differs from one of another file, in words that follow its name; nothing where they are the
    /// same.
    pub(super) fn difference(&self, known: &NcVariable, other: &Self, variable: &NcVariable) -> Option<String> {
        let dimensions = |variable: &NcVariable| -> Vec<String> {
            variable.dimensions.iter().map(|dimension| dimension.name.clone()).collect()
        };
        let [ours, theirs] = [known, variable].map(dimensions);
        if ours != theirs {
            return Some(format!("has dimensions ({}), and not ({})", theirs.join(", "), ours.join(", ")));
        }
        let (here, there) = (self.files.of(&known.name), other.files.of(&variable.name));
        match (values::or_nan(here, known), values::or_nan(there, variable)) {
            (Some(here), Some(there)) if here.len() == there.len() => {
                let same = Same::of([(self, known), (other, variable)]);
                let pairs = here.iter().zip(&there);
                let (_, (ours, theirs)) = pairs.enumerate().find(|(_, (here, there))| !same.are(**here, **there))?;
                Some(same.in_words(*ours, *theirs))
            }
            (Some(here), Some(there)) => Some(format!("has {} values and not {}", there.len(), here.len())),
            (None, None) if here.strings(known).ok() == there.strings(variable).ok() => None,
            _ => Some("has other values".to_owned()),
        }
    }
}

/// How numbers of two files are compared.
enum Same {
    /// As instants.
    Instants([Since; 2]),
    /// In one unit; the relative error of a conversion, if there is one.
    Numbers { conversion: super::Conversion, error: f64, units: [String; 2] },
    /// They measure different things, in these units.
    Never([String; 2]),
}

impl Same {
    fn of(both: [(&Dataset, &NcVariable); 2]) -> Self {
        let texts = |name: &str| both.map(|(file, variable)| file.text_or_bounded(variable, name));
        let (stated, calendars) = (texts("units"), texts("calendar"));
        let units = stated.clone().map(Option::unwrap_or_default);
        let alike = || Self::Numbers { conversion: super::Conversion::NONE, error: 0.0, units: units.clone() };
        let counts = units.each_ref().map(|units| are_of_times(units));
        if counts != [false; 2] {
            let since = |which: usize| Since::of(&units[which], calendars[which].as_deref());
            return match (since(0), since(1)) {
                (Ok(ours), Ok(theirs)) => Self::Instants([ours, theirs]),
                _ if stated[0] == stated[1] && calendars[0] == calendars[1] => alike(),
                _ => Self::Never(units),
            };
        }
        // What states no unit that is known says nothing against the other's.
        let [Ok(ours), Ok(theirs)] = units.each_ref().map(|units| units.parse::<Unit>()) else { return alike() };
        if stated.iter().any(Option::is_none) {
            return alike();
        }
        match theirs.conversion(&ours) {
            None => Self::Never(units),
            Some(conversion) if conversion == super::Conversion::NONE => alike(),
            Some(conversion) => {
                let is_single = both.iter().any(|(_, variable)| matches!(variable.dtype, NcType::Float));
                let rounding = if is_single { f64::from(f32::EPSILON) } else { f64::EPSILON };
                Self::Numbers { conversion, error: 4.0 * rounding, units }
            }
        }
    }

    fn are(&self, ours: f64, theirs: f64) -> bool {
        match self {
            Self::Instants([here, there]) => match (here.seconds(ours), there.seconds(theirs)) {
                (Some((ours, _)), Some((theirs, _))) => (ours - theirs).abs() <= SAME_INSTANT_S,
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            },
            Self::Numbers { conversion, error, .. } => {
                let converted = conversion.apply(theirs);
                // An offset, as of degrees Celsius, is rounded, too.
                let allowed = error * ours.abs().max(theirs.abs()).max(converted.abs());
                ours == converted || (ours.is_nan() && theirs.is_nan()) || (ours - converted).abs() <= allowed
            }
            Self::Never(_) => false,
        }
    }

    /// What two numbers are that differ.
    fn in_words(&self, ours: f64, theirs: f64) -> String {
        match self {
            Self::Instants([here, there]) => {
                let [ours, theirs] = [(here, ours), (there, theirs)].map(|(since, value)| {
                    let date = since.seconds(value).and_then(|(seconds, _)| date_of_seconds(seconds));
                    date.unwrap_or_else(|| format!("{value}"))
                });
                format!("has {theirs}, and not {ours}")
            }
            Self::Numbers { units: [here, there], .. } => {
                let of = |value: f64, units: &str| format!("{value} {units}").trim_end().to_owned();
                format!("has {}, and not {}", of(theirs, there), of(ours, here))
            }
            Self::Never([here, there]) => format!("is in {there:?}, and not in {here:?}"),
        }
    }
}
