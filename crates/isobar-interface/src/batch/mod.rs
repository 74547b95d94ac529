//! The arrays of a call as the views that a scheme takes.
//!
//! | file | what |
//! |---|---|
//! | `inputs`, `results` | views of what is read and of what is written |
//! | `elements`, `shapes`, `votes` | whether arrays are of the right kind, shape and size |
//! | `copies` | values that cannot be seen where they lie |

mod copies;
mod elements;
mod inputs;
mod results;
mod shapes;
mod votes;

pub(crate) use elements::{element_of, location};
pub(crate) use inputs::Batch;
pub(crate) use results::Written;
