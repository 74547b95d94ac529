//! Batches of any size: against the reference's radiances, in pieces and by threads, and what is refused.

mod adding;
mod scattering;
