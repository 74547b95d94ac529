//! Clear sky: reference cases, limits with an analytic answer, the one order.

mod case;
mod derivatives;
mod golden;
mod limits;
