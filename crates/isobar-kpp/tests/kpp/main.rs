//! Mechanisms of the reference against KPP, the language, and what is refused.

mod diurnal;
mod errors;
mod golden;
mod hostile;
mod language;
mod own;
mod reference;
