//! How large a mechanism is.

/// How much there is of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Sizes {
    /// Species that change.
    pub variable: u32,
    /// Species that do not.
    pub fixed: u32,
    /// Sums of concentrations that are rows of the matrix behind those of the variable species.
    pub sums: u32,
    /// Reactions.
    pub reactions: u32,
    /// Rate constants and, behind them, values of their derivatives.
    pub constants: u32,
    /// Derivatives of rates by what they depend on.
    pub derivatives: u32,
    /// Entries of L and U.
    pub entries: u32,
}

impl Sizes {
    /// The rows of the matrix: species that change, and sums.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> usize {
        (self.variable + self.sums) as usize
    }
}
