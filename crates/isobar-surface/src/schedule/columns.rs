//! The columns of a tile: the stages in their order.

use isobar_core::{PerLane, Real, Status};

use crate::arguments::SurfaceKernel;
use crate::fields::{read_by_name, written_by_name};
use crate::physics::exchange::{Written, regime, written};
use crate::physics::feet::{Feet, feet};
use crate::physics::lowest::{Lowest, lowest};
use crate::physics::point::Point;
use crate::physics::profiles::{Levels, Profiles, levels, profiles};
use crate::physics::richardson::{Equation, Flow, flow, without_equation};
use crate::schedule::look_up::corrections;
use crate::schedule::search::Search;
use crate::schedule::tile::Tile;

/// Computes the columns of a tile; the status is that of all together.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(batch: &SurfaceKernel<'_, R>, tile: &Tile<W>) -> Status {
    let parameters = &batch.parameters;
    let points = read(batch, tile);
    let (mut air, mut flows) = (Lowest::<[R; W]>::zeros(), Flow::<[R; W]>::zeros());
    let (mut equations, mut is_unstable) = (Equation::<[R; W]>::zeros(), [0; W]);
    for lane in 0..W {
        let point = points.lane(lane);
        let own = lowest(parameters, &point);
        let own_flow = flow(parameters, &point, &own);
        air.set(lane, own);
        flows.set(lane, own_flow);
        equations.set(lane, Equation::new(&point, &own, &own_flow));
        is_unstable[lane] = u32::from(own_flow.richardson < R::ZERO);
    }
    let search = Search { table: &batch.corrections, tile, equation: &equations, is_unstable: &is_unstable };
    let roots = if parameters.converged() { search.converged() } else { search.by_secants() };
    let (mut all_feet, mut at) = (Feet::<[R; W]>::zeros(), Levels::<[R; W]>::zeros());
    let mut stability = [R::ZERO; W];
    for lane in 0..W {
        let (point, own, own_flow) = (points.lane(lane), air.lane(lane), flows.lane(lane));
        let own_feet = feet(parameters, &point);
        stability[lane] = without_equation(&point, &own, &own_flow, roots[lane]);
        at.set(lane, levels(&point, &own, &own_feet, stability[lane]));
        all_feet.set(lane, own_feet);
    }
    let psi = look_up(batch, tile, &at, &is_unstable);
    let mut all_profiles = Profiles::<[R; W]>::zeros();
    for lane in 0..W {
        let (own, own_flow) = (air.lane(lane), flows.lane(lane));
        let place = (&own, &own_flow);
        let own = profiles(parameters, &points.lane(lane), place, &all_feet.lane(lane), &psi.lane(lane));
        all_profiles.set(lane, own);
    }
    let mut out = Written::<[R; W]>::zeros();
    for lane in 0..W {
        let (own, own_flow) = (air.lane(lane), flows.lane(lane));
        let place = (&own, &own_flow);
        out.set(lane, written(parameters, &points.lane(lane), place, stability[lane], &all_profiles.lane(lane)));
    }
    write(batch, tile, &points, &out)
}

#[inline(always)]
fn read<R: Real, const W: usize>(batch: &SurfaceKernel<'_, R>, tile: &Tile<W>) -> Point<[R; W]> {
    let columns = &batch.columns;
    let of_wind = &columns.friction_velocity_of_wind_m_per_s;
    let of_wind = if of_wind.is_empty() { &columns.friction_velocity_m_per_s } else { of_wind };
    let friction_of_wind = tile.read(of_wind);
    macro_rules! read {
        ($($name:ident $field:ident,)*) => { Point { $($name: tile.read(&columns.$field),)* friction_of_wind } };
    }
    read_by_name!(read)
}

/// Corrections at all levels.
#[inline(always)]
fn look_up<R: Real, const W: usize>(
    batch: &SurfaceKernel<'_, R>,
    tile: &Tile<W>,
    at: &Levels<[R; W]>,
    is_unstable: &[u32; W],
) -> Levels<[R; W]> {
    // No closure: it would not be compiled with the kernel's vectors.
    macro_rules! look_up {
        ($($level:ident $quantity:ident,)*) => {
            Levels { $($level: corrections(&batch.corrections, tile, &at.$level, is_unstable).$quantity),* }
        };
    }
    look_up! {
        momentum_foot momentum,
        momentum momentum,
        momentum_10m momentum,
        heat_foot heat,
        heat heat,
        heat_2m heat,
        moisture_foot heat,
        moisture heat,
        moisture_2m heat,
        moisture_10m heat,
    }
}

/// Writes the results and each column's status, and says whether all columns of the tile are finite.
#[inline(always)]
fn write<R: Real, const W: usize>(
    batch: &SurfaceKernel<'_, R>,
    tile: &Tile<W>,
    points: &Point<[R; W]>,
    out: &Written<[R; W]>,
) -> Status {
    // 0, or NaN if any number is not finite: of the inputs, too, for not all functions keep NaN.
    let mut nothing = [R::ZERO; W];
    let (mut statuses, mut regimes, mut status) = ([0; W], [0; W], Status::OK);
    macro_rules! look {
        ($($name:ident $field:ident,)*) => {$(
            for lane in 0..W {
                nothing[lane] += points.$name[lane] * R::ZERO;
            }
        )*};
    }
    read_by_name!(look);
    macro_rules! write {
        ($($name:ident $field:ident,)*) => {$(
            for lane in 0..W {
                nothing[lane] += out.$name[lane] * R::ZERO;
            }
            tile.write(&batch.results.$field, out.$name);
        )*};
    }
    written_by_name!(write);
    for lane in 0..W {
        let own = if nothing[lane] == R::ZERO { Status::OK } else { Status::NOT_FINITE };
        statuses[lane] = own.0;
        status = status.or(own);
        regimes[lane] = regime(out.richardson[lane]);
    }
    tile.write(&batch.results.regime, regimes);
    tile.write(&batch.results.status, statuses);
    status
}
