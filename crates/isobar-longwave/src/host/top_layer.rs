//! One layer more, above the model's top.

use isobar_core::Real;

use crate::host::columns::Columns;
use crate::host::error::Error;
use crate::host::outputs::Outputs;

/// Where the layer ends \[Pa\], as hosts of RRTMG_LW have it: 1e-4 hPa.
const TOP: f64 = 0.01;

/// A row more: of layers like the last, of anything else as it is.
fn repeated<R: Real>(values: &[R], rows: usize) -> Vec<R> {
    if values.len() < 2 {
        return values.to_vec();
    }
    let last = values.len() - values.len() / rows;
    [values, &values[last..]].concat()
}

fn with_zeros<R: Real>(values: &[R], rows: usize) -> Vec<R> {
    let row = if values.is_empty() { 0 } else { values.len() / rows };
    [values, &vec![R::ZERO; row]].concat()
}

impl<R: Real> Columns<R> {
    /// The same columns with an isothermal layer between the highest level and 0.01 Pa, with the gases of the layer
    /// below, without clouds and aerosol.
    ///
    /// RRTMG_LW knows no radiation from above its highest level; many hosts add such a layer.
    ///
    /// # Errors
    /// A column that reaches there already, or columns of gases instead of mixing ratios, or a mask of clouds.
    pub fn with_top_layer(&self) -> Result<Self, Error> {
        let (count, layers) = (self.columns(), self.layers());
        if !self.dry_column.is_empty() || self.clouds.as_ref().is_some_and(|clouds| !clouds.mask.is_empty()) {
            return Err(Error::Setup("a layer on top needs mixing ratios, and clouds without a mask".to_owned()));
        }
        let highest = &self.level_pressure[layers * count..];
        if let Some(column) = highest.iter().position(|p| p.value() <= 2.0 * TOP) {
            let value = highest[column].value();
            return Err(Error::Value {
                variable: "level_pressure",
                column,
                layer: Some(layers),
                value,
                range: format!("above {} Pa, which a layer on top needs", 2.0 * TOP),
            });
        }
        let top = R::from_f64(TOP);
        let middle: Vec<R> = highest.iter().map(|&p| R::from_f64(0.5) * (p + top)).collect();
        let warmth = &self.level_temperature[layers * count..];
        let of_layers = |values: &Vec<R>| repeated(values, layers);
        let clouds = self.clouds.as_ref().map(|clouds| {
            let mut clouds = clouds.clone();
            for values in [
                &mut clouds.fraction,
                &mut clouds.ice_path,
                &mut clouds.liquid_path,
                &mut clouds.ice_size,
                &mut clouds.liquid_radius,
                &mut clouds.optical_depth,
                &mut clouds.share,
            ] {
                *values = with_zeros(values, layers);
            }
            clouds.thickness_m = repeated(&clouds.thickness_m, layers);
            clouds
        });
        Ok(Self {
            pressure: [&self.pressure[..], &middle].concat(),
            level_pressure: [&self.level_pressure[..], &vec![top; count]].concat(),
            temperature: [&self.temperature[..], warmth].concat(),
            level_temperature: [&self.level_temperature[..], warmth].concat(),
            gases: self.gases.each_ref().map(of_layers),
            halocarbons: self.halocarbons.each_ref().map(of_layers),
            aerosol: with_zeros(&self.aerosol, layers),
            clouds,
            ..self.clone()
        })
    }
}

impl<R: Real> Outputs<R> {
    /// The results of columns that had no layer on top, from those of columns with it.
    #[must_use]
    pub fn without_top_layer(mut self) -> Self {
        let count = self.status.len();
        let (layers, levels) = (self.heating.len() / count, self.up.len() / count);
        for values in [&mut self.heating, &mut self.heating_clear] {
            values.truncate(values.len() / layers * (layers - 1));
        }
        for values in [
            &mut self.up,
            &mut self.down,
            &mut self.up_clear,
            &mut self.down_clear,
            &mut self.derivative,
            &mut self.derivative_clear,
            &mut self.band_up,
            &mut self.band_down,
        ] {
            values.truncate(values.len() / levels * (levels - 1));
        }
        self
    }
}
