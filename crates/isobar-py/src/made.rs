//! A scheme in a precision, and the options of its last call.

use std::sync::Mutex;

use isobar_interface::{CallError, Callable, Chosen};
use serde_json::{Map, Value};

/// A scheme in a precision.
pub(crate) struct Made {
    pub(crate) scheme: Box<dyn Callable>,
    /// The options of the last call, by which the next one begins.
    pub(crate) last: Mutex<Option<(Map<String, Value>, Chosen)>>,
}

impl Made {
    /// The options of a call: those of all calls and what changes them.
    pub(crate) fn options(
        &self,
        common: &Map<String, Value>,
        changes: Map<String, Value>,
    ) -> Result<Chosen, CallError> {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((known, chosen)) = &*last
            && *known == changes
        {
            return Ok(chosen.clone());
        }
        let mut all = common.clone();
        all.extend(changes.clone());
        let chosen = self.scheme.options(&all)?;
        *last = Some((changes, chosen.clone()));
        Ok(chosen)
    }
}
