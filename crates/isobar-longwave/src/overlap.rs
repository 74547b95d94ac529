//! Sub-columns: which g-points see the clouds of which layers (the Monte Carlo independent column approximation; Pincus
//! et al. 2003, doi:10.1029/2002JD003322).

use isobar_core::Real;

use crate::cloud_mask::{self, Climb};
use crate::columns::{CloudColumns, Columns};
use crate::error::Error;
use crate::random::{Kiss, Mersenne, Uniform};

/// How clouds of different layers overlap (RRTMG_LW's `icld`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// At random (1).
    Random,
    /// At random across clear layers, as much as possible within a cloud (2).
    #[default]
    MaximumRandom,
    /// As much as possible (3).
    Maximum,
    /// Less with distance (4).
    Exponential,
    /// Less with distance within a cloud, at random across clear layers (5).
    ExponentialRandom,
}

/// The distance over which exponential overlap is lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decorrelation {
    /// The same everywhere \[m\].
    Length(f64),
    /// By latitude and season (Oreopoulos et al. 2012, doi:10.5194/acp-12-9097-2012), for a day of the year.
    Latitude {
        /// Day of the year, 1 to 366.
        day: u32,
    },
}

/// Where random numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generator {
    /// KISS, seeded by each column's pressures: a column has the same clouds in any company (`irng` 0).
    #[default]
    Kiss,
    /// One Mersenne twister for all columns of a batch (`irng` 1).
    Mersenne,
}

/// The choices for sub-columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subcolumns {
    /// Overlap.
    pub overlap: Overlap,
    /// Random numbers.
    pub generator: Generator,
    /// How often KISS is advanced first, or the twister's seed (`permuteseed`).
    pub seed: u32,
    /// For exponential overlap.
    pub decorrelation: Decorrelation,
}

impl Default for Subcolumns {
    fn default() -> Self {
        Self {
            overlap: Overlap::default(),
            generator: Generator::default(),
            seed: 1,
            decorrelation: Decorrelation::Length(2500.0),
        }
    }
}

impl Decorrelation {
    /// The length \[m\] at a latitude.
    #[must_use]
    pub fn length_m(self, latitude_deg: f64) -> f64 {
        let (length, centre_deg) = self.parameters();
        if length > 0.0 { length } else { cloud_mask::length_m(latitude_deg, centre_deg) }
    }

    /// The length \[m\], 0 if it depends on latitude, and the latitude at which it is greatest \[degrees\].
    #[must_use]
    pub fn parameters(self) -> (f64, f64) {
        match self {
            Self::Length(length) => (length, 0.0),
            Self::Latitude { day } if day > 181 => (0.0, -4.0 * 7.0 / 365.0 * (f64::from(day) - 272.0)),
            Self::Latitude { day } => (0.0, 4.0 * 7.0 / 365.0 * (f64::from(day) - 91.0)),
        }
    }
}

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
        let fraction: Vec<f64> = (0..layers).map(|layer| cloud_mask::some(at(&clouds.fraction, layer))).collect();
        let mut follows = Vec::new();
        if choice.overlap.is_exponential() {
            let one_for_all = clouds.latitude_deg.len() == 1;
            let latitude = clouds.latitude_deg.get(if one_for_all { 0 } else { column }).map_or(0.0, |x| x.value());
            let length = choice.decorrelation.length_m(latitude);
            follows = vec![0.0; layers];
            for layer in 1..layers {
                let distance = 0.5 * (at(&clouds.thickness_m, layer) + at(&clouds.thickness_m, layer - 1));
                let (below, this) = (fraction[layer - 1], fraction[layer]);
                follows[layer] = cloud_mask::follows(choice.overlap.number(), below, this, distance, length);
            }
        }
        Self { fraction, follows }
    }

    /// One g-point: calls `cloudy` for the layers where it sees clouds.
    fn sample(&self, overlap: Overlap, random: &mut impl Uniform<1>, mut cloudy: impl FnMut(usize)) {
        let mut climb = Climb::new(overlap.number());
        for (layer, &fraction) in self.fraction.iter().enumerate() {
            let follows = self.follows.get(layer).copied().unwrap_or(0.0);
            if climb.next(random, fraction, follows) != [0] {
                cloudy(layer);
            }
        }
    }
}

impl Overlap {
    /// The number that [`crate::cloud_mask`] has for it, and RRTMG_LW.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Random => cloud_mask::RANDOM,
            Self::MaximumRandom => cloud_mask::MAXIMUM_RANDOM,
            Self::Maximum => cloud_mask::MAXIMUM,
            Self::Exponential => cloud_mask::EXPONENTIAL,
            Self::ExponentialRandom => cloud_mask::EXPONENTIAL_RANDOM,
        }
    }

    /// Is it less with distance?
    #[must_use]
    pub fn is_exponential(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialRandom)
    }
}

impl Subcolumns {
    /// Is there all that masks are generated from?
    pub(crate) fn check<R: Real>(&self, columns: &Columns<R>, clouds: &CloudColumns<R>) -> Result<(), Error> {
        let (count, layers) = (columns.columns(), columns.layers());
        if self.overlap.is_exponential() && clouds.thickness_m.len() != layers * count {
            return Err(Error::Size {
                variable: "thickness_m",
                got: clouds.thickness_m.len(),
                expected: layers * count,
                shape: format!("{layers} layers x {count} columns"),
            });
        }
        if self.overlap.is_exponential() && ![0, 1, count].contains(&clouds.latitude_deg.len()) {
            let (variable, got) = ("latitude_deg", clouds.latitude_deg.len());
            return Err(Error::Size { variable, got, expected: count, shape: format!("{count} columns") });
        }
        if let Decorrelation::Length(length) = self.decorrelation
            && self.overlap.is_exponential()
            && (length.is_nan() || length <= 0.0)
        {
            return Err(Error::Setup(format!("a decorrelation length of {length} m is not positive")));
        }
        if self.generator == Generator::Kiss && layers < 4 {
            return Err(Error::Setup(format!("{layers} layers are too few to seed KISS: 4, or the Mersenne twister")));
        }
        Ok(())
    }

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
        self.check(columns, clouds)?;
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
