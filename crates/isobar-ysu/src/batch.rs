//! Columns and their results in the host's memory, and a plain loop over them.

use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Column, Field, FieldMut, Kernel, Real, Status};

use crate::columns::Columns;
use crate::error::Error;
use crate::kernel::Ysu;
use crate::version::Options;
use crate::views::{Air, Diagnostics, MixTracers, Scratch, Surface, Tendencies, YsuArgs};

/// Results of a batch, the column the fastest index: `[layer * columns + column]`, or one value a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outputs<R> {
    /// Tendency of the eastward wind \[m/s^2\].
    pub u: Vec<R>,
    /// Tendency of the northward wind \[m/s^2\].
    pub v: Vec<R>,
    /// Tendency of potential temperature \[K/s\].
    pub theta: Vec<R>,
    /// Tendency of water vapour \[kg/(kg s)\].
    pub vapour: Vec<R>,
    /// Tendency of cloud water \[kg/(kg s)\].
    pub cloud_water: Vec<R>,
    /// Tendency of cloud ice \[kg/(kg s)\].
    pub cloud_ice: Vec<R>,
    /// Tendencies of the tracers, `[(layer * tracers + tracer) * columns + column]`.
    pub tracers: Vec<R>,
    /// Diffusivity of heat at the lower interface of each layer \[m^2/s\], 0 at the surface.
    pub diffusivity_heat: Vec<R>,
    /// The same of momentum.
    pub diffusivity_momentum: Vec<R>,
    /// Height of the boundary layer \[m\].
    pub height: Vec<R>,
    /// The layer in which it ends, counted from 1.
    pub level: Vec<u32>,
    /// Convective velocity scale w* \[m/s\].
    pub convective_velocity: Vec<R>,
    /// Depth of the entrainment zone \[m\], 0 where nothing is entrained.
    pub entrainment_depth: Vec<R>,
    /// Eastward wind at 10 m \[m/s\].
    pub u_10m: Vec<R>,
    /// Northward wind at 10 m \[m/s\].
    pub v_10m: Vec<R>,
    /// Integral of the tendency of eastward momentum \[N/m^2\].
    pub stress_u: Vec<R>,
    /// The same northward \[N/m^2\].
    pub stress_v: Vec<R>,
    /// Integral of the heating \[W/m^2\].
    pub heat: Vec<R>,
    /// Integral of the moistening, as latent heat \[W/m^2\].
    pub latent_heat: Vec<R>,
    /// [`isobar_core::Status`] of each column.
    pub status: Vec<u32>,
}

impl<R: Real> Outputs<R> {
    /// Room for the results of so many layers, tracers and columns.
    #[must_use]
    pub fn room(layers: usize, tracers: usize, columns: usize) -> Self {
        let mut room = Self::default();
        room.make_room(layers, tracers, columns);
        room
    }

    /// Room for the results of so many: fields that have it keep their memory, and what is in it.
    pub fn make_room(&mut self, layers: usize, tracers: usize, columns: usize) {
        let Self { u, v, theta, vapour, cloud_water, cloud_ice, diffusivity_heat, diffusivity_momentum, .. } = self;
        let profiles = [u, v, theta, vapour, cloud_water, cloud_ice, diffusivity_heat, diffusivity_momentum];
        let Self { height, convective_velocity, entrainment_depth, u_10m, v_10m, .. } = self;
        let Self { stress_u, stress_v, heat, latent_heat, tracers: of_tracers, level, status, .. } = self;
        let of_column =
            [height, convective_velocity, entrainment_depth, u_10m, v_10m, stress_u, stress_v, heat, latent_heat];
        let of_column = of_column.map(|field| (field, columns));
        let of_tracers = [(of_tracers, layers * tracers * columns)];
        let fields = profiles.map(|field| (field, layers * columns)).into_iter().chain(of_column).chain(of_tracers);
        for (field, len) in fields {
            if field.len() != len {
                *field = vec![R::ZERO; len];
            }
        }
        for marks in [level, status] {
            marks.resize(columns, 0);
        }
    }

    /// Marks a column as not computed: no numbers, level 0, and [`Status::OUT_OF_RANGE`].
    ///
    /// # Panics
    /// If there is no such column.
    pub fn refuse(&mut self, column: usize) {
        let columns = self.status.len();
        let values =
            [&mut self.u, &mut self.v, &mut self.theta, &mut self.vapour, &mut self.cloud_water, &mut self.cloud_ice]
                .into_iter()
                .chain([
                    &mut self.tracers,
                    &mut self.diffusivity_heat,
                    &mut self.diffusivity_momentum,
                    &mut self.height,
                ])
                .chain([&mut self.convective_velocity, &mut self.entrainment_depth, &mut self.u_10m, &mut self.v_10m])
                .chain([&mut self.stress_u, &mut self.stress_v, &mut self.heat, &mut self.latent_heat]);
        for values in values {
            values.iter_mut().skip(column).step_by(columns).for_each(|value| *value = R::NAN);
        }
        self.level[column] = 0;
        self.status[column] = Status::OUT_OF_RANGE.0;
    }
}

/// A batch with room for its results.
#[derive(Debug, Clone)]
pub struct Batch<R> {
    options: Options,
    columns: Columns<R>,
    outputs: Outputs<R>,
    room: Room<R>,
}

/// Room for the elimination.
#[derive(Debug, Clone)]
pub struct Room<R> {
    scratch: [Vec<R>; 3],
    /// The system of moisture for tracers: exchange, reciprocal; empty without them.
    coupling: [Vec<R>; 2],
}

impl<R: Real> Room<R> {
    /// As much as the columns need.
    #[must_use]
    pub fn new(columns: &Columns<R>) -> Self {
        let room = || vec![R::ZERO; columns.layers() * columns.columns()];
        let coupling = || if columns.tracers.is_empty() { Vec::new() } else { room() };
        Self { scratch: [room(), room(), room()], coupling: [coupling(), coupling()] }
    }
}

impl<R: Real> Batch<R> {
    /// A batch of columns, which are checked.
    ///
    /// # Errors
    /// Options, sizes or values that do not fit, or too many columns at a time: a field has fewer than 2^31 values.
    pub fn new(columns: Columns<R>, options: Options) -> Result<Self, Error> {
        columns.validate(&options)?;
        let (layers, count) = (columns.layers(), columns.columns());
        let fields = columns.tracers().max(1);
        if (layers + 1).saturating_mul(count).saturating_mul(fields) > i32::MAX as usize {
            return Err(Error::Setup(format!("{count} columns are too many at a time")));
        }
        let outputs = Outputs::room(layers, columns.tracers(), count);
        let room = Room::new(&columns);
        Ok(Self { options, columns, outputs, room })
    }

    /// Computes all columns on the calling thread.
    pub fn compute(&mut self) {
        let arguments = self.arguments();
        run(&Ysu::<R, true>(arguments));
        if let Some(tracers) = self.tracers_kernel() {
            run(&tracers);
        }
    }

    /// The results so far.
    #[must_use]
    pub fn outputs(&self) -> &Outputs<R> {
        &self.outputs
    }

    /// The results.
    #[must_use]
    pub fn into_outputs(self) -> Outputs<R> {
        self.outputs
    }

    /// The kernel of tracers, which comes after the other; nothing where there are none.
    pub fn tracers_kernel(&mut self) -> Option<MixTracers<'_, R>> {
        tracers_kernel(&self.columns, &self.options, &mut self.outputs, &self.room)
    }

    /// The arguments of the kernel.
    pub fn arguments(&mut self) -> YsuArgs<'_, R> {
        arguments(&self.columns, &self.options, &mut self.outputs, &mut self.room)
    }
}

/// The kernel of tracers, which comes after [`Ysu`]; nothing where there are none. The columns, outputs and room have
/// the sizes that belong together.
pub fn tracers_kernel<'a, R: Real>(
    columns: &'a Columns<R>,
    options: &Options,
    outputs: &'a mut Outputs<R>,
    room: &'a Room<R>,
) -> Option<MixTracers<'a, R>> {
    let (layers, count, tracers) = (columns.layers(), columns.columns(), columns.tracers());
    let [exchange, reciprocal] = &room.coupling;
    (tracers > 0).then(|| MixTracers {
        parameters: options.parameters(),
        exchange: Field::item_fastest(exchange, layers, count),
        reciprocal: Field::item_fastest(reciprocal, layers, count),
        tracers: Field::item_fastest(&columns.tracers, layers, tracers * count),
        tendencies: FieldMut::item_fastest(&mut outputs.tracers, layers, tracers * count),
    })
}

/// The arguments of [`Ysu`]. The columns, outputs and room have the sizes that belong together.
pub fn arguments<'a, R: Real>(
    columns: &'a Columns<R>,
    options: &Options,
    out: &'a mut Outputs<R>,
    room: &'a mut Room<R>,
) -> YsuArgs<'a, R> {
    let (layers, count) = (columns.layers(), columns.columns());
    let (air, surface) = (&columns.air, &columns.surface);
    let [heat, moisture, momentum] = &mut room.scratch;
    let [exchange, reciprocal] = &mut room.coupling;
    let field = |values| Field::item_fastest(values, layers, count);
    let arguments = YsuArgs {
        parameters: options.parameters(),
        air: Air {
            u: field(&air.u[..]),
            v: field(&air.v[..]),
            temperature: field(&air.temperature[..]),
            vapour: field(&air.vapour[..]),
            cloud_water: field(&air.cloud_water[..]),
            cloud_ice: field(&air.cloud_ice[..]),
            pressure: field(&air.pressure[..]),
            exner: field(&air.exner[..]),
            thickness: field(&air.thickness[..]),
            radiative_heating: if options.top_down { field(&air.radiative_heating[..]) } else { Field::empty() },
        },
        interface_pressure: Field::item_fastest(&columns.interface_pressure, layers + 1, count),
        surface: Surface {
            pressure: Column::from(&surface.pressure[..]),
            roughness: Column::from(&surface.roughness[..]),
            friction_velocity: Column::from(&surface.friction_velocity[..]),
            profile_momentum: Column::from(&surface.profile_momentum[..]),
            profile_heat: Column::from(&surface.profile_heat[..]),
            land_or_water: Column::from(&surface.land_or_water[..]),
            sensible_heat_flux: Column::from(&surface.sensible_heat_flux[..]),
            moisture_flux: Column::from(&surface.moisture_flux[..]),
            wind_speed: Column::from(&surface.wind_speed[..]),
            richardson: Column::from(&surface.richardson[..]),
            u_10m: Column::from(&surface.u_10m[..]),
            v_10m: Column::from(&surface.v_10m[..]),
            u_current: Column::from(&surface.u_current[..]),
            v_current: Column::from(&surface.v_current[..]),
            drag_factor: optional_column(&surface.drag_factor),
            wind_weight: optional_column(&surface.wind_weight),
        },
        tendencies: Tendencies {
            u: FieldMut::item_fastest(&mut out.u, layers, count),
            v: FieldMut::item_fastest(&mut out.v, layers, count),
            theta: FieldMut::item_fastest(&mut out.theta, layers, count),
            vapour: FieldMut::item_fastest(&mut out.vapour, layers, count),
            cloud_water: FieldMut::item_fastest(&mut out.cloud_water, layers, count),
            cloud_ice: FieldMut::item_fastest(&mut out.cloud_ice, layers, count),
        },
        diffusivity_heat: FieldMut::item_fastest(&mut out.diffusivity_heat, layers, count),
        diffusivity_momentum: FieldMut::item_fastest(&mut out.diffusivity_momentum, layers, count),
        diagnostics: Diagnostics {
            height: FieldMut::item_fastest(&mut out.height, 1, count),
            level: FieldMut::item_fastest(&mut out.level, 1, count),
            convective_velocity: FieldMut::item_fastest(&mut out.convective_velocity, 1, count),
            entrainment_depth: FieldMut::item_fastest(&mut out.entrainment_depth, 1, count),
            u_10m: FieldMut::item_fastest(&mut out.u_10m, 1, count),
            v_10m: FieldMut::item_fastest(&mut out.v_10m, 1, count),
            stress_u: FieldMut::item_fastest(&mut out.stress_u, 1, count),
            stress_v: FieldMut::item_fastest(&mut out.stress_v, 1, count),
            heat: FieldMut::item_fastest(&mut out.heat, 1, count),
            latent_heat: FieldMut::item_fastest(&mut out.latent_heat, 1, count),
            status: FieldMut::item_fastest(&mut out.status, 1, count),
        },
        scratch: Scratch {
            heat: FieldMut::item_fastest(heat, layers, count),
            moisture: FieldMut::item_fastest(moisture, layers, count),
            momentum: FieldMut::item_fastest(momentum, layers, count),
        },
        exchange: optional_field(exchange, layers, count),
        reciprocal: optional_field(reciprocal, layers, count),
    };
    debug_assert!(arguments.layouts_agree());
    arguments
}

/// A view, or an empty one of no values.
fn optional_column<R: Real>(values: &[R]) -> Column<'_, R> {
    if values.is_empty() { Column::empty() } else { Column::from(values) }
}

/// As [`optional_column`], to write.
fn optional_field<R: Real>(values: &mut [R], layers: usize, columns: usize) -> FieldMut<'_, R> {
    if values.is_empty() { FieldMut::empty() } else { FieldMut::item_fastest(values, layers, columns) }
}

/// Computes every item on the calling thread.
fn run<K: Kernel>(kernel: &K) {
    let mut memory = ThreadMemory::of(kernel);
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of living vectors.
        unsafe { kernel.item::<WARP>(index, memory.lanes()) };
    }
}
