//! One layer more, above the model's top.

use isobar_core::Real;
use isobar_core::fields::{Error, LAYER, LEVEL, OwnedInputs, OwnedOutputs};

use super::spectrum::Spectra;
use crate::fields::{Columns, Fluxes, INTERFACE, ITEM};
use crate::{constants, rrtmg};

/// Where the layer ends \[Pa\] unless tables end before: as hosts of RRTMG_LW have it, 1e-4 hPa.
const TOP_PA: f64 = 0.01;

impl<R: Real> Spectra<R> {
    /// Where a layer on top of columns ends \[Pa\]: at 0.01 Pa, or where tables of RRTMGP do.
    #[must_use]
    pub fn top_pa(&self) -> f64 {
        self.each().map(|spectrum| spectrum.optics.pressure_range_pa[0]).fold(TOP_PA, f64::max)
    }

    /// These columns with one more layer, between the highest level and [`Spectra::top_pa`], at the temperature of the
    /// uppermost layer, its upper level too. It has the gases of that layer, no clouds and no aerosol; it is as thick
    /// as hydrostatics have it, and overlaps at random.
    ///
    /// Nothing radiates from above the highest level, and no gas absorbs sunlight there: many hosts add such a layer.
    ///
    /// # Errors
    /// A column that reaches there already, or columns of gases instead of mixing ratios, or a mask of clouds.
    pub fn with_top_layer(&self, columns: &Columns<R>) -> Result<Columns<R>, Error> {
        let (count, layers) = (columns.columns(), columns.layers());
        if !columns.dry_column_per_cm2.is_empty() || !columns.cloud_mask.is_empty() || !columns.cloud_share.is_empty() {
            return Err(Error::Setup("a layer on top needs mixing ratios, and clouds without a mask".to_owned()));
        }
        let top_pa = self.top_pa();
        let highest = &columns.level_pressure_pa[layers * count..];
        if let Some(item) = highest.iter().position(|p| p.value() <= 2.0 * top_pa) {
            return Err(Error::Value {
                variable: "level_pressure_pa",
                item_name: ITEM,
                item,
                place: vec![(LEVEL.0, layers)],
                value: highest[item].value(),
                accepted: format!("above {} Pa, which a layer on top needs", 2.0 * top_pa),
                unit: "1",
            });
        }
        let top = R::from_f64(top_pa);
        let warmth = columns.temperature_k[(layers - 1) * count..].to_vec();
        let gravity = if self.is_rrtmg() { rrtmg::constants::GRAVITY } else { constants::GRAVITY };
        let gas_constant = R::from_f64(constants::DRY_AIR_GAS_CONSTANT);
        let thick = |below: R, warmth: R| gas_constant * warmth / R::from_f64(gravity) * (below / top).ln();
        let (mut higher, mut by_band_for_all) = (columns.clone(), false);
        higher.each_real(&mut |declared, values| match declared.name {
            "pressure_pa" => values.extend(highest.iter().map(|&p| R::from_f64(0.5) * (p + top))),
            "level_pressure_pa" => values.extend(vec![top; count]),
            "temperature_k" => values.extend(&warmth),
            "level_temperature_k" if !values.is_empty() => values.extend(&warmth),
            "thickness_m" if values.len() > 1 => {
                values.extend(highest.iter().zip(&warmth).map(|(&below, &warmth)| thick(below, warmth)));
            }
            // A single interface of a single column is not that of all.
            _ if declared.shape.first() == Some(&INTERFACE) && !values.is_empty() => {
                values.resize((layers - 1) * count, values[0]);
                values.extend(vec![R::ZERO; count]);
            }
            _ if declared.shape.first() != Some(&LAYER) || values.is_empty() => {}
            // One value holds for all layers.
            _ if declared.unit == "mol mol-1" => {
                let last = values.len() - values.len() / layers;
                let row = if values.len() > 1 { values[last..].to_vec() } else { Vec::new() };
                values.extend(row);
            }
            _ => {
                let one_for_all = values.len() == 1;
                if one_for_all {
                    values.resize(layers * count, values[0]);
                }
                by_band_for_all |= one_for_all && declared.shape.len() > 1;
                values.extend(vec![R::ZERO; values.len() / layers]);
            }
        });
        if by_band_for_all {
            return Err(Error::Setup("a layer on top needs optical depths and their like by layer".to_owned()));
        }
        Ok(higher)
    }
}

impl<R: Real> Fluxes<R> {
    /// The results of columns that had no layer on top, from those of columns with it.
    #[must_use]
    pub fn without_top_layer(mut self) -> Self {
        let count = self.status.len();
        let of = |[one, other]: [&Vec<R>; 2]| one.len().max(other.len()) / count.max(1);
        let layers = of([&self.longwave_heating_k_per_day, &self.shortwave_heating_k_per_day]);
        let levels = of([&self.longwave_up_w_per_m2, &self.shortwave_up_w_per_m2]);
        self.each_real(&mut |declared, values| {
            let rows = if declared.shape.first() == Some(&LAYER) { layers } else { levels };
            values.truncate(values.len() / rows.max(1) * rows.saturating_sub(1));
        });
        self
    }
}
