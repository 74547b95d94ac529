//! A cloud that a case gives by its base and top: in which layers of the model it lies, and how much each has of it.

use isobar_column::constants::{GAS_CONSTANT, GRAVITY, VIRTUAL};
use isobar_column::{Clouds, Initial};
use isobar_core::Real;
use toml::Spanned;

use super::error::Error;
use super::number::Spread;
use super::processes::Cloud;
use super::reader::CaseFile;

/// How much of a phase a cloud has: nothing, a path \[g/m^2\], or a content \[g/m^3\].
#[derive(Clone, Copy)]
enum Amount {
    Path(f64),
    Content(f64),
}

/// A cloud of a case, checked.
pub(super) struct Layer {
    /// Base and top, in metres or pascals.
    ends: [f64; 2],
    in_pascals: bool,
    fraction: Vec<f64>,
    amounts: [Amount; 2],
    sizes_um: [Option<f64>; 2],
}

impl Layer {
    /// Of a section of the case, checked.
    pub(super) fn new(
        file: &CaseFile,
        section: &Spanned<Cloud>,
        initial: &Initial,
        ranges: [[f64; 2]; 2],
    ) -> Result<Self, Error> {
        let cloud = section.get_ref();
        let heights = [&cloud.base_m, &cloud.top_m];
        let pressures = [&cloud.base_pa, &cloud.top_pa];
        let (ends, range, in_pascals) = match (heights, pressures) {
            ([Some(base), Some(top)], [None, None]) => ([base, top], (0.0, 86_000.0), false),
            ([None, None], [Some(base), Some(top)]) => ([base, top], (1.0, 110_000.0), true),
            _ => return Err(file.refuse(section, "a cloud has base_m and top_m, or base_pa and top_pa")),
        };
        let [base, top] = [file.check(ends[0], range)?, file.check(ends[1], range)?];
        if if in_pascals { top >= base } else { top <= base } {
            let order = if in_pascals { "below" } else { "above" };
            return Err(file.refuse(ends[1], format!("the top, {top}, is not {order} the base, {base}")));
        }
        let Spread(parts) = cloud.fraction.get_ref();
        if let Some(part) = parts.iter().find(|part| !(0.0..=1.0).contains(*part)) {
            return Err(file.refuse(&cloud.fraction, format!("{part} is not in [0, 1]")));
        }
        let amount = |path: &Option<Spanned<f64>>, content: &Option<Spanned<f64>>| match (path, content) {
            (Some(_), Some(content)) => Err(file.refuse(content, "a cloud has a path or a content, not both")),
            (Some(path), None) => file.check(path, (0.0, 1e5)).map(Amount::Path),
            (None, Some(content)) => file.check(content, (0.0, 20.0)).map(Amount::Content),
            (None, None) => Ok(Amount::Path(0.0)),
        };
        let amounts = [
            amount(&cloud.liquid_path_g_per_m2, &cloud.liquid_content_g_per_m3)?,
            amount(&cloud.ice_path_g_per_m2, &cloud.ice_content_g_per_m3)?,
        ];
        if amounts.iter().all(|amount| matches!(amount, Amount::Path(path) if *path == 0.0)) {
            return Err(file.refuse(section, "a cloud without liquid and ice"));
        }
        let mut sizes_um = [None; 2];
        for (kind, size) in [&cloud.liquid_radius_um, &cloud.ice_size_um].into_iter().enumerate() {
            let range = (ranges[kind][0], ranges[kind][1]);
            sizes_um[kind] = size.as_ref().map(|size| file.check(size, range)).transpose()?;
        }
        let fraction = cloud.fraction.get_ref().values(initial.columns);
        Ok(Self { ends: [base, top], in_pascals, fraction, amounts, sizes_um })
    }

    /// The model's layers get the cloud whose middles lie within it; where none does, the one in which its middle lies.
    /// What is said of one that reaches beyond a column.
    pub(super) fn put(
        &self,
        file: &CaseFile,
        section: &Spanned<Cloud>,
        initial: &Initial,
        clouds: &mut Clouds,
    ) -> Result<Option<String>, Error> {
        let (columns, layers) = (initial.columns, initial.layers());
        let mut note = None;
        for column in 0..columns {
            let air = Air::new(initial, column);
            let [base, top] = self.ends;
            let (middles, levels) =
                if self.in_pascals { (&air.pressure, &air.level_pressure) } else { (&air.height, &air.level_height) };
            let within = |x: f64| if self.in_pascals { top <= x && x <= base } else { base <= x && x <= top };
            let mut cloudy: Vec<usize> = (0..layers).filter(|&layer| within(middles[layer])).collect();
            if cloudy.is_empty() {
                let middle = 0.5 * (base + top);
                let holds = |layer: &usize| {
                    let (one, other) = (levels[*layer], levels[*layer + 1]);
                    one.min(other) <= middle && middle <= one.max(other)
                };
                cloudy.extend((0..layers).find(holds));
            }
            let [low, high] = [levels[0], levels[layers]];
            let unit = if self.in_pascals { "Pa" } else { "m" };
            if cloudy.is_empty() {
                let problem = format!(
                    "the cloud from {base} to {top} {unit} is outside of column {column}, {low} to {high} {unit}"
                );
                return Err(file.refuse(section, problem));
            }
            if base.min(top) < low.min(high) || base.max(top) > low.max(high) {
                note.get_or_insert_with(|| self.beyond(file, (column, [low, high], unit)));
            }
            let mass = |layer: usize| air.level_pressure[layer] - air.level_pressure[layer + 1];
            let whole: f64 = cloudy.iter().map(|&layer| mass(layer)).sum();
            let within = |layer: usize| air.within(layer, self.ends, self.in_pascals);
            // All of the content is in layers that are cloudy, where ends of the cloud are in others.
            let depth: f64 = (0..layers).map(within).sum();
            let seen: f64 = cloudy.iter().map(|&layer| within(layer)).sum();
            for layer in cloudy {
                let place = layer * columns + column;
                if clouds.fraction[place] > 0.0 {
                    let problem = format!("layer {layer} of column {column} has a cloud already");
                    return Err(file.refuse(section, problem));
                }
                let path = |amount: Amount| match amount {
                    Amount::Path(path) => path * mass(layer) / whole,
                    Amount::Content(content) => content * depth * within(layer) / seen,
                };
                clouds.fraction[place] = self.fraction[column];
                clouds.liquid_path_g_per_m2[place] = path(self.amounts[0]);
                clouds.ice_path_g_per_m2[place] = path(self.amounts[1]);
                if let Some(size) = self.sizes_um[0] {
                    clouds.liquid_radius_um[place] = size;
                }
                if let Some(size) = self.sizes_um[1] {
                    clouds.ice_size_um[place] = size;
                }
            }
        }
        Ok(note)
    }

    /// What becomes of a cloud that reaches beyond a column.
    fn beyond(&self, file: &CaseFile, (column, [low, high], unit): (usize, [f64; 2], &str)) -> String {
        let [base, top] = self.ends;
        let has_path = self.amounts.iter().any(|amount| matches!(amount, Amount::Path(path) if *path > 0.0));
        let what = if has_path { "its whole path lies within it" } else { "what is beyond is left out" };
        format!(
            "{}: the cloud from {base} to {top} {unit} reaches beyond column {column}, {low:.0} to {high:.0} {unit}: \
             {what}",
            file.path.display()
        )
    }
}

/// A column with its heights above the ground \[m\].
struct Air {
    pressure: Vec<f64>,
    level_pressure: Vec<f64>,
    height: Vec<f64>,
    level_height: Vec<f64>,
}

impl Air {
    /// Hydrostatic, as the model's thickness is.
    fn new(initial: &Initial, column: usize) -> Self {
        let of =
            |values: &[f64]| -> Vec<f64> { values.iter().skip(column).step_by(initial.columns).copied().collect() };
        let (pressure, level_pressure) = (of(&initial.pressure_pa), of(&initial.interface_pressure_pa));
        let (temperature, vapour) = (of(&initial.temperature_k), of(&initial.vapour_kg_per_kg));
        let (mut height, mut level_height) = (Vec::new(), vec![0.0]);
        for layer in 0..pressure.len() {
            let scale = GAS_CONSTANT / GRAVITY * temperature[layer] * (1.0 + VIRTUAL * vapour[layer]);
            let bottom = level_height[layer];
            let up = |to: f64| bottom + scale * Real::ln(level_pressure[layer] / to);
            height.push(up(pressure[layer]));
            level_height.push(up(level_pressure[layer + 1]));
        }
        Self { pressure, level_pressure, height, level_height }
    }

    /// How much of a layer lies between two ends, metres or pascals \[m\].
    fn within(&self, layer: usize, [base, top]: [f64; 2], in_pascals: bool) -> f64 {
        let (bottom, height) = (self.level_height[layer], self.level_height[layer + 1]);
        if !in_pascals {
            return (top.min(height) - base.max(bottom)).max(0.0);
        }
        let (below, above) = (self.level_pressure[layer], self.level_pressure[layer + 1]);
        let part = Real::ln(base.min(below) / top.max(above)) / Real::ln(below / above);
        (height - bottom) * part.max(0.0)
    }
}
