//! In which order the values of columns lie in one buffer, and their way between it and the host's arrays.

use isobar_core::{FieldMut, Real};

use crate::{Columns, Options, Outputs};

/// The host's arrays in the order of the buffer of inputs: the air, the pressure of interfaces, the surface, tracers.
pub(super) fn inputs<'a, R: Real>(columns: &'a Columns<R>, options: &Options) -> Vec<&'a [R]> {
    let (air, surface) = (&columns.air, &columns.surface);
    let mut all: Vec<&[R]> = vec![
        &air.u,
        &air.v,
        &air.temperature,
        &air.vapour,
        &air.cloud_water,
        &air.cloud_ice,
        &air.pressure,
        &air.exner,
        &air.thickness,
        &columns.interface_pressure,
        &surface.pressure,
        &surface.roughness,
        &surface.friction_velocity,
        &surface.profile_momentum,
        &surface.profile_heat,
        &surface.land_or_water,
        &surface.sensible_heat_flux,
        &surface.moisture_flux,
        &surface.wind_speed,
        &surface.richardson,
        &surface.u_10m,
        &surface.v_10m,
        &surface.u_current,
        &surface.v_current,
        &columns.tracers,
    ];
    if options.top_down {
        all.push(&air.radiative_heating);
    }
    if options.topographic {
        all.extend([&surface.drag_factor[..], &surface.wind_weight]);
    }
    all
}

/// The levels of each.
pub(super) fn levels_of_inputs(layers: usize, tracers: usize, options: &Options) -> Vec<usize> {
    let mut levels = vec![layers; 9];
    levels.push(layers + 1);
    levels.extend([1; 14]);
    levels.push(layers * tracers);
    levels.extend(options.top_down.then_some(layers));
    levels.extend([1; 2].into_iter().filter(|_| options.topographic));
    levels
}

/// Where results go.
pub(super) struct Places<'a, R> {
    /// In the order of the buffer of outputs: profiles, values a column, tracers.
    pub(super) values: Vec<FieldMut<'a, R>>,
    /// The layer in which the boundary layer ends, and the status: whole numbers are apart.
    pub(super) marks: [FieldMut<'a, u32>; 2],
}

impl<'a, R: Real> Places<'a, R> {
    pub(super) fn new(results: &'a mut Outputs<R>, layers: usize, columns: usize) -> Self {
        let Outputs { u, v, theta, vapour, cloud_water, cloud_ice, diffusivity_heat, diffusivity_momentum, .. } =
            results;
        let Outputs { height, convective_velocity, entrainment_depth, u_10m, v_10m, .. } = results;
        let Outputs { stress_u, stress_v, heat, latent_heat, tracers, level, status, .. } = results;
        let profiles = [u, v, theta, vapour, cloud_water, cloud_ice, diffusivity_heat, diffusivity_momentum];
        let of_column =
            [height, convective_velocity, entrainment_depth, u_10m, v_10m, stress_u, stress_v, heat, latent_heat];
        let mut values: Vec<_> =
            profiles.into_iter().map(|values| FieldMut::item_fastest(&mut values[..], layers, columns)).collect();
        values.extend(of_column.map(|values| FieldMut::item_fastest(&mut values[..], 1, columns)));
        values.push(match tracers.len() / columns {
            0 => FieldMut::empty(),
            rows => FieldMut::item_fastest(&mut tracers[..], rows, columns),
        });
        Self { values, marks: [level, status].map(|marks| FieldMut::item_fastest(&mut marks[..], 1, columns)) }
    }
}

/// The levels of the outputs.
pub(super) fn levels_of_outputs(layers: usize, tracers: usize) -> Vec<usize> {
    let mut levels = vec![layers; 8];
    levels.extend([1; 9]);
    levels.push(layers * tracers);
    levels
}

/// The levels of the marks.
pub const MARKS: [usize; 2] = [1; 2];

/// The levels of the room for the elimination: three systems, and what tracers need of that of moisture.
#[must_use]
pub fn levels_of_room(layers: usize, tracers: usize) -> Vec<usize> {
    vec![layers; if tracers > 0 { 5 } else { 3 }]
}
