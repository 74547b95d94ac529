//! Chemical mechanisms in KPP's language, read at run time: no code is generated, and nothing is compiled but the rate
//! program.
//!
//! KPP (the Kinetic PreProcessor; Damian, Sandu, Damian, Potra and Carmichael 2002, doi:10.1016/S0098-1354(02)00128-X;
//! Sandu and Sander 2006, doi:10.5194/acp-6-187-2006) turns a mechanism into Fortran, C or Matlab. [`Mechanism`] takes
//! the same files, checks them, and makes tables of them that [`isobar_rosenbrock`] integrates on any device. The whole
//! language is read; commands that choose KPP's own integrators, drivers and languages are noted
//! ([`Mechanism::notes`]).
//!
//! The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | `source`, [`Error`] | texts, places in them, and what is wrong there |
//! | `scan`, `token` | comments and inlined code set aside; words, numbers and signs |
//! | `expression`, `statement` | formulas, and inlined code as statements |
//! | `item`, `elements` | what stands between two semicolons; the chemical elements |
//! | `declarations`, `files` | what all files say, commands and included files |
//! | `micm` | MUSICA's and MICM's configurations in JSON and YAML, as a text in KPP's language |
//! | `facsimile` | mechanisms in FACSIMILE's language, MCM's |
//! | `mecca` | settings of MECCA, which select and replace equations |
//! | `reactions`, `families`, `balance` | stoichiometry, families of species, atoms made or lost |
//! | `fortran`, `c_code`, `c_names`, `inlined`, `modules` | inlined functions and assignments, and modules beside the mechanism |
//! | `graph`, `laws`, `sun`, `functions` | values, computed once; laws of KPP, WRF-Chem, MECCA and GEOS-Chem, and sunlight; functions in Rust |
//! | `evaluate`, `slopes`, `lower` | from formulas to the graph, with derivatives, and to a rate program |
//! | `limits` | guards and cut-offs |
//! | [`Budget`] | what reactions make and lose of species and families |
//! | [`Mechanism`], [`Reader`] | the whole, checked; how it is read |
//!
//! Rates are formulas of Fortran or C with KPP's rate laws, functions and named constants of `#INLINE` blocks, and
//! concentrations (`C(ind_O2)`). A name that nothing defines, and an element of an array (`jx(ip_NO2)`), is an
//! [`Input`]: a number a cell. A function that is not known, or beyond assignments, conditions and loops, is an error
//! with its place; it can be given in Rust ([`Reader::function`]), or its calls be inputs ([`Reader::open_laws`]).
//!
//! ```
//! let text = "
//!     #INCLUDE atoms.kpp
//!     #DEFVAR O = O; O3 = 3O; NO = N + O; NO2 = N + 2O;
//!     #DEFFIX O2 = 2O; M = IGNORE;
//!     #EQUATIONS
//!     <R1> NO2 + hv = NO + O  : 8.9E-3*SUN;
//!     <R2> O + O2 + M = O3 + M : 6.0E-34*(TEMP/300.)**(-2.4);
//!     <R3> NO + O3 = NO2 + O2 : ARR_ab(3.0E-12, 1500.0);
//!     #INITVALUES CFACTOR = 2.46E19; O2 = 0.21; M = 1.0; O3 = 4.0E-8; NO = 5.0E-11; NO2 = 2.0E-10;
//! ";
//! let mechanism = isobar_kpp::Reader::new().read_text("photostationary.kpp", text)?;
//! assert_eq!(mechanism.species().len(), 6);
//! let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
//! assert_eq!(inputs, ["SUN", "TEMP"]);
//! assert!(mechanism.imbalances().is_empty());
//! # Ok::<(), isobar_kpp::Error>(())
//! ```
//!
//! # Accuracy
//! Against KPP (`tests/kpp/golden.rs`): the same species in the same order, the same reactions and patterns; rate
//! constants within 1e-13, and so those of GEOS-Chem's laws in its cells (`tests/kpp/full_chemistry.rs`). Days of eight
//! mechanisms are within 1e-5 of an integrator of the tests (`tests/kpp/days.rs`).
#![forbid(unsafe_code)]

mod balance;
mod budget;
mod c_code;
mod c_names;
mod changes;
mod declarations;
mod elements;
mod error;
mod evaluate;
mod expression;
mod facsimile;
mod families;
mod files;
mod fortran;
mod functions;
mod graph;
mod inlined;
mod item;
mod laws;
mod limits;
mod lower;
mod mecca;
mod mechanism;
mod micm;
mod modules;
mod reactions;
mod reader;
mod scan;
mod slopes;
mod source;
mod statement;
mod sun;
mod token;

pub use balance::Imbalance;
pub use budget::Budget;
pub use error::{Error, Message};
pub use evaluate::Input;
pub use families::Family;
pub use graph::{Graph, Value};
pub use mechanism::{Mechanism, OpenLaw, Species};
pub use reactions::Reaction;
pub use reader::Reader;
pub use source::Place;

/// The example for readers of crates.io, which needs this crate alone.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
