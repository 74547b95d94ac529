//! Many retrievals at once, none in the way of another: each on a thread, or all step by step with their Jacobians on
//! GPUs.

use isobar_ega::jacobian::Geometry;
use isobar_io::Observation;
use isobar_raytrace::{Atmosphere, Ray};
use rayon::prelude::*;

use crate::kernel::check_rays;
use crate::search::{Evaluation, Search};
use crate::{Derivative, Error, Estimate, Retrieval};

/// The most retrievals that are under way at once, for each has its matrices in memory.
const UNDER_WAY: usize = 8192;
/// The fewest that go on together.
const TOGETHER: usize = 64;

impl Retrieval<'_> {
    /// Retrieves each of many atmospheres and measurements. One that fails leaves the others. `progress` is told when
    /// one is done, in whatever order.
    ///
    /// On the CPU each is a task of its threads. Where the model has GPUs and derivatives are exact, retrievals go on
    /// together: the states that they propose are evaluated in one batch, radiances and derivatives at once, and
    /// threads solve the equations. The results have the same bits.
    pub fn run_all(
        &self,
        cases: &[(Atmosphere, Observation)],
        progress: &(dyn Fn() + Sync),
    ) -> Vec<Result<Estimate, Error>> {
        if let (Derivative::Exact(geometry), true) = (self.derivative, self.model.launches_jacobians())
            && !cases.iter().any(|(atmosphere, _)| atmosphere.varies())
        {
            // Two groups: while GPUs are at one, threads solve the equations of the other.
            let both = |cases: &[(Atmosphere, Observation)]| {
                let half = cases.len().div_ceil(2).max(TOGETHER);
                let groups = cases.par_chunks(half).map(|cases| self.run_together(cases, geometry, progress));
                groups.collect::<Vec<_>>()
            };
            return cases.chunks(UNDER_WAY).flat_map(both).flatten().collect();
        }
        let one = |(before, measured): &(Atmosphere, Observation)| {
            let result = self.run(before, measured, &|_, _| {});
            progress();
            result
        };
        cases.par_iter().map(one).collect()
    }

    fn run_together(
        &self,
        cases: &[(Atmosphere, Observation)],
        geometry: Geometry,
        progress: &(dyn Fn() + Sync),
    ) -> Vec<Result<Estimate, Error>> {
        let begin = cases.par_iter().map(|case| Search::new(self, &case.0, &case.1));
        let mut searches: Vec<Result<Search<'_>, Error>> = begin.collect();
        searches.iter().filter(|search| search.is_err()).for_each(|_| progress());
        loop {
            let proposals = searches.iter().flatten().filter_map(Search::proposal);
            let proposals: Vec<(&Atmosphere, &[Ray])> = proposals.collect();
            if proposals.is_empty() {
                break;
            }
            let found = self.model.jacobians(&proposals, geometry, &|_| {});
            drop(proposals);
            let open = |search: &&mut Result<Search<'_>, Error>| {
                search.as_ref().is_ok_and(|search| search.proposal().is_some())
            };
            let open: Vec<&mut Result<Search<'_>, Error>> = searches.iter_mut().filter(open).collect();
            match found {
                Ok(found) => open.into_par_iter().zip(found.cases).for_each(|(search, found)| {
                    let Ok(going) = search else { return };
                    let judged = found.map_err(Error::from).and_then(|found| {
                        check_rays(&found.statuses)?;
                        going.judge(Evaluation::with_kernel(found, &going.state), &|_, _| {})
                    });
                    let ended = judged.is_err() || going.proposal().is_none();
                    if let Err(error) = judged {
                        *search = Err(error);
                    }
                    if ended {
                        progress();
                    }
                }),
                Err(error) => {
                    // The device is lost for all that were under way.
                    let what = error.to_string();
                    for search in open {
                        *search = Err(Error::Device { what: what.clone() });
                        progress();
                    }
                }
            }
        }
        searches.into_par_iter().map(|search| search.map(Search::finish)).collect()
    }
}
