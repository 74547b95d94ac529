//! Which species steps need not solve for.

use isobar_core::fields::Error;

/// Autoreduction: species that are made and lost slowly at the start of an interval are not solved for by its steps,
/// but relax at its end with the production and loss that they had at its start (Santillana and others 2010,
/// doi:10.1016/j.atmosenv.2010.07.044; Lin and others 2023, doi:10.1029/2022MS003293). Systems are smaller;
/// results are not exact, and mass is not conserved.
///
/// A species is slow where its production and its loss, each by all reactions, are both below a threshold. As in KPP,
/// the mean error of a step is over all species, of which slow ones have none.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Reduction {
    /// The threshold where there are no targets and cells have none of their own \[concentration/s\]; positive.
    pub threshold: f64,
    /// Instead, the larger one of production and loss of a species, times a ratio. With several of them a cell says
    /// which one it has (`Cells::reduction_target`).
    pub targets: Vec<Target>,
    /// Variable species that are never left out.
    pub keep: Vec<usize>,
    /// At the start of each step, slow species of which production or loss has reached the threshold are solved for
    /// from there on, with the matrix that belongs to them.
    pub append: bool,
}

/// A species whose production and loss tell how fast others have to be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Target {
    /// The variable species.
    pub species: usize,
    /// The threshold by the larger one of its production and its loss; positive.
    pub ratio: f64,
}

impl Default for Reduction {
    /// KPP's threshold of 100 molecules/(cm^3 s) for all cells.
    fn default() -> Self {
        Self { threshold: 100.0, targets: vec![], keep: vec![], append: false }
    }
}

impl Reduction {
    /// Checks it for a mechanism of `variable` variable species.
    pub(crate) fn validate(&self, variable: usize) -> Result<(), Error> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let fails = |what: String| Err(Error::Setup(what));
        if !positive(self.threshold) {
            return fails(format!("the threshold of the reduction is {}, which is not positive", self.threshold));
        }
        if let Some(Target { species, ratio }) = self.targets.iter().find(|target| !positive(target.ratio)) {
            return fails(format!("the ratio of target species {species} is {ratio}, which is not positive"));
        }
        let named = self.targets.iter().map(|target| target.species).chain(self.keep.iter().copied());
        match named.into_iter().find(|&species| species >= variable) {
            Some(species) => fails(format!("the reduction names species {species}, but {variable} species change")),
            None => Ok(()),
        }
    }

    /// Takes over KPP's integer options 13 (append) and 14 (the target species, from 1 on in KPP's order); how large
    /// its ratio is a real option says.
    pub(crate) fn of_icntrl(append: i32, target: i32) -> Result<Self, Error> {
        let target = usize::try_from(target)
            .map_err(|_| Error::Setup(format!("icntrl(14), the target species, is {target}, less than 0")))?;
        let targets = target.checked_sub(1).map(|species| Target { species, ratio: 1.0 });
        Ok(Self { targets: targets.into_iter().collect(), append: append == 1, ..Self::default() })
    }
}
