//! Many retrievals at once: each on a thread, and none in the way of another.

use isobar_io::Observation;
use isobar_raytrace::Atmosphere;
use rayon::prelude::*;

use crate::{Error, Estimate, Retrieval};

impl Retrieval<'_> {
    /// Retrieves each of many atmospheres and measurements, on the threads of the CPU. One that fails leaves the others. `progress` is told when one is
    /// done, in whatever order.
    pub fn run_all(
        &self,
        cases: &[(Atmosphere, Observation)],
        progress: &(dyn Fn() + Sync),
    ) -> Vec<Result<Estimate, Error>> {
        let one = |(before, measured): &(Atmosphere, Observation)| {
            let result = self.run(before, measured, &|_, _| {});
            progress();
            result
        };
        cases.par_iter().map(one).collect()
    }
}
