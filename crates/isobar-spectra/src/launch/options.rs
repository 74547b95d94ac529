//! How a spectrum is computed.

use crate::SpectraError;
use crate::constants::{Constants, WING_CUT_PER_CM};

/// Which lines are summed where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Every line at every point that it reaches.
    Exact,
    /// Near lines at the points, wings by polynomials on a tree of cells: off by less than 1e-4 of the largest value
    /// within a cell. A grid with one step alone.
    #[default]
    Tree,
}

/// The shape of wings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wings {
    /// Voigt's.
    #[default]
    Voigt,
    /// Voigt's with the factors of Perrin and Hartmann for CO2 ([`crate::physics::carbon_dioxide_wing`]).
    CarbonDioxide,
}

/// Options of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Where lines end, to either side \[cm^-1\]; infinite for nowhere.
    pub cut_per_cm: f64,
    /// Is the Lorentz value at the cut taken off, as a water continuum needs it?
    pub without_pedestal: bool,
    /// The shape of wings.
    pub wings: Wings,
    /// Does line mixing count where the list has it?
    pub mixing: bool,
    /// Which lines are summed where.
    pub method: Method,
    /// Constants of nature.
    pub constants: Constants,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cut_per_cm: WING_CUT_PER_CM,
            without_pedestal: false,
            wings: Wings::Voigt,
            mixing: false,
            method: Method::Tree,
            constants: Constants::CODATA_2018,
        }
    }
}

impl Options {
    /// Do they need the kernels with line mixing and weakened wings?
    pub(super) fn extra(&self) -> bool {
        self.mixing || self.wings != Wings::Voigt
    }

    /// # Errors
    /// A cut that is not positive, and options that exclude each other.
    pub(super) fn check(&self) -> Result<(), SpectraError> {
        let wrong = |why: &str| Err(SpectraError::Options(why.to_owned()));
        if self.cut_per_cm.is_nan() || self.cut_per_cm <= 0.0 {
            return Err(SpectraError::value("the cut of wings [cm^-1]", self.cut_per_cm, "more than 0"));
        }
        if self.without_pedestal && self.cut_per_cm.is_infinite() {
            return wrong("a pedestal is the value at the cut, and there is no cut");
        }
        if self.without_pedestal && self.wings != Wings::Voigt {
            return wrong("the pedestal is that of Voigt wings; it does not go with weakened ones");
        }
        if self.mixing && self.wings != Wings::Voigt {
            return wrong("line mixing and weakened wings describe the same; take one of them");
        }
        Ok(())
    }
}
