//! Sub-columns: which g-points see the clouds of which layers (the Monte Carlo independent column approximation; Pincus
//! et al. 2003, doi:10.1029/2002JD003322).

use isobar_core::Real;

use crate::host::columns::{CloudColumns, Columns};
use crate::host::error::Error;
use crate::host::overlap::{Generator, Overlap, Subcolumns};
use crate::host::validate;
use crate::physics::random::{Kiss, Mersenne, Uniform};
use crate::physics::subcolumns::{Sampler, overlap_parameter, significant};

/// One column's clouds.
struct Column {
    fraction: Vec<f64>,
    /// How much a layer's cloud follows that below; empty unless overlap is exponential.
    follows: Vec<f64>,
}

impl Column {
    fn new<R: Real>(columns: &Columns<R>, clouds: &CloudColumns<R>, choice: &Subcolumns, column: usize) -> Self {
        let (count, layers) = (columns.columns(), columns.layers());
        let at = |values: &[R], layer: usize| values[layer * count + column].value();
        let fraction: Vec<f64> = (0..layers).map(|layer| significant(at(&clouds.fraction, layer))).collect();
        let mut follows = Vec::new();
        if choice.overlap.is_exponential() {
            let one_for_all = clouds.latitude_deg.len() == 1;
            let latitude = clouds.latitude_deg.get(if one_for_all { 0 } else { column }).map_or(0.0, |x| x.value());
            let length = choice.decorrelation.length_m(latitude);
            follows = vec![0.0; layers];
            for layer in 1..layers {
                let distance = 0.5 * (at(&clouds.thickness_m, layer) + at(&clouds.thickness_m, layer - 1));
                let (below, this) = (fraction[layer - 1], fraction[layer]);
                follows[layer] = overlap_parameter(choice.overlap.number(), below, this, distance, length);
            }
        }
        Self { fraction, follows }
    }

    /// One g-point: calls `cloudy` for the layers where it sees clouds.
    fn sample(&self, overlap: Overlap, random: &mut impl Uniform<1>, mut cloudy: impl FnMut(usize)) {
        let mut sampler = Sampler::new(overlap.number());
        for (layer, &fraction) in self.fraction.iter().enumerate() {
            let follows = self.follows.get(layer).copied().unwrap_or(0.0);
            if sampler.next(random, fraction, follows) != [0] {
                cloudy(layer);
            }
        }
    }
}

impl Subcolumns {
    /// The mask of [`CloudColumns::mask`] for so many g-points.
    ///
    /// # Errors
    /// Fewer than four layers, from whose pressures KISS is seeded, or no thickness of layers for exponential overlap.
    ///
    /// # Accuracy
    /// Bit for bit that of RRTMG_LW: `tests/longwave/subcolumns.rs`.
    pub fn mask<R: Real>(
        &self,
        columns: &Columns<R>,
        clouds: &CloudColumns<R>,
        points: usize,
    ) -> Result<Vec<u32>, Error> {
        validate::subcolumns(self, columns, clouds)?;
        let (count, layers, words) = (columns.columns(), columns.layers(), points.div_ceil(32));
        let all: Vec<Column> = (0..count).map(|column| Column::new(columns, clouds, self, column)).collect();
        let mut mask = vec![0; layers * words * count];
        let mut set = |point: usize, layer: usize, column: usize| {
            mask[(layer * words + point / 32) * count + column] |= 1 << (point % 32);
        };
        match self.generator {
            Generator::Kiss => {
                for (column, these) in all.iter().enumerate() {
                    let pressures = [0, 1, 2, 3].map(|layer| columns.pressure[layer * count + column].value());
                    let mut kiss = Kiss::<1>::of_pressures(pressures, self.seed);
                    for point in 0..points {
                        these.sample(self.overlap, &mut kiss, |layer| set(point, layer, column));
                    }
                }
            }
            Generator::Mersenne => {
                let mut twister = Mersenne::new(self.seed);
                for point in 0..points {
                    for (column, these) in all.iter().enumerate() {
                        these.sample(self.overlap, &mut twister, |layer| set(point, layer, column));
                    }
                }
            }
        }
        Ok(mask)
    }
}
