//! Layers that scatter: reference cases, limits with an analytic answer, the star product.

mod case;
mod golden;
mod layer;
mod limits;
mod star;
mod sun;
