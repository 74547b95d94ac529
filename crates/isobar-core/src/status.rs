//! What became of one item of a batch.

/// The outcome of one item (a ray, a column, a cell): zero is success, anything else names the reason.
///
/// A core never panics and never stops a batch: it returns a status, and the launcher turns the
/// first bad one into an error or the caller into a flag. Codes from 1 to 15 are shared; a physics
/// crate numbers its own from 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct Status(pub u32);

impl Status {
    /// The item was computed.
    pub const OK: Self = Self(0);
    /// An input was NaN or infinite.
    pub const NOT_FINITE: Self = Self(1);
    /// An input lay outside its accepted range.
    pub const OUT_OF_RANGE: Self = Self(2);
    /// The storage that the caller gave was too small.
    pub const CAPACITY: Self = Self(3);
    /// The item was not reached: the run ended before.
    pub const NOT_COMPUTED: Self = Self(4);

    /// What the shared codes mean, in words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::OK => "computed",
            Self::NOT_FINITE => "not a finite number",
            Self::OUT_OF_RANGE => "input out of range",
            Self::CAPACITY => "too little storage",
            Self::NOT_COMPUTED => "not computed",
            _ => "a reason of the scheme's own",
        }
    }

    /// This and another: the bits of both.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Was the item computed?
    #[must_use]
    pub fn is_ok(self) -> bool {
        self.0 == 0
    }
}
