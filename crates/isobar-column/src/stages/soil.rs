//! Layers of soil.

use isobar_core::{Column, Field, FieldMut, Real};
use isobar_launch::{Buffer, Plain};

use super::quantity::{
    GROUND_BEFORE, GROUND_FORCING, GROUND_HEAT_FLUX, GROUND_HEAT_GAINED, GROUND_SLOPE, SURFACE_TEMPERATURE, soil_held,
    soil_slope, soil_temperature,
};
use crate::soil::{Conduct, WarmSoil};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// Layers of soil below a slab, from above, the same for all columns.
#[derive(Clone, Debug, PartialEq)]
pub struct SoilLayers {
    thickness_m: Vec<f64>,
    heat_capacity_j_per_m2_k: Vec<f64>,
    conductance_w_per_m2_k: Vec<f64>,
}

impl SoilLayers {
    /// Layers of these thicknesses \[m\], conductivities \[W/(m K)\] and heat capacities \[J/(m^3 K)\], and the
    /// conductance from the slab to the top of the uppermost one \[W/(m^2 K)\]. From middle to middle the halves of two
    /// layers conduct one after the other.
    ///
    /// # Errors
    /// No layer, lists of different lengths, or a number that is not finite and above 0 (the conductance may be 0).
    pub fn new(
        thickness_m: Vec<f64>,
        conductivity_w_per_m_k: &[f64],
        heat_capacity_j_per_m3_k: &[f64],
        conductance_w_per_m2_k: f64,
    ) -> Result<Self, Error> {
        let refuse = |problem: String| Err(Error::Stage { stage: CONDUCT.into(), problem });
        let layers = thickness_m.len();
        let lists = [&thickness_m[..], conductivity_w_per_m_k, heat_capacity_j_per_m3_k];
        if layers == 0 || lists.iter().any(|list| list.len() != layers) {
            let [thickness, conductivity, capacity] = lists.map(<[f64]>::len);
            return refuse(format!(
                "{thickness} thicknesses, {conductivity} conductivities and {capacity} heat capacities of soil: \
                 as many of each, and at least one"
            ));
        }
        let positive = |value: &f64| value.is_finite() && *value > 0.0;
        if let Some(value) = lists.into_iter().flatten().find(|value| !positive(value)) {
            return refuse(format!("{value} of the soil is not above 0"));
        }
        if !(conductance_w_per_m2_k.is_finite() && conductance_w_per_m2_k >= 0.0) {
            return refuse(format!(
                "the conductance of {conductance_w_per_m2_k} W/(m^2 K) to the soil is not 0 or more"
            ));
        }
        let half = |layer: usize| 0.5 * thickness_m[layer] / conductivity_w_per_m_k[layer];
        let conductance = |layer: usize| {
            let above = if layer == 0 { 1.0 / conductance_w_per_m2_k } else { half(layer - 1) };
            1.0 / (above + half(layer))
        };
        Ok(Self {
            conductance_w_per_m2_k: (0..layers).map(conductance).collect(),
            heat_capacity_j_per_m2_k: thickness_m.iter().zip(heat_capacity_j_per_m3_k).map(|(m, c)| m * c).collect(),
            thickness_m,
        })
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.thickness_m.len()
    }

    /// The depths of their middles \[m\].
    #[must_use]
    pub fn depths_m(&self) -> Vec<f64> {
        let mut top = 0.0;
        let middle = |thickness: &f64| {
            top += thickness;
            top - 0.5 * thickness
        };
        self.thickness_m.iter().map(middle).collect()
    }

    /// The heat capacity of each \[J/(m^2 K)\].
    #[must_use]
    pub fn heat_capacity_j_per_m2_k(&self) -> &[f64] {
        &self.heat_capacity_j_per_m2_k
    }

    /// The field of their temperatures.
    #[must_use]
    pub fn temperature(&self) -> Quantity {
        soil_temperature(self.count())
    }
}

const CONDUCT: &str = "soil";
const WARM: &str = "soil_step";

/// What the slab loses to the soil below ([`crate::soil`]): after [`super::Ground`], whose slab has no conductance of
/// its own, and before [`super::Advance`]. The soil's temperatures are [`SoilLayers::temperature`] of the state.
pub struct Soil<R: Real + Plain> {
    count: usize,
    heat_capacity: Buffer<R>,
    conductance: Buffer<R>,
}

/// The soil after a step: after [`super::Advance`].
pub struct SoilStep<R: Real + Plain> {
    count: usize,
    heat_capacity: Buffer<R>,
}

fn upload<R: Precision>(state: &State<R>, values: &[f64]) -> Result<Buffer<R>, Error> {
    let values: Vec<R> = values.iter().map(|&value| <R as Real>::from_f64(value)).collect();
    Ok(state.queue().upload(&values)?)
}

impl<R: Precision> Soil<R> {
    /// On the device of a state.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(state: &State<R>, layers: &SoilLayers) -> Result<Self, Error> {
        Ok(Self {
            count: layers.count(),
            heat_capacity: upload(state, &layers.heat_capacity_j_per_m2_k)?,
            conductance: upload(state, &layers.conductance_w_per_m2_k)?,
        })
    }
}

impl<R: Precision> SoilStep<R> {
    /// On the device of a state.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(state: &State<R>, layers: &SoilLayers) -> Result<Self, Error> {
        Ok(Self { count: layers.count(), heat_capacity: upload(state, &layers.heat_capacity_j_per_m2_k)? })
    }
}

kernel_fields!(slab: Conduct {
    step_s: R,
    heat_capacity_j_per_m2_k: Column<'s, R>,
    conductance_w_per_m2_k: Column<'s, R>,
    soil_temperature_k: Field<'s, R>,
    held_w_per_m2: FieldMut<'s, R>,
    slope_w_per_m2_k: FieldMut<'s, R>
} {
    column surface_temperature_k: SURFACE_TEMPERATURE,
    write before_k: GROUND_BEFORE,
    update forcing_w_per_m2: GROUND_FORCING,
    update forcing_slope_w_per_m2_k: GROUND_SLOPE,
});
kernel_fields!(after: WarmSoil {
    step_s: R,
    heat_capacity_j_per_m2_k: Column<'s, R>,
    held_w_per_m2: Field<'s, R>,
    slope_w_per_m2_k: Field<'s, R>,
    soil_temperature_k: FieldMut<'s, R>,
    words: FieldMut<'s, u32>
} {
    column before_k: GROUND_BEFORE,
    column surface_temperature_k: SURFACE_TEMPERATURE,
    update ground_heat_flux_w_per_m2: GROUND_HEAT_FLUX,
    update ground_heat_gained_j_per_m2: GROUND_HEAT_GAINED,
});

impl<R: Precision> Stage<R> for Soil<R> {
    fn name(&self) -> &str {
        CONDUCT
    }

    fn reads(&self) -> Vec<Quantity> {
        [slab::reads(), vec![soil_temperature(self.count)]].concat()
    }

    fn writes(&self) -> Vec<Quantity> {
        [slab::writes(), vec![soil_held(self.count), soil_slope(self.count)]].concat()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let soil = fields.read(soil_temperature(self.count))?;
        let (held, slope) = (fields.write(soil_held(self.count))?, fields.write(soil_slope(self.count))?);
        let length = <R as Real>::from_f64(step.length_s);
        let (capacity, conductance) = (self.heat_capacity.column(), self.conductance.column());
        let kernel = slab::kernel(fields, length, capacity, conductance, soil, held, slope)?;
        fields.launch_built(&Built::Conduct(kernel))
    }
}

impl<R: Precision> Stage<R> for SoilStep<R> {
    fn name(&self) -> &str {
        WARM
    }

    fn reads(&self) -> Vec<Quantity> {
        let own = [soil_temperature(self.count), soil_held(self.count), soil_slope(self.count)];
        [after::reads(), own.to_vec()].concat()
    }

    fn writes(&self) -> Vec<Quantity> {
        [after::writes(), vec![soil_temperature(self.count)]].concat()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let (held, slope) = (fields.read(soil_held(self.count))?, fields.read(soil_slope(self.count))?);
        let soil = fields.write(soil_temperature(self.count))?;
        let (length, words) = (<R as Real>::from_f64(step.length_s), fields.words());
        let kernel = after::kernel(fields, length, self.heat_capacity.column(), held, slope, soil, words)?;
        fields.launch_built(&Built::WarmSoil(kernel))
    }

    fn advances(&self) -> bool {
        true
    }
}
