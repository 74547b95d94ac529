//! Rosenbrock methods for chemical kinetics: stiff systems of ordinary differential equations, one a cell of air, on a
//! sparse mechanism.
//!
//! Methods, step control, options, codes and counters are those of KPP (Sandu, Verwer, Blom, Spee, Carmichael and Potra
//! 1997, doi:10.1016/S1352-2310(97)83212-8; Sandu and Sander 2006, doi:10.5194/acp-6-187-2006), but the mechanism is
//! read at run time: the core walks through tables, which `isobar-kpp` makes of KPP's language, or [`Compiled`] of any
//! [`Network`]. Each cell has its own steps. See [`Method`], [`Options`].
//!
//! A kernel item ([`Rosenbrock`]) is a team of lanes with a queue of cells: all lanes attempt a step together, and one
//! whose cell is done takes the next. On a GPU the lanes of a warp share the cells of larger mechanisms
//! ([`RosenbrockByWarps`]). With feature `std` there are [`Cells`], which are checked, and a [`Batch`], which computes
//! on the calling thread; the module `launch` has all threads and GPUs.
//!
//! The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | `host`: `network`, `elimination`, `symbolic` | reactions, their order of elimination, the factors' pattern |
//! | `tables`, `compiled` | the tables that a kernel walks through |
//! | `rates`, `options`, `cells`, `validate`, `setup` | the rate program, what a user chooses and gives, checked |
//! | `batch_on_host`, `cell_file`, `evaluation` | a loop over cells, a failed cell as a file, a state's rates |
//! | `physics`: `index`, `sizes`, `mechanism`, `operation`, `program` | tables and rate programs in a kernel |
//! | `method`, `control`, [`outcome`] | the five methods, what governs steps, what became of a cell |
//! | `kinetics`, `walk`, `factor` | rates, derivatives, dc/dt; the matrix, factored, and the solves |
//! | `stages`, `error_norm`, `acceptance`, `dense` | a step, its error, its acceptance, wanted times within it |
//! | `schedule`: `numbers`, `workspace`, `blocks` | a cell's numbers, a vector of lanes or in shared memory |
//! | `team`, `queue`, `active_cells` | who computes, which cells are next, where each one stands |
//! | `list`, `rounds` | the arithmetic of a mechanism in rounds of 32 workers |
//! | `arguments`, `integrate`, `rate_constants` | a kernel's arguments, and the way of an item through its cells |
//! | `kernels` | what launchers call |
//!
//! ```
//! use std::sync::Arc;
//! use isobar_rosenbrock::{Batch, Cells, Compiled, Method, Network, Options, Reaction};
//!
//! // A -> B with a rate constant of 0.01 /s, and 2 B -> A.
//! let first = Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] };
//! let second = Reaction { reactants: vec![(1, 2)], net: vec![(1, -2.0), (0, 1.0)] };
//! let mechanism = Arc::new(Compiled::new(Network::new(2, 0, vec![first, second])?)?);
//! // Two cells; in the second one nothing reacts back.
//! let cells = Cells {
//!     count: 2,
//!     concentrations: vec![1e9, 1e9, 0.0, 0.0],
//!     rate_constants: vec![0.01, 0.01, 1e-11, 0.0],
//!     ..Cells::default()
//! };
//! let mut batch = Batch::new(mechanism, None, cells, Options::new(Method::Rodas4, 1e-6, 1.0))?;
//! batch.integrate(0.0, 100.0)?;
//! assert_eq!(batch.failures().count(), 0);
//! let left = batch.cells().concentrations[1];
//! assert!((left - 1e9 * (-1.0_f64).exp()).abs() < 1e4);
//! # Ok::<(), isobar_rosenbrock::Error>(())
//! ```
//!
//! # The same bits
//! A cell's operations have one order, whatever lane, vector or device it is on: sums run over reactions, over the
//! earlier pivots of a row (backward: from the last column on) and over stages in their order, with fused
//! multiply-adds, and where they have more than 32 terms in parts of 32; the error is summed in 32 parts, species by
//! species in turn; products of a rate run over its reactants in their order.
//!
//! # Derivatives
//! The core takes any [`Real`](isobar_core::Real): with [`Dual`](isobar_core::Dual) numbers in the arguments of
//! [`Rosenbrock`], concentrations come with their derivatives by what cells start from, by rate constants or by inputs
//! of their program. Steps follow the values, so that a derivative is that of the numerical solution with its steps
//! held.
//!
//! # Accuracy
//! Against KPP's generated Fortran (`tests/rosenbrock/golden.rs`): concentrations within 1e-9 and equal counters with
//! frozen rate constants.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

#[cfg(feature = "std")]
mod host;
mod kernels;
#[cfg(feature = "launch")]
pub mod launch;
mod physics;
mod schedule;

#[cfg(feature = "std")]
pub use host::{
    batch_on_host::{Batch, Outputs, Scratch},
    cell_file::CellFile,
    cells::Cells,
    compiled::{AnyTables, Compiled},
    elimination::elimination_order,
    error::Error,
    evaluation::Evaluation,
    network::{Network, Reaction},
    options::Options,
    rates::RateProgram,
    symbolic::LuPattern,
    tables::Tables,
};
pub use physics::control::{Control, Negative, Rates};
pub use physics::index::Index;
pub use physics::mechanism::Mechanism;
pub use physics::method::{Coefficients, MOST_STAGES, Method, NUMBERS, Tableau};
pub use physics::operation::{Instruction, Operation};
pub use physics::outcome;
pub use physics::program::Program;
pub use physics::sizes::Sizes;
pub use schedule::arguments::{CELLS_OF_A_WARP, COUNTERS, CPU_LANES, End, Rosenbrock, RosenbrockByWarps, Start};
#[cfg(feature = "std")]
pub use schedule::list::Schedule;
pub use schedule::rate_constants::RateConstants;
pub use schedule::rounds::{Part, Rounds};
pub use schedule::workspace::Room;
