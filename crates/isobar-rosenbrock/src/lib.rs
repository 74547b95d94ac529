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
//! ([`RosenbrockByWarps`]). With feature `std` there are mechanisms, options and [`Cells`]; with feature `launch`
//! (a default) [`Chemistry`], which integrates them on one thread, all threads and GPUs.
//!
//! The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | [`fields`] | what cells start from and end with |
//! | `host`: `network`, `elimination`, `symbolic` | reactions, their order of elimination, the factors' pattern |
//! | `tables`, `compiled` | the tables that a kernel walks through |
//! | `rates`, `options`, `reduction` | the rate program, what a user chooses |
//! | `cells`, `cell_file`, `evaluation` | cells in vectors, a failed cell as a file, a state's rates |
//! | `model`, `ptx` | a mechanism on devices |
//! | `physics`: `index`, `sizes`, `mechanism`, `operation`, `program` | tables and rate programs in a kernel |
//! | `method`, `control`, `limits`, [`outcome`] | the methods, what governs steps, guards, what became of a cell |
//! | `kinetics`, `walk`, `factor` | rates, derivatives, dc/dt; the matrix, factored, and the solves |
//! | `reduction` | species that are not solved for |
//! | `stages`, `error_norm`, `acceptance` | a step, its error, its acceptance |
//! | `hessian`, `transposed`, `tangent`, `adjoint` | derivatives of a step, forward and backward |
//! | `dense`, `extents` | wanted times within a step, how often reactions happen in it |
//! | `schedule`: `numbers`, `layout`, `blocks` | a cell's numbers, a vector of lanes or in shared memory |
//! | `team`, `queue`, `supply`, `active_cells` | who computes, which cells are next, where each one stands |
//! | `reduced` | the arithmetic of a mechanism without some species |
//! | `list`, `rounds` | the arithmetic of a mechanism in rounds of 32 workers |
//! | `arguments`, `by_warps`, `integrate`, `rate_constants` | a kernel's arguments, and the way of an item through its cells |
//! | `kernels` | what launchers call |
//!
#![cfg_attr(feature = "launch", doc = "```")]
#![cfg_attr(not(feature = "launch"), doc = "```ignore")]
//! use std::sync::Arc;
//! use isobar_rosenbrock::{Cells, Chemistry, Compiled, Device, Method, Network, Options, Reaction};
//!
//! // A -> B with a rate constant of 0.01 /s, and 2 B -> A.
//! let first = Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] };
//! let second = Reaction { reactants: vec![(1, 2)], net: vec![(1, -2.0), (0, 1.0)] };
//! let mechanism = Arc::new(Compiled::new(Network::new(2, 0, vec![first, second])?)?);
//! // Two cells; in the second one nothing reacts back.
//! let cells = Cells {
//!     concentration: vec![1e9, 1e9, 0.0, 0.0],
//!     rate_constant: vec![0.01, 0.01, 1e-11, 0.0],
//!     first_step_s: vec![0.0; 2],
//!     ..Cells::default()
//! };
//! let options = Options::new(Method::Rodas4, 1e-6, 1.0);
//! let done = Chemistry::new(mechanism, None).on(&[Device::Thread]).run(&cells, &options.over(0.0..100.0))?;
//! assert_eq!(done.failures().count(), 0);
//! assert!((done.concentration[1] - 1e9 * (-1.0_f64).exp()).abs() < 1e4);
//! # Ok::<(), isobar_rosenbrock::RunError>(())
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
//! held. `Chemistry::tangent` and `Chemistry::adjoint` (feature `launch`) give the same of many cells at once, in any
//! number of directions, or backward from weighted sums of what cells end with.
//!
//! # Accuracy
//! Against KPP's generated Fortran (`tests/rosenbrock/golden.rs`): concentrations within 1e-9 and equal counters with
//! frozen rate constants.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(test, allow(dead_code, unused_imports, reason = "the models are left out"))]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

pub mod fields;
#[cfg(feature = "std")]
mod host;
mod kernels;
#[cfg(all(feature = "launch", not(test)))]
mod model;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
mod schedule;

pub use fields::{
    COUNTED_REACTION, COUNTER, CellViews, IntegratedViews, RATE_INPUT, REDUCIBLE_SPECIES, THRESHOLD, VARIABLE_SPECIES,
    WANTED_TIME,
};
#[cfg(feature = "std")]
pub use fields::{Cells, Integrated};
#[cfg(feature = "std")]
pub use host::{
    cell_file::{CellFile, CellNames},
    cells::BelowTolerance,
    compiled::{AnyTables, Compiled},
    elimination::elimination_order,
    evaluation::Evaluation,
    network::{Network, Reaction},
    options::{Interval, Options},
    rates::{By, Of, RateProgram, RateSlopes, Slope},
    reduction::{Reduction, Target},
    symbolic::LuPattern,
    tables::Tables,
};
#[cfg(feature = "std")]
pub use isobar_core::fields::Error;
#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
#[cfg(all(feature = "launch", not(test)))]
pub use model::{Adjoint, AttemptView, Chemistry, DeviceTables, Perturbation, Tangent, Workspace};
pub use physics::control::{Control, Negative, Rates};
pub use physics::index::Index;
pub use physics::mechanism::Mechanism;
pub use physics::method::{Coefficients, MOST_STAGES, Method, NUMBERS, Tableau};
pub use physics::operation::{Instruction, Operation};
pub use physics::outcome;
pub use physics::program::Program;
pub use physics::reduction::ReductionRules;
pub use physics::sizes::Sizes;
#[cfg(feature = "launch")]
pub use ptx::PTX;
pub use schedule::arguments::{COUNTERS, CPU_LANES, Rosenbrock, RosenbrockReduced};
pub use schedule::by_warps::{CELLS_OF_A_WARP, RosenbrockByWarps};
pub use schedule::layout::Layout;
#[cfg(feature = "std")]
pub use schedule::list::Schedule;
pub use schedule::rate_constants::RateConstants;
pub use schedule::rounds::{Part, Rounds};

/// The example for readers of crates.io, which needs this crate alone.
#[cfg(all(doctest, feature = "launch"))]
#[doc = include_str!("../README.md")]
struct Readme;
