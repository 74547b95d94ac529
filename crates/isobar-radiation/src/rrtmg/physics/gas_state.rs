//! What the gas optics need of a layer: the numbers and indices of [`crate::rrtmg::state`], a layer a lane.

use isobar_core::Real;

use crate::rrtmg::constants::{COLUMN_UNIT, NO_GAS};
use crate::rrtmg::physics::amounts::Amounts;
use crate::rrtmg::physics::interpolation::Positions;
use crate::rrtmg::state;
use crate::rrtmg::tables::Tables;

/// The numbers and packed indices of layers of some pressure \[hPa\], temperature \[K\] and amounts of gases.
#[inline(always)]
pub(crate) fn gas_state<R: Real, const W: usize>(
    tables: &Tables<'_, R>,
    (pressure, temperature): (&[R; W], &[R; W]),
    amounts: &Amounts<R, W>,
) -> ([[R; W]; state::VALUES], [u32; W]) {
    let Amounts { dry, broadening, gases, halocarbons } = amounts;
    let mut share = [R::ZERO; W];
    for lane in 0..W {
        share[lane] = gases[0][lane] / dry[lane];
    }
    let positions = Positions::find(tables, pressure, temperature, &share);
    let unit = R::from_f64(1.0 / COLUMN_UNIT);
    let mut values = [[R::ZERO; W]; state::VALUES];
    for lane in 0..W {
        let molecules = dry[lane] + gases[0][lane];
        values[state::BROADENING][lane] = positions.density[lane] * (broadening[lane] / molecules);
        for gas in 0..7 {
            let column = unit * gases[gas][lane];
            // Water and oxygen may be absent; the others are divided by.
            let absent = gas != 0 && gas != 6 && gases[gas][lane] == R::ZERO;
            let floor = R::from_f64(NO_GAS) * dry[lane];
            values[state::GASES + gas][lane] = if absent { floor } else { column };
        }
        values[state::GASES + 7][lane] = unit * broadening[lane];
        values[state::AIR][lane] = unit * dry[lane];
        let foreign = values[state::GASES][lane] * positions.continuum[lane];
        values[state::FOREIGN][lane] = foreign;
        values[state::SELF][lane] = foreign * share[lane];
    }
    values[state::HALOCARBONS..state::HALOCARBONS + 4].copy_from_slice(halocarbons);
    values[state::WEIGHTS..state::WEIGHTS + 4].copy_from_slice(&positions.weights);
    values[state::PRESSURE] = *pressure;
    values[state::SELF_FRACTION] = positions.self_fraction;
    values[state::FOREIGN_FRACTION] = positions.foreign_fraction;
    values[state::MINOR_FRACTION] = positions.minor_fraction;
    values[state::DENSITY] = positions.density;
    (values, positions.indices)
}
