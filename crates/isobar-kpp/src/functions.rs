//! Rate functions that a user gives in Rust.

use std::collections::HashMap;
use std::fmt;

use crate::graph::Value;

type RateFunction = dyn for<'g> Fn(&[Value<'g>]) -> Value<'g> + Send + Sync;

/// Rate functions that Rust gives, by names in lower case, with the number of their arguments.
#[derive(Default)]
pub(crate) struct Functions(HashMap<String, (usize, Box<RateFunction>)>);

impl Functions {
    pub(crate) fn get(&self, name: &str) -> Option<&(usize, Box<RateFunction>)> {
        self.0.get(name)
    }

    /// Adds a function with its number of arguments, which replaces one of the same name.
    pub(crate) fn insert(
        &mut self,
        name: &str,
        arguments: usize,
        function: impl for<'g> Fn(&[Value<'g>]) -> Value<'g> + Send + Sync + 'static,
    ) {
        self.0.insert(name.to_lowercase(), (arguments, Box::new(function)));
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}
