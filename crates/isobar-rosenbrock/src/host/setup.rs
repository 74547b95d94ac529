//! Does what an integration is given fit together?

use crate::host::cells::Cells;
use crate::host::compiled::Compiled;
use crate::host::error::Error;
use crate::host::options::Options;
use crate::host::rates::RateProgram;
use crate::physics::control::Rates;

impl Cells {
    /// Checks options and sizes, not values. Without given rate constants there has to be a program.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn validate_sizes(
        &self,
        mechanism: &Compiled,
        program: Option<&RateProgram>,
        options: &Options,
    ) -> Result<(), Error> {
        let sizes = mechanism.tables().sizes();
        options.validate(sizes.variable as usize)?;
        self.check_sizes(sizes, program.map(RateProgram::inputs))?;
        if let Some(program) = program {
            let species = (sizes.variable + sizes.fixed) as usize;
            if (program.species(), program.reactions()) != (species, sizes.reactions as usize) {
                return Err(Error::Setup("the rate program belongs to another mechanism".to_owned()));
            }
        }
        if !self.rate_constants.is_empty() && options.rates != Rates::Frozen {
            return Err(Error::Setup("rate constants are given, so they cannot change within the interval".to_owned()));
        }
        Ok(())
    }

    /// Checks the values: concentrations are finite and not below minus their tolerance, all else is finite.
    ///
    /// # Errors
    /// The first value that is not.
    pub fn validate_values(&self, mechanism: &Compiled, options: &Options) -> Result<(), Error> {
        let [absolute, _] = options.tolerances(mechanism.network().variable());
        self.check_values(&absolute)
    }
}

impl Options {
    /// Absolute and relative tolerance of each of so many variable species.
    #[must_use]
    pub fn tolerances(&self, variable: usize) -> [Vec<f64>; 2] {
        let all = |values: &[f64]| if values.len() == 1 { vec![values[0]; variable] } else { values.to_vec() };
        [all(&self.absolute_tolerance), all(&self.relative_tolerance)]
    }
}
