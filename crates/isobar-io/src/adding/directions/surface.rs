//! How the ground reflects into all directions: a file has the variables of one of these surfaces.
//!
//! | surface | variables |
//! |---|---|
//! | Lambertian | `surface_albedo` |
//! | Rahman, Pinty and Verstraete (1993, doi:10.1029/93JD02071) | `rpv_rho_0`, `rpv_k`, `rpv_theta`, `rpv_rho_c` (else that of `rpv_rho_0`) |
//! | Hapke (1981, doi:10.1029/JB086iB04p03039) | `hapke_b_0`, `hapke_h`, `hapke_w` |
//! | Ross and Li, MODIS | `ross_li_f_iso`, `ross_li_f_vol`, `ross_li_f_geo` |
//! | Cox and Munk's waves (1954, doi:10.1364/JOSA.44.000838) | `wind_speed` \[m/s\], `water_refractive_index` (else 1.34) |

use std::ops::Bound;

use isobar_adding::azimuth::Surface;

use super::variables::PROFILE;
use crate::error::Error;
use crate::netcdf::{Accepted, Axis, Dataset, Field, VariableSpec};

/// A variable of a surface.
struct Parameter {
    name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    unit: &'static str,
    /// What stands for it where it is missing.
    otherwise: Otherwise,
}

/// What stands for a parameter that is missing.
enum Otherwise {
    Missing,
    Number(f64),
    /// That of a parameter before it.
    Before(usize),
}

const fn parameter(name: &'static str, aliases: &'static [&'static str]) -> Parameter {
    Parameter { name, aliases, standard_names: &[], unit: "1", otherwise: Otherwise::Missing }
}

/// In the order of [`Surface::parameters`]; the first says which surface it is.
const SURFACES: [(Surface, &[Parameter]); 5] = [
    (
        Surface::Lambertian,
        &[Parameter { standard_names: &["surface_albedo"], ..parameter("surface_albedo", &["albedo"]) }],
    ),
    (
        Surface::Rpv,
        &[
            parameter("rpv_rho_0", &["rho_0"]),
            parameter("rpv_k", &[]),
            parameter("rpv_theta", &[]),
            Parameter { otherwise: Otherwise::Before(0), ..parameter("rpv_rho_c", &["rho_c"]) },
        ],
    ),
    (Surface::Hapke, &[parameter("hapke_b_0", &[]), parameter("hapke_h", &[]), parameter("hapke_w", &[])]),
    (
        Surface::RossLi,
        &[
            parameter("ross_li_f_iso", &["f_iso"]),
            parameter("ross_li_f_vol", &["f_vol"]),
            parameter("ross_li_f_geo", &["f_geo"]),
        ],
    ),
    (
        Surface::CoxMunk,
        &[
            Parameter {
                standard_names: &["wind_speed"],
                unit: "m s-1",
                ..parameter("wind_speed", &["wind_speed_10m", "ws10"])
            },
            Parameter {
                otherwise: Otherwise::Number(1.34),
                ..parameter("water_refractive_index", &["refractive_index"])
            },
        ],
    ),
];

const AXES: &[Axis] = &[PROFILE];

/// The variable of a parameter of a surface, with its range.
fn spec(surface: Surface, number: usize, parameter: &Parameter) -> VariableSpec<'static> {
    let (_, low, high) = surface.parameters()[number];
    VariableSpec {
        name: parameter.name,
        aliases: parameter.aliases,
        standard_names: parameter.standard_names,
        unit: parameter.unit,
        axes: AXES,
        accepted: Accepted { low: Bound::Included(low), high: Bound::Included(high) },
    }
}

/// The surface of which the file has the first variable, and that variable's name; nothing where it has none.
pub(super) fn find(file: &Dataset) -> Result<Option<(Surface, &'static str)>, Error> {
    let mut found: Option<(Surface, &'static str)> = None;
    for (surface, parameters) in &SURFACES {
        if !file.has(&spec(*surface, 0, &parameters[0]))? {
            continue;
        }
        if let Some((_, other)) = found {
            let text = format!("{other} and {}: the ground reflects in one way; leave one out", parameters[0].name);
            return Err(file.invalid(text));
        }
        found = Some((*surface, parameters[0].name));
    }
    Ok(found)
}

/// What the file calls the variables of a surface.
pub(super) fn names(file: &Dataset, surface: Surface) -> Vec<String> {
    let all = SURFACES.iter().filter(|(other, _)| *other == surface).flat_map(|(_, all)| all.iter().enumerate());
    all.filter_map(|(number, parameter)| file.name_of(&spec(surface, number, parameter))).collect()
}

/// What a surface is called.
#[must_use]
pub fn name(surface: Surface) -> &'static str {
    match surface {
        Surface::Lambertian => "lambertian",
        Surface::Rpv => "rpv",
        Surface::Hapke => "hapke",
        Surface::RossLi => "ross_li",
        Surface::CoxMunk => "cox_munk",
    }
}

/// A ground, with its parameters.
pub(super) struct Ground {
    pub(super) surface: Surface,
    parameters: Vec<Field>,
}

impl Ground {
    pub(super) fn read(file: &mut Dataset, derived: &mut Vec<String>) -> Result<Self, Error> {
        // Where there is none, reading an albedo says so.
        let surface = find(file)?.map_or(Surface::Lambertian, |(surface, _)| surface);
        let (_, all) = SURFACES.iter().find(|(other, _)| *other == surface).expect("all surfaces are there");
        let mut parameters: Vec<Field> = Vec::new();
        for (number, parameter) in all.iter().enumerate() {
            let spec = spec(surface, number, parameter);
            let field = match (file.read_optional(&spec)?, &parameter.otherwise) {
                (Some(field), _) => field,
                (None, Otherwise::Missing) => file.read(&spec)?,
                (None, Otherwise::Number(value)) => {
                    derived.push(format!("{} = {value}", spec.name));
                    Field { values: vec![*value], shape: vec![1], ..parameters[0].clone() }
                }
                (None, Otherwise::Before(other)) => {
                    derived.push(format!("{} = {}", spec.name, all[*other].name));
                    parameters[*other].clone()
                }
            };
            parameters.push(field);
        }
        Ok(Self { surface, parameters })
    }

    /// The surface, and its parameters, `[parameter * profiles + profile]`.
    pub(super) fn rows(self, file: &Dataset) -> (Surface, Vec<f64>) {
        (self.surface, self.parameters.into_iter().flat_map(|field| file.broadcast(field).values).collect())
    }
}
