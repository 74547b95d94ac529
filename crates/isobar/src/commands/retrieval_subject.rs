//! What an error of a retrieval is about: which of its inputs is to be named.

use isobar_ega::InfraredError;
use isobar_retrieval::Retrieval;

/// What an error is about.
pub(super) enum Subject {
    /// What it says itself.
    Named,
    /// A key of the control file.
    Key(isobar_io::Place),
    /// What was known before, perhaps a level of it.
    Before(Option<usize>),
    /// What was measured, perhaps a ray of it.
    Measured(Option<usize>),
    /// The case as a whole.
    Case,
}

/// What an error of a retrieval is about.
pub(super) fn subject(job: &Retrieval<'_>, error: &isobar_retrieval::Error) -> Subject {
    use isobar_raytrace::Error as Traced;
    use isobar_retrieval::Error as E;
    match error {
        E::SingularPrior { place: Some(_), .. } | E::File(_) => Subject::Named,
        E::NoState => Subject::Key(job.control.place("RETT_ZMIN")),
        E::NoNoise { channel, .. } => Subject::Key(job.control.place(&format!("ERR_NOISE[{channel}]"))),
        E::APriori { level, .. } => Subject::Before(Some(*level)),
        E::NoLevel { .. } | E::Ray(Traced::Reference { .. }) => Subject::Before(None),
        E::TooLarge { ray, .. } | E::NotFinite { ray, .. } | E::Ray(Traced::Ray { ray, .. }) => {
            Subject::Measured(Some(*ray))
        }
        E::AllMasked(_) | E::Size { .. } | E::Cost { .. } | E::Forward(InfraredError::FieldOfView(_)) => {
            Subject::Measured(None)
        }
        _ => Subject::Case,
    }
}
