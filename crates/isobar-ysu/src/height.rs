//! The height of the boundary layer: a first guess, and again with the excess of thermals or, on a stable surface, with
//! a critical number above zero.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::coming::Coming;
use crate::richardson::{Crossing, Parcel, search};
use crate::scales::{CounterGradient, Scales, scales, thermals};
use crate::surface::{Ground, Lowest};
use crate::tile::Tile;
use crate::top_down;

/// The height of the boundary layer, and what was computed on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Height<R, const W: usize> {
    /// \[m\].
    pub(crate) height: [R; W],
    /// The layer in which it ends, counted from 1.
    pub(crate) layer: [u32; W],
    /// Is there a mixed layer? 0 or 1.
    pub(crate) mixed: [u32; W],
    /// Where the last search ended.
    pub(crate) crossing: Crossing<[R; W]>,
    pub(crate) scales: Scales<[R; W]>,
    pub(crate) counter: CounterGradient<[R; W]>,
}

impl<R: Real, const W: usize> Height<R, W> {
    /// The height in the lanes that were searched. One below the first interface counts as none, but is kept.
    #[inline(always)]
    fn settle(&mut self, lowest: &Lowest<[R; W]>, parcel: &Parcel<[R; W]>, searched: &[u32; W]) {
        for lane in 0..W {
            let searched = searched[lane] != 0;
            let crossed = self.crossing.lane(lane).height(parcel.critical[lane]);
            let height = if searched { crossed } else { self.height[lane] };
            let low = searched & (height < lowest.top[lane]);
            self.height[lane] = height;
            self.layer[lane] = if low { 1 } else { self.layer[lane] };
            self.mixed[lane] = if searched & (self.layer[lane] <= 1) { 0 } else { self.mixed[lane] };
        }
    }
}

#[inline(always)]
pub(crate) fn height<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    coming: &mut Coming<R>,
    ground: &Ground<[R; W]>,
    lowest: &Lowest<[R; W]>,
) -> Height<R, W> {
    let mut found = Height {
        height: [R::ZERO; W],
        layer: [1; W],
        mixed: [1; W],
        crossing: Crossing::ZEROS,
        scales: Scales::ZEROS,
        counter: CounterGradient::ZEROS,
    };
    // No closure, which a CPU's vector instructions would not reach.
    macro_rules! seek {
        ($found:ident, $parcel:ident, $active:ident) => {
            search(
                batch,
                tile,
                coming,
                lowest,
                &ground.richardson,
                &$parcel,
                $active,
                &mut $found.crossing,
                &mut $found.layer,
            )
        };
    }
    let stable = stable_parcels(tile, ground);
    let mut parcel = Parcel { virtual_theta: lowest.virtual_deviation, critical: [R::ZERO; W] };
    let mut liquid_parcel = lowest.liquid_deviation;
    let mut searched = [1; W];
    // Twice the same instructions, which a GPU's cache for them has to hold once.
    let mut guessed = false;
    loop {
        seek!(found, parcel, searched);
        if guessed {
            break;
        }
        guessed = true;
        found.settle(lowest, &parcel, &searched);
        for lane in 0..W {
            let (ground, lowest) = (ground.lane(lane), lowest.lane(lane));
            let scales = scales(&ground, &lowest, found.height[lane]);
            let (excess, counter) = thermals(&ground, &lowest, &scales, found.height[lane]);
            found.scales.set(lane, scales);
            found.counter.set(lane, counter);
            parcel.virtual_theta[lane] += excess;
            liquid_parcel[lane] += excess;
            let buoyant = ground.unstable() & (lowest.virtual_flux > R::ZERO);
            found.mixed[lane] = if buoyant { found.mixed[lane] } else { 0 };
        }
        searched = found.mixed;
        if batch.parameters.top_down == 0 {
            // No column is mixed and stable: one search serves both.
            for lane in 0..W {
                let low = !ground.lane(lane).unstable() & (found.height[lane] < lowest.top[lane]);
                searched[lane] |= u32::from(low);
                parcel.critical[lane] = if low { stable[lane] } else { R::ZERO };
            }
        }
    }
    if batch.parameters.top_down != 0 {
        top_down::scan(batch, tile, lowest, &liquid_parcel, &mut found);
        let mixed = found.mixed;
        found.settle(lowest, &parcel, &mixed);
        for lane in 0..W {
            searched[lane] = u32::from(!ground.lane(lane).unstable() & (found.height[lane] < lowest.top[lane]));
        }
        parcel.critical = stable;
        seek!(found, parcel, searched);
    }
    found.settle(lowest, &parcel, &searched);
    found
}

/// The critical Richardson number on a stable surface: constant over land, by the surface's Rossby number over water
/// (Vickers and Mahrt 2004).
#[inline(always)]
fn stable_parcels<R: Real, const W: usize>(tile: &Tile<W>, ground: &Ground<[R; W]>) -> [R; W] {
    let mut critical = [R::from_f64(0.25); W];
    let mut water = [0; W];
    for lane in 0..W {
        let ground = ground.lane(lane);
        water[lane] = u32::from(!ground.unstable() & !ground.is_land());
    }
    if tile.any(&water) {
        for lane in 0..W {
            let (u, v) = (ground.u_10m[lane], ground.v_10m[lane]);
            let wind = (u * u + v * v).sqrt();
            let rossby = wind / (R::from_f64(1e-4) * ground.roughness[lane]);
            // Below it the number is limited; a power of plain numbers.
            let scaled = (R::from_f64(1e-7) * rossby).at_least(R::from_f64(1e-3));
            let number = R::from_f64(0.16) * (R::from_f64(-0.18) * scaled.ln()).plain_exp();
            let number = number.min(R::from_f64(0.3));
            critical[lane] = if water[lane] != 0 { number } else { critical[lane] };
        }
    }
    critical
}
