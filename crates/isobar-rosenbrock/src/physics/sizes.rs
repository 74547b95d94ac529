//! How large a mechanism is.

/// How much there is of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Sizes {
    /// Species that change.
    pub variable: u32,
    /// Species that do not.
    pub fixed: u32,
    /// Reactions.
    pub reactions: u32,
    /// Derivatives of rates by variable reactants.
    pub derivatives: u32,
    /// Entries of L and U.
    pub entries: u32,
}
