//! How far a function has come.

use std::collections::HashMap;

use crate::error::Fault;
use crate::graph::Value;
use crate::statement::{LoopName, Number};
use isobar_rosenbrock::Operation;

/// The numbers that declared names hold, by names in lower case; none of what is no number.
pub(super) type Numbers = HashMap<String, Option<Number>>;

/// A loop that runs, and where a loop within it has left it, or this turn of it, by its name.
#[derive(Default)]
pub(super) struct Around<'g> {
    name: Option<String>,
    pub(super) exited: Option<Value<'g>>,
    pub(super) cycled: Option<Value<'g>>,
}

/// How far a function has come.
pub(super) struct Run<'g> {
    /// Where it has been left.
    pub(super) left: Option<Value<'g>>,
    /// Where the loop has ended, and where this turn of it has.
    pub(super) exited: Option<Value<'g>>,
    pub(super) cycled: Option<Value<'g>>,
    /// The loops that run, from the outermost on.
    loops: Vec<Around<'g>>,
    /// The name of its result.
    pub(super) result: String,
    /// What declared names hold, in lower case.
    pub(super) numbers: Numbers,
}

impl<'g> Run<'g> {
    pub(super) fn new(result: &str) -> Self {
        let (numbers, loops) = (Numbers::new(), vec![]);
        Self { left: None, exited: None, cycled: None, loops, result: result.to_owned(), numbers }
    }

    /// A loop begins; given back is where the one around it has ended, for [`Run::end_loop`].
    pub(super) fn begin_loop(&mut self, name: Option<&String>) -> [Option<Value<'g>>; 2] {
        self.loops.push(Around { name: name.cloned(), ..Around::default() });
        [self.exited.take(), self.cycled.take()]
    }

    /// A loop has ended: where it has left the one around it by name counts there.
    pub(super) fn end_loop(&mut self, [exited, cycled]: [Option<Value<'g>>; 2]) {
        self.loops.pop();
        let around = self.loops.last_mut().map_or((None, None), |around| (around.exited.take(), around.cycled.take()));
        let or = |one: Option<Value<'g>>, other: Option<Value<'g>>| match (one, other) {
            (Some(one), Some(other)) => Some(one.binary(Operation::Or, other)),
            (one, other) => one.or(other),
        };
        (self.exited, self.cycled) = (or(exited, around.0), or(cycled, around.1));
    }

    /// The loop with this name, if it is not the innermost, to which none is needed.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn outer(&mut self, name: Option<&LoopName>) -> Result<Option<&mut Around<'g>>, Fault> {
        let Some((name, span)) = name else { return Ok(None) };
        let place = self.loops.iter().rposition(|around| around.name.as_ref() == Some(name));
        let place = place.ok_or_else(|| Fault::at(*span, format!("no loop `{name}` is around this")))?;
        Ok((place + 1 < self.loops.len()).then(|| &mut self.loops[place]))
    }

    /// Where loops around the innermost have been left by name.
    pub(super) fn of_outer(&self) -> impl Iterator<Item = Value<'g>> {
        self.loops.iter().flat_map(|around| [around.exited, around.cycled]).flatten()
    }
}
