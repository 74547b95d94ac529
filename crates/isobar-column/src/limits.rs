//! What a state may be. A step that would leave these ranges is not taken: the column is flagged and stays as it is, so
//! that every scheme goes on with plain numbers, and the other columns with theirs.

use isobar_core::{FieldMut, Real, Status};

/// Temperature of air and ground \[K\], as schemes take it.
pub const TEMPERATURE_K: (f64, f64) = (100.0, 400.0);
/// Mixing ratio of water vapour \[kg/kg\].
pub const VAPOUR_KG_PER_KG: (f64, f64) = (-1e-3, 1.0);
/// Each component of the wind \[m/s\].
pub const WIND_M_PER_S: (f64, f64) = (-1000.0, 1000.0);
/// Mole fraction of a tracer \[mol/mol\]; what integrators leave below 0 is less.
pub const TRACER_MOL_PER_MOL: (f64, f64) = (-1e-6, 1.0);

/// What left its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Left {
    /// Temperature of the ground.
    Ground = 1,
    /// Temperature of a layer.
    Temperature = 2,
    /// Its water vapour.
    Vapour = 3,
    /// Its eastward wind.
    WindEast = 4,
    /// Its northward wind.
    WindNorth = 5,
    /// A tracer in it.
    Tracer = 6,
}

/// Is a value in a range? NaN is not.
#[inline(always)]
pub(crate) fn within<R: Real>(value: R, (low, high): (f64, f64)) -> bool {
    value >= R::from_f64(low) && value <= R::from_f64(high)
}

/// The words of each column: statuses of all steps, bit by bit; and where its state left its range, if it did, what
/// ([`Left`]), in which layer, in which step (from 1; 0: never), and the bits of the value in single precision.
pub const WORDS: usize = 5;

const FLAGS: usize = 0;
const LEFT: usize = 1;
const LAYER: usize = 2;
const STEP: usize = 3;
const VALUE: usize = 4;

/// Does a column stay as it is?
#[inline(always)]
pub(crate) fn stays(words: &FieldMut<'_, u32>, column: usize) -> bool {
    words.at(STEP, column) != 0
}

/// Lets a column stay as it is from a step on, the number of which is counted from 0.
#[inline(always)]
pub(crate) fn stop<R: Real>(
    words: &FieldMut<'_, u32>,
    column: usize,
    (left, layer): (Left, usize),
    step: u32,
    value: R,
) -> Status {
    let status = if value.is_finite() { Status::OUT_OF_RANGE } else { Status::NOT_FINITE };
    words.set(FLAGS, column, words.at(FLAGS, column) | status.0);
    words.set(LEFT, column, left as u32);
    words.set(LAYER, column, layer as u32);
    words.set(STEP, column, step.saturating_add(1));
    words.set(VALUE, column, (value.value() as f32).to_bits());
    status
}

/// Where the state of a column left its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stopped {
    /// What left its range: a number of [`Left`].
    pub left: u32,
    /// The layer, from 0; 0 of the ground.
    pub layer: u32,
    /// The step, from 1.
    pub step: u32,
    /// What the value would have been.
    pub value: f32,
}

impl Stopped {
    /// Of a column, by its words.
    #[must_use]
    pub fn of_words([_, left, layer, step, value]: [u32; WORDS]) -> Option<Self> {
        (step != 0).then(|| Self { left, layer, step, value: f32::from_bits(value) })
    }

    /// Of all columns, by their words `[word * columns + column]`.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn of_columns(words: &[u32], columns: usize) -> Vec<Option<Self>> {
        let of = |column| core::array::from_fn(|word| words[word * columns + column]);
        (0..columns).map(|column| Self::of_words(of(column))).collect()
    }

    /// Is it the ground, which has no layer?
    #[must_use]
    pub fn is_ground(&self) -> bool {
        self.left == Left::Ground as u32
    }

    /// What left its range, its unit, and the range.
    #[must_use]
    pub fn range(&self) -> (&'static str, &'static str, (f64, f64)) {
        match self.left {
            1 => ("temperature of the ground", "K", TEMPERATURE_K),
            2 => ("temperature", "K", TEMPERATURE_K),
            3 => ("mixing ratio of water vapour", "kg/kg", VAPOUR_KG_PER_KG),
            4 => ("eastward wind", "m/s", WIND_M_PER_S),
            5 => ("northward wind", "m/s", WIND_M_PER_S),
            _ => ("mole fraction of a tracer", "mol/mol", TRACER_MOL_PER_MOL),
        }
    }
}
