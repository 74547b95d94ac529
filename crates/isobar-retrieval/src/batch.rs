//! Many retrievals at once, none in the way of another: each on a thread, or all step by step with their Jacobians on
//! GPUs.

use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::{InfraredError, Jacobian};
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
/// The number of rays that take a GPU as long as a few.
const RAYS_AT_ONCE: usize = 4096;

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
        if let (Derivative::Exact(geometry), true) = (self.derivative, self.model.launches_jacobians()) {
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
        let begin = cases.par_iter().map(|case| Ok(Search::new(self, &case.0, &case.1)?.together()));
        let mut searches: Vec<Result<Search<'_>, Error>> = begin.collect();
        searches.iter().filter(|search| search.is_err()).for_each(|_| progress());
        loop {
            let going: Vec<&Search<'_>> = searches.iter().flatten().filter(|search| !search.has_ended()).collect();
            if going.is_empty() {
                break;
            }
            let evaluations = self.evaluate(&going, geometry);
            let open =
                |search: &&mut Result<Search<'_>, Error>| search.as_ref().is_ok_and(|search| !search.has_ended());
            let open: Vec<&mut Result<Search<'_>, Error>> = searches.iter_mut().filter(open).collect();
            match evaluations {
                Ok(evaluations) => open.into_par_iter().zip(evaluations).for_each(|(search, found)| {
                    let Ok(going) = search else { return };
                    let judged = judge(going, found);
                    let ended = judged.is_err() || going.has_ended();
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

    /// Evaluates what searches propose, with Jacobians where they are likely to be needed, and what they would propose
    /// if it were refused: a list each.
    fn evaluate(&self, going: &[&Search<'_>], geometry: Geometry) -> Result<Vec<Vec<Found>>, InfraredError> {
        let rays: usize = going.iter().filter_map(|search| search.proposal()).map(|(_, rays)| rays.len()).sum();
        let at_once = RAYS_AT_ONCE / rays.max(1);
        let ahead: Vec<Vec<Atmosphere>> = going.par_iter().map(|search| search.if_refused(at_once)).collect();
        let (mut with, mut without): (Vec<(&Atmosphere, &[Ray])>, Vec<_>) = Default::default();
        let mut elements: Vec<&[usize]> = Vec::new();
        for (search, ahead) in going.iter().zip(&ahead) {
            let Some((proposed, rays)) = search.proposal() else { continue };
            if search.wants_kernel() {
                with.push((proposed, rays));
                elements.push(search.elements());
            } else {
                without.push((proposed, rays));
            }
            without.extend(ahead.iter().map(|atmosphere| (atmosphere, rays)));
        }
        let (jacobians, radiances) = rayon::join(
            || self.model.jacobians_by(&with, &elements, geometry, &|_| {}),
            || self.model.radiances(&without, &|_| {}),
        );
        let (mut jacobians, mut radiances) = (jacobians?.cases.into_iter(), radiances?.cases.into_iter());
        let of_one = |(search, ahead): (&&Search<'_>, &Vec<Atmosphere>)| {
            let proposed = if search.wants_kernel() { jacobians.next() } else { radiances.next() };
            proposed.into_iter().chain(radiances.by_ref().take(ahead.len())).collect()
        };
        Ok(going.iter().zip(&ahead).map(of_one).collect())
    }
}

/// A state that was evaluated.
type Found = Result<Jacobian, InfraredError>;

/// Judges the states of a search in turn, as long as one after the other is refused.
fn judge(going: &mut Search<'_>, states: Vec<Found>) -> Result<(), Error> {
    for found in states {
        let (found, refused) = (found?, going.refusals());
        check_rays(&found.statuses)?;
        going.judge(Evaluation::with_kernel(found, &going.state), &|_, _| {})?;
        if going.has_ended() || going.refusals() <= refused {
            break;
        }
    }
    Ok(())
}
