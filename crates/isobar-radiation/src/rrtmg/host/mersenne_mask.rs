//! Sub-columns by one generator for a whole batch: which g-points see the clouds of which layers (the Monte Carlo
//! independent column approximation; Pincus et al. 2003, doi:10.1029/2002JD003322).

use isobar_core::Real;
use isobar_core::fields::Error;

use super::mersenne::Mersenne;
use crate::ColumnViews;
use crate::host::options::Options;
use crate::rrtmg::physics::subcolumns::{Sampler, overlap_parameter, significant};

/// A mask for [`crate::Columns::cloud_mask`], of `points` g-points, by one Mersenne twister for all columns
/// (`irng` 1): for those whose clouds are to be those of RRTMG_LW with it. The kernel's masks are by KISS (`irng`
/// 0), which each column seeds by its pressures.
///
/// # Errors
/// No clouds, or no thickness of layers for exponential overlap.
///
/// # Accuracy
/// Bit for bit that of RRTMG_LW: `tests/radiation/rrtmg/subcolumns.rs`.
pub fn mersenne_mask<R: Real>(
    columns: &ColumnViews<'_, R>,
    points: usize,
    options: &Options,
) -> Result<Vec<u32>, Error> {
    if !columns.is_cloudy() || (options.overlap.is_exponential() && columns.thickness_m.is_empty()) {
        let text = "a mask needs a cloud_fraction, and with exponential overlap thickness_m";
        return Err(Error::Setup(text.to_owned()));
    }
    let (count, layers, words) = (columns.columns(), columns.layers(), points.div_ceil(32));
    let fraction = |layer: usize, column: usize| significant(columns.cloud_fraction.at(layer, column).value());
    let mut follows = vec![0.0; layers * count];
    if options.overlap.is_exponential() {
        for (layer, column) in (1..layers).flat_map(|layer| (0..count).map(move |column| (layer, column))) {
            let latitude = &columns.latitude_deg;
            let latitude = if latitude.is_empty() { 0.0 } else { latitude.at(column).value() };
            let thickness = |layer: usize| columns.thickness_m.at(layer, column).value();
            let distance = 0.5 * (thickness(layer) + thickness(layer - 1));
            let (below, this) = (fraction(layer - 1, column), fraction(layer, column));
            let length = options.rrtmg.decorrelation.length_m(latitude);
            follows[layer * count + column] =
                overlap_parameter(options.overlap.number(), below, this, distance, length);
        }
    }
    let mut mask = vec![0; layers * words * count];
    let mut twister = Mersenne::new(options.rrtmg.seed);
    for (point, column) in (0..points).flat_map(|point| (0..count).map(move |column| (point, column))) {
        let (mut sampler, mut rank) = (Sampler::new(options.overlap.number()), 0.0);
        for layer in 0..layers {
            let clear = 1.0 - fraction(layer, column);
            let random = sampler.takes().map(|takes| if takes { twister.next() } else { 0.0 });
            rank = sampler.rank(random, rank, follows[layer * count + column]);
            if rank >= clear {
                mask[(layer * words + point / 32) * count + column] |= 1 << (point % 32);
            }
            sampler = sampler.above(clear);
        }
    }
    Ok(mask)
}
