//! Layers that scatter: reference cases, limits with an analytic answer, the star product.

mod case;
mod closed_forms;
mod golden;
mod layer;
mod limits;
mod reference;
mod star;
mod sun;
