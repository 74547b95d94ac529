//! Hybrid levels, and their heights by hydrostatics.

use isobar_core::Real;
use isobar_raytrace::constants::{
    GAS_CONSTANT_J_PER_MOL_K, GRAVITY_M_PER_S2, MOLAR_MASS_AIR_KG_PER_MOL as AIR, MOLAR_MASS_WATER_KG_PER_MOL as WATER,
};
use netcdf_reader::NcVariable;

use super::quantities::{Columns, each, geometric};
use super::source::{Node, Source};
use crate::columns_file::pressure::{REFERENCE_PRESSURES, not_relative};
use crate::error::Error;
use crate::netcdf::{Orientation, text_of};

/// Levels at pressures `a + b * surface pressure`.
pub(super) struct Hybrid {
    /// `a` \[Pa\] and `b` at the boundaries of the layers, in the order of these.
    boundaries: Vec<[f64; 2]>,
    /// The surface pressure of each column \[Pa\].
    surface: Vec<f64>,
}

impl Hybrid {
    /// What the file has, of the levels that it has.
    pub(super) fn find(source: &Source, nodes: &[Node], levels: usize) -> Result<Option<Self>, Error> {
        let (Some(coefficients), Some(b)) = (source.find(&["hyai", "ap_bnds"], &[]), source.find(&["hybi"], &[]))
        else {
            return Ok(None);
        };
        let a = pascals(source, coefficients)?;
        let b = source.values(b)?;
        if a.len() != b.len() || a.len() < levels + 1 {
            let text = format!("hyai has {} values and hybi {}; {levels} levels need {}", a.len(), b.len(), levels + 1);
            return Err(source.invalid(text));
        }
        // Some levels of all: their numbers count from 1.
        if a.len() > levels + 1 {
            let text = format!("hyai has {} values for {levels} levels: expected {}", a.len(), levels + 1);
            return Err(source.invalid(text));
        }
        let surface = match source.find(&["lnsp"], &[]) {
            // Of Pa.
            Some(logarithm) => source.gather_by(logarithm, Real::exp, nodes)?,
            None => {
                let pressure = source.need(&["sp", "ps", "PS", "aps"], &["surface_air_pressure"])?;
                source.gather(pressure, "Pa", nodes)?
            }
        };
        let mut boundaries: Vec<[f64; 2]> = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        // Sigma falls with height, and so does pressure above where it is 0: here at a pressure that any ground has.
        let at = |[a, b]: [f64; 2]| a + 1e5 * b;
        let top_first = at(boundaries[0]) < at(boundaries[levels]);
        let first = if top_first { Orientation::TopFirst } else { Orientation::BottomFirst };
        if source.top_of_levels(coefficients, first)? != first {
            boundaries.reverse();
        }
        Ok(Some(Self { boundaries, surface: surface.into_iter().map(|column| column[0]).collect() }))
    }

    fn boundaries(&self, column: usize) -> Vec<f64> {
        self.boundaries.iter().map(|[a, b]| a + b * self.surface[column]).collect()
    }

    /// Means of the boundaries \[Pa\].
    pub(super) fn pressure(&self) -> Columns {
        let middles = |column| self.boundaries(column).windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        (0..self.surface.len()).map(middles).collect()
    }

    /// Geometric heights \[km\] by hydrostatics.
    pub(super) fn heights(
        &self,
        source: &Source,
        nodes: &[Node],
        temperature: &[Vec<f64>],
        vapour: Option<&[Vec<f64>]>,
    ) -> Result<Columns, Error> {
        const GAS_CONSTANT: f64 = GAS_CONSTANT_J_PER_MOL_K / AIR;
        let ground = match source.find(&["z", "phis", "PHIS"], &["surface_geopotential", "geopotential"]) {
            Some(z) => source.gather(z, "m2 s-2", nodes)?,
            None => {
                let height = source.need(&["orog", "HGT"], &["surface_altitude"])?;
                each(&source.gather(height, "m", nodes)?, |height| height * GRAVITY_M_PER_S2)
            }
        };
        let one = |column: usize| {
            let boundaries = self.boundaries(column);
            let top_first = boundaries[0] < boundaries[boundaries.len() - 1];
            let levels = boundaries.len() - 1;
            let mut heights = vec![0.0; levels];
            let mut geopotential = ground[column][0];
            for step in 0..levels {
                let level = if top_first { levels - 1 - step } else { step };
                let (above, below) = if top_first { (level, level + 1) } else { (level + 1, level) };
                let (above, below) = (boundaries[above], boundaries[below]);
                let water = vapour.map_or(0.0, |vapour| vapour[column][level]);
                // Moist air is lighter.
                let virtual_k = temperature[column][level] / (1.0 - water * (1.0 - WATER / AIR));
                let (share, thickness) = if above > 0.0 {
                    let thickness = Real::ln(below / above);
                    (1.0 - above / (below - above) * thickness, thickness)
                } else {
                    (core::f64::consts::LN_2, 0.0)
                };
                let middle = geopotential + share * GAS_CONSTANT * virtual_k;
                heights[level] = geometric(middle / GRAVITY_M_PER_S2 / 1e3);
                geopotential += GAS_CONSTANT * virtual_k * thickness;
            }
            heights
        };
        Ok((0..nodes.len()).map(one).collect())
    }
}

/// `a` of hybrid levels \[Pa\]: without a unit of pressure it is relative to a reference, as in CAM's files.
fn pascals(source: &Source, coefficients: &NcVariable) -> Result<Vec<f64>, Error> {
    let values = source.values(coefficients)?;
    let units = text_of(coefficients, "units").filter(|units| source.converts(units, "1").is_none());
    let reference = REFERENCE_PRESSURES.into_iter().find_map(|name| source.named(name));
    let (None, Some(reference)) = (units, reference) else {
        let to_pa = source.conversion(coefficients, "Pa")?;
        return Ok(values.into_iter().map(|value| to_pa.apply(value)).collect());
    };
    let name = &coefficients.name;
    if let Some((level, value)) = values.iter().enumerate().find(|(_, value)| !(0.0..=1.0).contains(*value)) {
        return Err(source.invalid(not_relative((name, *value), level, &reference.name)));
    }
    let to_pa = source.conversion(reference, "Pa")?;
    let reference = source.values(reference)?.first().map_or(f64::NAN, |&value| to_pa.apply(value));
    if reference.is_nan() || reference <= 0.0 {
        return Err(source.invalid(format!("the reference pressure of {name} is {reference} Pa; expected more than 0")));
    }
    Ok(values.into_iter().map(|value| reference * value).collect())
}
