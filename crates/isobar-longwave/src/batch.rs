//! Columns and their results in the host's memory, and a plain loop over them.

use std::sync::Arc;

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Team};

use crate::angles::slants;
use crate::clouds::{BY_SIZE, Clouds, EBERT_CURRY_GROUPS, GIVEN};
use crate::columns::{CloudColumns, Columns};
use crate::constants::{DAY_S, GRAVITY};
use crate::error::Error;
use crate::fluxes::Fluxes;
use crate::layers::{Air, LayerStates, Layers};
use crate::optical_depths::OpticalDepths;
use crate::options::{IceOptics, LiquidOptics, Options, Solver, Transmittance};
use crate::prepare::Sources;
use crate::state;
use crate::table_data::TableData;
use crate::transfer::{self, Transfer, TransferArgs};

/// Results of a batch, the column the fastest index: `[layer or level * columns + column]` from the surface up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outputs<R> {
    /// Upward flux at the levels \[W/m^2\].
    pub up: Vec<R>,
    /// Downward flux at the levels \[W/m^2\].
    pub down: Vec<R>,
    /// Heating rate of the layers \[K/day\].
    pub heating: Vec<R>,
    /// The same three without clouds; empty if there are none.
    pub up_clear: Vec<R>,
    /// See above.
    pub down_clear: Vec<R>,
    /// See above.
    pub heating_clear: Vec<R>,
    /// Derivative of the upward flux by the temperature of the surface \[W/(m^2 K)\]; empty if not asked for.
    pub derivative: Vec<R>,
    /// The same without clouds.
    pub derivative_clear: Vec<R>,
    /// Upward flux of each band, `[(level * bands + band) * columns + column]`; empty if not asked for.
    pub band_up: Vec<R>,
    /// Downward flux of each band, likewise.
    pub band_down: Vec<R>,
    /// [`isobar_core::Status`] of each column.
    pub status: Vec<u32>,
}

/// What [`Layers`] leaves for the optics.
#[derive(Debug, Clone)]
pub struct States<R> {
    /// Numbers of [`crate::state`], `[(column * VALUES + number) * layers + layer]`.
    pub values: Vec<R>,
    /// Packed indices, `[column * layers + layer]`.
    pub indices: Vec<u32>,
    /// Layers in the lower region.
    pub lower_layers: Vec<u32>,
    /// Precipitable water \[cm\].
    pub precipitable_water: Vec<R>,
    /// Secants, `[column * bands + band]`.
    pub secants: Vec<R>,
}

/// A batch with room for its results.
#[derive(Debug, Clone)]
pub struct Batch<R> {
    tables: Arc<TableData<R>>,
    options: Options,
    columns: Columns<R>,
    mask: Vec<u32>,
    /// [`Clouds::entries`]; empty unless RRTMG_LW's digits are wanted.
    entries: Vec<u32>,
    states: States<R>,
    outputs: Outputs<R>,
}

impl<R: Real> Batch<R> {
    /// A batch of columns, which are checked; clouds without a mask get one.
    ///
    /// # Errors
    /// Sizes or values that do not fit, or too many columns at a time: a field has fewer than 2^31 values.
    pub fn new(tables: Arc<TableData<R>>, columns: Columns<R>, options: Options) -> Result<Self, Error> {
        let (bands, points) = (tables.bands.len(), tables.points);
        columns.validate((bands, points), &options)?;
        if slants(options.slants).is_none() {
            return Err(Error::Setup(format!("{} slants: there are quadratures of 1 to 4", options.slants)));
        }
        let (layers, count) = (columns.layers(), columns.columns());
        if (layers + 1).saturating_mul(count).saturating_mul(state::VALUES) > i32::MAX as usize {
            return Err(Error::Setup(format!("{count} columns are too many at a time")));
        }
        let mask = match &columns.clouds {
            None => Vec::new(),
            Some(_) if options.solver != Solver::Subcolumns => Vec::new(),
            Some(clouds) if clouds.mask.is_empty() => options.subcolumns.mask(&columns, clouds, points)?,
            Some(clouds) => clouds.mask.clone(),
        };
        let states = States::room(layers, count, bands);
        let room = |wanted: bool, rows: usize| vec![R::ZERO; if wanted { rows * count } else { 0 }];
        let cloudy = columns.clouds.is_some();
        let levels = layers + 1;
        let outputs = Outputs {
            up: room(true, levels),
            down: room(true, levels),
            heating: room(true, layers),
            up_clear: room(cloudy, levels),
            down_clear: room(cloudy, levels),
            heating_clear: room(cloudy, layers),
            derivative: room(options.derivative, levels),
            derivative_clear: room(options.derivative && cloudy, levels),
            band_up: room(options.band_fluxes, levels * bands),
            band_down: room(options.band_fluxes, levels * bands),
            status: vec![0; count],
        };
        let exact = options.transmittance == Transmittance::Exact;
        let entries = match &columns.clouds {
            Some(clouds) if !exact && options.solver != Solver::Subcolumns => {
                entries(&columns, clouds, bands, &options)
            }
            _ => Vec::new(),
        };
        Ok(Self { tables, options, columns, mask, entries, states, outputs })
    }

    /// Computes all columns on the calling thread.
    pub fn compute(&mut self) {
        run(&self.layers(), &mut []);
        let slants = slants(self.options.slants).expect("checked");
        if let [(secant, _)] = slants {
            self.sweep(*secant);
            return;
        }
        let mut sums = vec![R::ZERO; 0];
        for &(secant, weight) in slants {
            self.sweep(secant);
            let weight = R::from_f64(weight);
            let values = self.outputs.fields_mut().into_iter().flat_map(|field| field.iter());
            if sums.is_empty() {
                sums = values.map(|&x| weight * x).collect();
            } else {
                sums.iter_mut().zip(values).for_each(|(sum, &x)| *sum += weight * x);
            }
        }
        let values = self.outputs.fields_mut().into_iter().flat_map(|field| field.iter_mut());
        values.zip(sums).for_each(|(value, sum)| *value = sum);
    }

    /// Transfer along slants of this secant; 0 for the mean ones.
    fn sweep(&mut self, secant: f64) {
        let mut status = std::mem::take(&mut self.outputs.status);
        let (cloudy, table) = (self.columns.clouds.is_some(), self.options.transmittance == Transmittance::Table);
        let sky = match self.options.solver {
            _ if !cloudy => transfer::CLEAR,
            Solver::Subcolumns => transfer::SUBCOLUMNS,
            Solver::Random => transfer::RANDOM,
            Solver::MaximumRandom => transfer::MAXIMUM_RANDOM,
        };
        let arguments = TransferArgs { secant: R::from_f64(secant), ..self.transfer() };
        match (sky, table) {
            (transfer::CLEAR, false) => run(&Transfer::<R, { transfer::CLEAR }, false>(arguments), &mut status),
            (transfer::CLEAR, true) => run(&Transfer::<R, { transfer::CLEAR }, true>(arguments), &mut status),
            (transfer::SUBCOLUMNS, false) => {
                run(&Transfer::<R, { transfer::SUBCOLUMNS }, false>(arguments), &mut status);
            }
            (transfer::SUBCOLUMNS, true) => run(&Transfer::<R, { transfer::SUBCOLUMNS }, true>(arguments), &mut status),
            (transfer::RANDOM, false) => run(&Transfer::<R, { transfer::RANDOM }, false>(arguments), &mut status),
            (transfer::RANDOM, true) => run(&Transfer::<R, { transfer::RANDOM }, true>(arguments), &mut status),
            (_, false) => run(&Transfer::<R, { transfer::MAXIMUM_RANDOM }, false>(arguments), &mut status),
            (_, true) => run(&Transfer::<R, { transfer::MAXIMUM_RANDOM }, true>(arguments), &mut status),
        }
        self.outputs.status = status;
    }

    /// Optical depths and Planck fractions, `[(layer * points + point) * columns + column]` each.
    #[must_use]
    pub fn optical_depths(&mut self) -> [Vec<R>; 2] {
        run(&self.layers(), &mut []);
        let (count, rows) = (self.columns.columns(), self.columns.layers() * self.tables.points);
        let (mut depths, mut fractions) = (vec![R::ZERO; rows * count], vec![R::ZERO; rows * count]);
        let kernel = OpticalDepths {
            sources: sources(&self.tables, &self.columns, &mut self.states),
            optical_depth: FieldMut::item_fastest(&mut depths, rows, count),
            fraction: FieldMut::item_fastest(&mut fractions, rows, count),
        };
        run(&kernel, &mut []);
        [depths, fractions]
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

    /// What the first kernel left.
    #[must_use]
    pub fn states(&self) -> &States<R> {
        &self.states
    }

    /// The mask of clouds; empty where there are none.
    #[must_use]
    pub fn mask(&self) -> &[u32] {
        &self.mask
    }

    /// The kernel of layers, which comes first.
    pub fn layers(&mut self) -> Layers<'_, R> {
        let (layers, count) = (self.columns.layers(), self.columns.columns());
        let Self { tables, columns, states, .. } = self;
        let air = Air {
            pressure: field(&columns.pressure, layers, count),
            level_pressure: field(&columns.level_pressure, layers + 1, count),
            temperature: field(&columns.temperature, layers, count),
            gases: columns.gases.each_ref().map(|values| field(values, layers, count)),
            halocarbons: columns.halocarbons.each_ref().map(|values| field(values, layers, count)),
            dry_column: field(&columns.dry_column, layers, count),
            broadening_column: field(&columns.broadening_column, layers, count),
        };
        Layers { tables: tables.view(), air, states: states.view(layers, count) }
    }

    /// The arguments of the kernel of transfer, which comes second.
    pub fn transfer(&mut self) -> TransferArgs<'_, R> {
        let (layers, count, bands) = (self.columns.layers(), self.columns.columns(), self.tables.bands.len());
        let levels = layers + 1;
        let Self { tables, columns, states, options, mask, entries, outputs: out } = self;
        TransferArgs {
            sources: sources(tables, columns, states),
            level_pressure: field(&columns.level_pressure, levels, count),
            surface_temperature: Column::from(&columns.surface_temperature[..]),
            emissivity: field(&columns.emissivity, bands, count),
            clouds: match &columns.clouds {
                Some(clouds) => clouds_view(clouds, (mask, entries), options, (layers, bands, count)),
                None => Clouds::none(),
            },
            secant: R::ZERO,
            heating_factor: R::from_f64(GRAVITY * DAY_S / (options.heat_capacity * 100.0)),
            fluxes: Fluxes {
                up: field_mut(&mut out.up, levels, count),
                down: field_mut(&mut out.down, levels, count),
                heating: field_mut(&mut out.heating, layers, count),
                up_clear: field_mut(&mut out.up_clear, levels, count),
                down_clear: field_mut(&mut out.down_clear, levels, count),
                heating_clear: field_mut(&mut out.heating_clear, layers, count),
                derivative: field_mut(&mut out.derivative, levels, count),
                derivative_clear: field_mut(&mut out.derivative_clear, levels, count),
                band_up: field_mut(&mut out.band_up, levels * bands, count),
                band_down: field_mut(&mut out.band_down, levels * bands, count),
            },
        }
    }
}

impl<R> Outputs<R> {
    /// All fields.
    fn fields_mut(&mut self) -> [&mut Vec<R>; 10] {
        [
            &mut self.up,
            &mut self.down,
            &mut self.heating,
            &mut self.up_clear,
            &mut self.down_clear,
            &mut self.heating_clear,
            &mut self.derivative,
            &mut self.derivative_clear,
            &mut self.band_up,
            &mut self.band_down,
        ]
    }
}

impl<R: Real> States<R> {
    fn room(layers: usize, count: usize, bands: usize) -> Self {
        Self {
            values: vec![R::ZERO; state::VALUES * layers * count],
            indices: vec![0; layers * count],
            lower_layers: vec![0; count],
            precipitable_water: vec![R::ZERO; count],
            secants: vec![R::ZERO; bands * count],
        }
    }

    fn view(&mut self, layers: usize, count: usize) -> LayerStates<'_, R> {
        let bands = self.secants.len() / count;
        LayerStates {
            values: FieldMut::level_fastest(&mut self.values, state::VALUES * layers, count),
            indices: FieldMut::level_fastest(&mut self.indices, layers, count),
            lower_layers: FieldMut::item_fastest(&mut self.lower_layers, 1, count),
            precipitable_water: FieldMut::item_fastest(&mut self.precipitable_water, 1, count),
            secants: FieldMut::level_fastest(&mut self.secants, bands, count),
        }
    }
}

fn sources<'a, R: Real>(
    tables: &'a TableData<R>,
    columns: &'a Columns<R>,
    states: &'a mut States<R>,
) -> Sources<'a, R> {
    let (layers, count) = (columns.layers(), columns.columns());
    Sources {
        tables: tables.view(),
        states: states.view(layers, count),
        temperature: field(&columns.temperature, layers, count),
        level_temperature: field(&columns.level_temperature, layers + 1, count),
        aerosol: field(&columns.aerosol, layers * tables.bands.len(), count),
    }
}

fn clouds_view<'a, R: Real>(
    clouds: &'a CloudColumns<R>,
    (mask, entries): (&'a [u32], &'a [u32]),
    options: &Options,
    (layers, bands, count): (usize, usize, usize),
) -> Clouds<'a, R> {
    let rows = mask.len() / count;
    let given = !clouds.optical_depth.is_empty();
    Clouds {
        fraction: field(&clouds.fraction, layers, count),
        entries: if entries.is_empty() { Field::empty() } else { Field::item_fastest(entries, layers + 1, count) },
        mask: if mask.is_empty() { Field::empty() } else { Field::item_fastest(mask, rows, count) },
        words: (rows / layers) as u32,
        input: if given { GIVEN } else { BY_SIZE },
        ice: options.ice.flag(),
        liquid: options.liquid.flag(),
        ice_path: field(&clouds.ice_path, layers, count),
        liquid_path: field(&clouds.liquid_path, layers, count),
        ice_size: field(&clouds.ice_size, layers, count),
        liquid_radius: field(&clouds.liquid_radius, layers, count),
        optical_depth: field(&clouds.optical_depth, layers * bands, count),
        share: field(&clouds.share, clouds.share.len() / count, count),
    }
}

/// The bands of cloud optics that RRTMG_LW ends with in each layer: a number that some layers set and others find.
fn entries<R: Real>(columns: &Columns<R>, clouds: &CloudColumns<R>, bands: usize, options: &Options) -> Vec<u32> {
    let (layers, count) = (columns.layers(), columns.columns());
    let mut entries = vec![1; (layers + 1) * count];
    for column in 0..count {
        let mut last = if clouds.optical_depth.is_empty() { 1 } else { bands as u32 };
        for layer in 0..layers {
            let place = layer * count + column;
            if clouds.optical_depth.is_empty() && clouds.fraction[place].value() > 0.0 {
                if clouds.ice_path[place].value() > 0.0 {
                    match options.ice {
                        IceOptics::OneCoefficient => {}
                        IceOptics::EbertCurry => last = EBERT_CURRY_GROUPS,
                        IceOptics::Spheres | IceOptics::Fu => last = bands as u32,
                    }
                }
                if clouds.liquid_path[place].value() > 0.0 && options.liquid == LiquidOptics::HuStamnes {
                    last = bands as u32;
                }
            }
            entries[place] = last;
        }
        entries[layers * count + column] = last;
    }
    entries
}

/// A view of one value for all, of all values, or of none.
fn field<R: Real>(values: &[R], levels: usize, columns: usize) -> Field<'_, R> {
    match values.len() {
        0 => Field::empty(),
        // SAFETY: with strides of zero every place is the one value.
        1 => unsafe { Field::from_raw(values.as_ptr(), levels, columns, 0, 0) },
        _ => Field::item_fastest(values, levels, columns),
    }
}

/// A view of all values, or of none.
fn field_mut<R: Real>(values: &mut [R], levels: usize, columns: usize) -> FieldMut<'_, R> {
    if values.is_empty() { FieldMut::empty() } else { FieldMut::item_fastest(values, levels, columns) }
}

/// Computes every item on the calling thread; a status for each that has room.
fn run<K: Kernel>(kernel: &K, statuses: &mut [u32]) {
    let bytes = if let Team::Block { scratch_bytes, .. } = K::TEAM { scratch_bytes } else { 0 };
    // 16 bytes an element: the alignment of a scratch.
    let mut scratch = vec![0_u128; bytes.div_ceil(16)];
    let lanes = Lanes::in_block(0, 0, 1, scratch.as_mut_ptr().cast());
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of living vectors, and the scratch is this thread's.
        let status = unsafe { kernel.item::<WARP>(index, lanes) };
        if let Some(place) = statuses.get_mut(index) {
            *place = status.0;
        }
    }
}
