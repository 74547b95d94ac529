//! Errors of JURASSIC's cases as those of a call.

use isobar_ega::launch::InfraredError;
use isobar_interface::CallError;
use isobar_launch::Error as DeviceError;

pub(super) fn setup_error(error: impl std::fmt::Display) -> CallError {
    CallError::Setup(error.to_string())
}

pub(super) fn file_error(error: impl std::fmt::Display) -> CallError {
    CallError::File(error.to_string())
}

pub(super) fn infrared_error(error: InfraredError) -> CallError {
    match error {
        InfraredError::Run(error) => error.into(),
        InfraredError::Device(error) => error.into(),
        InfraredError::Interrupted { source: DeviceError::Stopped, done, finished } => {
            CallError::Stopped { done, items: finished.statuses.len(), item_name: "ray" }
        }
        other => setup_error(other),
    }
}

pub(super) fn retrieval_error(error: isobar_retrieval::Error) -> CallError {
    setup_error(error)
}
