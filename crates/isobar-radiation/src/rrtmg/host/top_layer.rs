//! One layer more, above the model's top.

use isobar_core::Real;
use isobar_core::fields::{Error, LAYER, LEVEL, OwnedInputs, OwnedOutputs};

use crate::fields::{Columns, Fluxes, ITEM};

/// Where the layer ends \[Pa\], as hosts of RRTMG_LW have it: 1e-4 hPa.
const TOP: f64 = 0.01;

impl<R: Real> Columns<R> {
    /// These columns with an isothermal layer between the highest level and 0.01 Pa, with the gases of the layer
    /// below, without clouds and aerosol.
    ///
    /// RRTMG_LW knows no radiation from above its highest level; many hosts add such a layer.
    ///
    /// # Errors
    /// A column that reaches there already, or columns of gases instead of mixing ratios, or a mask of clouds.
    pub fn with_top_layer(&self) -> Result<Self, Error> {
        let (count, layers) = (self.columns(), self.layers());
        if !self.dry_column_per_cm2.is_empty() || !self.cloud_mask.is_empty() {
            return Err(Error::Setup("a layer on top needs mixing ratios, and clouds without a mask".to_owned()));
        }
        let highest = &self.level_pressure_pa[layers * count..];
        if let Some(item) = highest.iter().position(|p| p.value() <= 2.0 * TOP) {
            return Err(Error::Value {
                variable: "level_pressure_pa",
                item_name: ITEM,
                item,
                place: vec![(LEVEL.0, layers)],
                value: highest[item].value(),
                accepted: format!("above {} Pa, which a layer on top needs", 2.0 * TOP),
                unit: "1",
            });
        }
        let top = R::from_f64(TOP);
        let warmth = self.level_temperature_k[layers * count..].to_vec();
        let mut higher = self.clone();
        higher.each_real(&mut |declared, values| match declared.name {
            "pressure_pa" => values.extend(highest.iter().map(|&p| R::from_f64(0.5) * (p + top))),
            "level_pressure_pa" => values.extend(vec![top; count]),
            "temperature_k" | "level_temperature_k" => values.extend(&warmth),
            // One value, or none, holds for all layers.
            _ if declared.shape.first() != Some(&LAYER) || values.len() < 2 => {}
            name => {
                let last = values.len() - values.len() / layers;
                let is_gas = declared.unit == "mol mol-1" || name == "thickness_m";
                let row = if is_gas { values[last..].to_vec() } else { vec![R::ZERO; values.len() - last] };
                values.extend(row);
            }
        });
        Ok(higher)
    }
}

impl<R: Real> Fluxes<R> {
    /// The results of columns that had no layer on top, from those of columns with it.
    #[must_use]
    pub fn without_top_layer(mut self) -> Self {
        let count = self.status.len();
        let (layers, levels) = (self.longwave_heating_k_per_day.len() / count, self.longwave_up_w_per_m2.len() / count);
        self.each_real(&mut |declared, values| {
            let rows = if declared.shape.first() == Some(&LAYER) { layers } else { levels };
            values.truncate(values.len() / rows * (rows - 1));
        });
        self
    }
}
