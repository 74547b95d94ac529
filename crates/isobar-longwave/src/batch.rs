//! Columns and their results in the host's memory, and a plain loop over them.

use std::sync::Arc;

use isobar_core::kernel::WARP;
use isobar_core::{Column, FieldMut, Kernel, Lanes, Real, Team};

use crate::angles::slants;
use crate::clouds::Clouds;
use crate::columns::Columns;
use crate::constants::{DAY_S, GRAVITY};
use crate::error::Error;
use crate::fluxes::Fluxes;
use crate::layers::{Air, Layers};
use crate::optical_depths::OpticalDepths;
use crate::options::{Options, Solver, Transmittance};
use crate::outputs::{Outputs, States};
use crate::state;
use crate::table_data::TableData;
use crate::transfer::{self, Transfer, TransferArgs};
use crate::views::{self, field, field_mut};
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
                views::entries(&columns, clouds, bands, &options)
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
            sources: views::sources(&self.tables, &self.columns, &mut self.states),
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
            sources: views::sources(tables, columns, states),
            level_pressure: field(&columns.level_pressure, levels, count),
            surface_temperature: Column::from(&columns.surface_temperature[..]),
            emissivity: field(&columns.emissivity, bands, count),
            clouds: match &columns.clouds {
                Some(clouds) => views::clouds(clouds, (mask, entries), options, (layers, bands, count)),
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
