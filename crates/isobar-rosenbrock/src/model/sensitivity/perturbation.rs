//! What cells are changed by.

/// Directions of change: what cells start from and their rate constants change with a parameter, each by these
/// derivatives. Where a list is empty, there is no such change. The cell is the fastest index, the direction the
/// slowest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Perturbation {
    /// Derivatives of the concentrations at the start, fixed species among them \[as concentrations, by the
    /// parameter\]: direction, species, cell.
    pub concentration: Vec<f64>,
    /// Derivatives of the rate constants \[as these, by the parameter\]: direction, reaction, cell. The rate constant
    /// of a reaction of nothing is an emission.
    pub rate_constant: Vec<f64>,
}
