//! The kernel of layers: amounts of gases, indices and weights, once a layer for all bands. A lane has a column.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::amounts::{dry_column, precipitable_water};
use crate::constants::{COLUMN_UNIT, HPA_PER_PA, NO_GAS};
use crate::interpolation::Places;
use crate::state;
use crate::tables::Tables;

/// The air of `(layer or level, column)`, from the surface up.
///
/// A field of one value for all layers has strides of zero.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Air<'a, R> {
    /// Pressure of the layers \[Pa\].
    pub pressure: Field<'a, R>,
    /// Pressure of the levels between them, one more \[Pa\].
    pub level_pressure: Field<'a, R>,
    /// Temperature of the layers \[K\].
    pub temperature: Field<'a, R>,
    /// Mixing ratios of the [`crate::band::GASES`] relative to dry air \[mol/mol\]; or their columns \[molecules/cm^2\] where those of dry air are given.
    pub gases: [Field<'a, R>; 7],
    /// The same of the [`crate::band::HALOCARBONS`]; without items where there are none. Columns in 1e20 molecules/cm^2.
    pub halocarbons: [Field<'a, R>; 4],
    /// Columns of dry air \[molecules/cm^2\]; without items where they follow from the levels' pressure.
    pub dry_column: Field<'a, R>,
    /// Columns of what broadens lines besides the gases, likewise.
    pub broadening_column: Field<'a, R>,
}

/// What the optics need, of every column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayerStates<'a, R> {
    /// The numbers of [`crate::state`], `(number * layers + layer, column)`.
    pub values: FieldMut<'a, R>,
    /// [`crate::state::Indices`] of `(layer, column)`.
    pub indices: FieldMut<'a, u32>,
    /// The number of layers in the lower region.
    pub lower_layers: FieldMut<'a, u32>,
    /// Precipitable water \[cm\].
    pub precipitable_water: FieldMut<'a, R>,
    /// Secant of the mean slant in each `(band, column)`.
    pub secants: FieldMut<'a, R>,
}

/// The layers of 32 neighbouring columns: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Layers<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// The air.
    pub air: Air<'a, R>,
    /// Where the results go.
    pub states: LayerStates<'a, R>,
}

// SAFETY: an item writes the states of its own columns and reads none.
unsafe impl<R: Real> Kernel for Layers<'_, R> {
    const NAME: &'static str = "longwave_layers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.air.temperature.items().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        self.run::<W>(index * WARP + lanes.first())
    }
}

impl<R: Real> Layers<'_, R> {
    #[inline(always)]
    fn run<const W: usize>(&self, first: usize) -> Status {
        let (layers, columns) = (self.air.temperature.levels(), self.air.temperature.items());
        let column = |lane: usize| (first + lane).min(columns - 1);
        // SAFETY: column() is below the columns, and callers' levels below the field's.
        let read = |field: &Field<'_, R>, level: usize| unsafe { field.tile::<1, W>(|_| level, column, R::ZERO) }[0];
        let hpa = |field: &Field<'_, R>, level: usize| {
            let mut values = read(field, level);
            for lane in 0..W {
                values[lane] *= R::from_f64(HPA_PER_PA);
            }
            values
        };
        let optional = |field: &Field<'_, R>, layer| if field.is_empty() { [R::ZERO; W] } else { read(field, layer) };

        let surface = hpa(&self.air.level_pressure, 0);
        let (mut below, mut lower) = (surface, [0_u32; W]);
        let (mut all_water, mut all_molecules) = ([R::ZERO; W], [R::ZERO; W]);
        let mut finite = true;
        for layer in 0..layers {
            let (pressure, temperature) = (hpa(&self.air.pressure, layer), read(&self.air.temperature, layer));
            let above = hpa(&self.air.level_pressure, layer + 1);
            let mut gases = [[R::ZERO; W]; 7];
            let mut halocarbons = [[R::ZERO; W]; 4];
            for gas in 0..7 {
                gases[gas] = optional(&self.air.gases[gas], layer);
            }
            for gas in 0..4 {
                halocarbons[gas] = optional(&self.air.halocarbons[gas], layer);
            }
            let (mut dry, mut broadening) = ([R::ZERO; W], [R::ZERO; W]);
            if self.air.dry_column.is_empty() {
                for lane in 0..W {
                    dry[lane] = dry_column(below[lane] - above[lane], gases[0][lane]);
                    let mut rest = R::ZERO;
                    for gas in 1..7 {
                        rest += gases[gas][lane];
                    }
                    broadening[lane] = dry[lane] * (R::ONE - rest);
                    for gas in 0..7 {
                        gases[gas][lane] *= dry[lane];
                    }
                    for gas in 0..4 {
                        halocarbons[gas][lane] *= dry[lane] * R::from_f64(1.0 / COLUMN_UNIT);
                    }
                }
            } else {
                (dry, broadening) = (read(&self.air.dry_column, layer), read(&self.air.broadening_column, layer));
            }
            below = above;

            let mut share = [R::ZERO; W];
            for lane in 0..W {
                share[lane] = gases[0][lane] / dry[lane];
                all_water[lane] += gases[0][lane];
                all_molecules[lane] += dry[lane] + gases[0][lane];
            }
            let places = Places::find(&self.tables, &pressure, &temperature, &share);
            let unit = R::from_f64(1.0 / COLUMN_UNIT);
            let mut values = [[R::ZERO; W]; state::VALUES];
            for lane in 0..W {
                lower[lane] += u32::from(places.lower[lane]);
                let molecules = dry[lane] + gases[0][lane];
                values[state::BROADENING][lane] = places.density[lane] * (broadening[lane] / molecules);
                for gas in 0..7 {
                    let column = unit * gases[gas][lane];
                    // Water and oxygen may be absent; the others are divided by.
                    let absent = gas != 0 && gas != 6 && gases[gas][lane] == R::ZERO;
                    let floor = R::from_f64(NO_GAS) * dry[lane];
                    values[state::GASES + gas][lane] = if absent { floor } else { column };
                }
                values[state::GASES + 7][lane] = unit * broadening[lane];
                values[state::AIR][lane] = unit * dry[lane];
                let foreign = values[state::GASES][lane] * places.continuum[lane];
                values[state::FOREIGN][lane] = foreign;
                values[state::SELF][lane] = foreign * share[lane];
            }
            values[state::HALOCARBONS..state::HALOCARBONS + 4].copy_from_slice(&halocarbons);
            values[state::WEIGHTS..state::WEIGHTS + 4].copy_from_slice(&places.weights);
            values[state::PRESSURE] = pressure;
            values[state::SELF_FRACTION] = places.self_fraction;
            values[state::FOREIGN_FRACTION] = places.foreign_fraction;
            values[state::MINOR_FRACTION] = places.minor_fraction;
            values[state::DENSITY] = places.density;
            for lane in 0..W {
                if first + lane < columns {
                    // SAFETY: the column and the layer are those of the states, which have all numbers.
                    unsafe {
                        for (number, value) in values.iter().enumerate() {
                            self.states.values.put(number * layers + layer, first + lane, value[lane]);
                        }
                        self.states.indices.put(layer, first + lane, places.indices[lane]);
                    }
                    finite &= (dry[lane] + temperature[lane] + pressure[lane]).is_finite();
                }
            }
        }
        for lane in 0..W {
            if first + lane < columns {
                let water = precipitable_water(all_water[lane], all_molecules[lane], surface[lane]);
                self.states.lower_layers.set(0, first + lane, lower[lane]);
                self.states.precipitable_water.set(0, first + lane, water);
                for band in 0..self.tables.band_count() {
                    self.states.secants.set(band, first + lane, secant(self.tables.band(band).secant, water));
                }
            }
        }
        if finite { Status::OK } else { Status::NOT_FINITE }
    }
}

/// The secant of a band's mean slant under so much precipitable water.
#[inline(always)]
fn secant<R: Real>([a0, a1, a2]: [R; 3], water_cm: R) -> R {
    let fitted = (a0 + a1 * (a2 * water_cm).exp()).clamp(R::from_f64(1.5), R::from_f64(1.8));
    if a1 == R::ZERO { a0 } else { fitted }
}
