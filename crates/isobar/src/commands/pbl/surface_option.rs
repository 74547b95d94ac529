//! `--surface`: where the surface layer comes from, and the options of one that is computed.

use std::str::FromStr;

use isobar_io::SurfaceLayerSource;
use isobar_surface::{Constants, LandRoughness, Options, WaterRoughness};
use toml::{Table, Value};

/// Where the surface layer comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SurfaceOption {
    /// The file, or similarity formulas, from the file's fluxes.
    Given,
    /// The revised MM5 scheme; of its constants those of saturation and potential temperature count, the others are
    /// `--constants`.
    RevisedMm5(Options),
}

/// Constants that the surface layer has for itself.
const OWN: [&str; 5] = ["svp1", "svp2", "svp3", "svpt0", "p1000mb"];
/// Those of both layers.
const SHARED: [&str; 6] = ["cp", "g", "rd", "rv", "karman", "xlv"];

impl FromStr for SurfaceOption {
    type Err = String;

    /// `given`, or `revised-mm5,KEY=VALUE,...` with the keys and values of a case's `[surface_layer]`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = text.split_once(',').map_or((text, None), |(name, rest)| (name, Some(rest)));
        match (name, rest) {
            ("given", None) => Ok(Self::Given),
            ("given", Some(rest)) => Err(format!("a surface layer that is given has no options: '{rest}'")),
            ("revised-mm5" | "revised_mm5", rest) => Ok(Self::RevisedMm5(options(rest)?)),
            _ => Err(format!("'{name}' is no surface layer: given, revised-mm5")),
        }
    }
}

/// What is chosen; the rest is WRF's.
fn options(text: Option<&str>) -> Result<Options, String> {
    let mut known = table(&Options::default());
    let Some(Value::Table(mut constants)) = known.remove("constants") else { unreachable!("options have constants") };
    let (mut chosen, mut of_constants) = (Table::new(), Table::new());
    for part in text.into_iter().flat_map(|text| text.split(',')).map(str::trim) {
        let Some((key, value)) = part.split_once('=') else {
            return Err(format!("'{part}' is not of the form KEY=VALUE, such as root=converged"));
        };
        let (key, value) = (key.trim(), value.trim());
        if SHARED.contains(&key) {
            return Err(format!("{key} is a constant of the boundary layer, too: --constants has it"));
        }
        let (known, into) =
            if OWN.contains(&key) { (&mut constants, &mut of_constants) } else { (&mut known, &mut chosen) };
        let Some(default) = known.get(key) else {
            let keys: Vec<&str> = known.keys().map(String::as_str).chain(OWN).collect();
            return Err(format!("'{key}' is no option of the surface layer: {}", keys.join(", ")));
        };
        let value = value_like(default, value).ok_or_else(|| {
            let kind = if default.is_bool() { "neither true nor false" } else { "no number" };
            format!("{key} is '{value}', {kind}")
        })?;
        if into.insert(key.to_owned(), value).is_some() {
            return Err(format!("{key} is given twice"));
        }
    }
    if chosen.contains_key("form_drag_factor") && chosen.get("form_drag") != Some(&Value::Boolean(true)) {
        return Err("form_drag_factor has no effect without form_drag=true".to_owned());
    }
    chosen.insert("constants".to_owned(), Value::Table(of_constants));
    let options: Options = chosen.try_into().map_err(|error: toml::de::Error| in_words(&error))?;
    options.check().map_err(|error| error.to_string())?;
    Ok(options)
}

/// A value of the same kind as another one.
fn value_like(default: &Value, text: &str) -> Option<Value> {
    match default {
        Value::Boolean(_) => text.parse().ok().map(Value::Boolean),
        Value::Float(_) => text.parse().ok().map(Value::Float),
        _ => Some(Value::String(text.replace('-', "_"))),
    }
}

/// What [`value_like`] reads.
fn plain(value: &Value) -> String {
    match value {
        Value::Boolean(yes) => yes.to_string(),
        Value::Float(number) => number.to_string(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

/// A name that is none of its key's, whose kind is right.
fn in_words(error: &toml::de::Error) -> String {
    let message = error.message().trim();
    message
        .strip_prefix("unknown variant ")
        .map_or(message.to_owned(), |rest| rest.replacen(", expected", " is not", 1))
}

/// Options by name.
fn table(options: &Options) -> Table {
    Table::try_from(options).expect("options are a table of names, numbers, and yes or no")
}

impl SurfaceOption {
    /// Where it comes from, on a grid of this distance where the file does not say it.
    pub(crate) fn source(self, grid_length_m: Option<f64>) -> SurfaceLayerSource {
        match self {
            Self::Given => SurfaceLayerSource::Given,
            Self::RevisedMm5(options) => SurfaceLayerSource::Computed { grid_length_m, options },
        }
    }

    /// The options with the constants that both layers share.
    pub(super) fn with(self, shared: &isobar_ysu::Constants) -> Option<Options> {
        let Self::RevisedMm5(options) = self else { return None };
        let constants = Constants {
            cp: shared.heat_capacity_j_per_kg_k,
            g: shared.gravity_m_per_s2,
            rd: shared.gas_constant_j_per_kg_k,
            rv: shared.vapour_gas_constant_j_per_kg_k,
            karman: shared.karman,
            xlv: shared.latent_heat_j_per_kg,
            ..options.constants
        };
        Some(Options { constants, ..options })
    }

    /// What was chosen, in words; nothing of a layer that is given.
    pub(super) fn in_words(self) -> String {
        let Self::RevisedMm5(options) = self else { return String::new() };
        let flat = |options: &Options| {
            let mut table = table(options);
            let Some(Value::Table(constants)) = table.remove("constants") else { return table };
            table.extend(constants);
            table
        };
        let usual = flat(&Options::default());
        let chosen = flat(&options).into_iter().filter(|(key, value)| usual.get(key) != Some(value));
        let chosen: String = chosen.map(|(key, value)| format!(" {key}={}", plain(&value))).collect();
        format!(", surface layer of the revised MM5 scheme{chosen}")
    }

    /// Options that no column is for.
    pub(super) fn useless(self, land_or_water: &[f64]) -> Option<String> {
        let Self::RevisedMm5(options) = self else { return None };
        let all = |kind: f64| land_or_water.iter().all(|&here| here == kind);
        let of_water = options.shallow_water || options.water_roughness != WaterRoughness::Coare;
        match () {
            () if of_water && all(1.0) => Some("the roughness of water has no effect: all columns are land".to_owned()),
            () if options.land_roughness != LandRoughness::Momentum && all(2.0) => {
                Some("land_roughness has no effect: all columns are water".to_owned())
            }
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use isobar_surface::{Fluxes, Root};

    use super::*;

    fn parsed(text: &str) -> Options {
        match text.parse() {
            Ok(SurfaceOption::RevisedMm5(options)) => options,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn every_option_has_its_key() {
        assert_eq!(parsed("revised-mm5"), Options::default());
        let all = Options {
            fluxes: Fluxes::Zero,
            water_roughness: WaterRoughness::Coare,
            land_roughness: LandRoughness::ChenZhang,
            shallow_water: true,
            form_drag: true,
            form_drag_factor: 2.0,
            root: Root::Converged,
            constants: Constants {
                svp1: 0.611,
                svp2: 17.5,
                svp3: 29.0,
                svpt0: 273.16,
                p1000mb: 101_325.0,
                ..Constants::wrf()
            },
        };
        let text = "revised-mm5,fluxes=zero,water_roughness=coare,land_roughness=chen-zhang,shallow_water=true,\
                    form_drag=true,form_drag_factor=2,root=converged,svp1=0.611,svp2=17.5,svp3=29,svpt0=273.16,\
                    p1000mb=101325";
        assert_eq!(parsed(text), all);
        // What was chosen is what the output says.
        let words = SurfaceOption::RevisedMm5(all).in_words();
        let said = words.strip_prefix(", surface layer of the revised MM5 scheme ").unwrap().replace(' ', ",");
        assert_eq!(parsed(&format!("revised-mm5,{said}")), all, "{words}");
        // All keys are here.
        let mut keys: Vec<String> = table(&Options::default()).into_iter().map(|(key, _)| key).collect();
        keys.retain(|key| key != "constants");
        assert!(keys.iter().all(|key| text.contains(&format!("{key}="))), "{keys:?}");
        let constants = toml::Table::try_from(Constants::wrf()).unwrap();
        assert!(constants.keys().all(|key| OWN.contains(&key.as_str()) != SHARED.contains(&key.as_str())));
        assert_eq!(constants.len(), OWN.len() + SHARED.len());
    }

    /// A host model's constants are the same in both layers.
    #[test]
    fn constants_are_those_of_the_boundary_layer() {
        let option: SurfaceOption = "revised-mm5".parse().unwrap();
        let hosts = [Constants::wrf(), Constants::mpas(), Constants::cam_sima(), Constants::ufs()];
        for ((name, shared), expected) in isobar_ysu::Constants::NAMED.into_iter().zip(hosts) {
            assert_eq!(option.with(&shared).unwrap().constants, expected, "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_one_line() {
        for (text, words) in [
            ("mm5", "'mm5' is no surface layer: given, revised-mm5"),
            ("given,root=converged", "a surface layer that is given has no options: 'root=converged'"),
            ("revised-mm5,converged", "'converged' is not of the form KEY=VALUE, such as root=converged"),
            ("revised-mm5,root=exact", "`exact` is not `secants` or `converged`"),
            ("revised-mm5,g=9.8", "g is a constant of the boundary layer, too: --constants has it"),
            ("revised-mm5,shallow_water=deep", "shallow_water is 'deep', neither true nor false"),
            ("revised-mm5,svp1=low", "svp1 is 'low', no number"),
            ("revised-mm5,svp1=-1", "the constant svp1 is -1, which is not in (0, inf)"),
            ("revised-mm5,root=secants,root=converged", "root is given twice"),
            ("revised-mm5,form_drag_factor=2", "form_drag_factor has no effect without form_drag=true"),
            ("revised-mm5,form_drag=true,form_drag_factor=0", "form_drag_factor is 0, which is not in (0, 1000]"),
        ] {
            assert_eq!(text.parse::<SurfaceOption>(), Err(words.to_owned()));
        }
        let both = "revised-mm5,shallow_water=true,water_roughness=garratt".parse::<SurfaceOption>().unwrap_err();
        assert!(both.contains("water_roughness has to be coare with shallow_water"), "{both}");
        let unknown = "revised-mm5,rot=secants".parse::<SurfaceOption>().unwrap_err();
        assert!(
            unknown.starts_with("'rot' is no option of the surface layer: ") && unknown.contains("root"),
            "{unknown}"
        );
    }
}
