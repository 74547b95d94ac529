//! What makes kernels of the steps of a Jacobian: a thread an item, in double precision.
#![allow(unsafe_code, reason = "the contract of a kernel is unsafe")]

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Dual, Lanes, Status};

use super::absorption::{FollowGases, PullGases};
use super::air::BatchAir;
use super::emission::EmitSegments;
use super::path::{CountSteps, DifferentiateSteps, SunShares, TraceSteps};
use super::ratios::GatherRatios;
use super::rows::GatherRows;
use super::slopes::GROWTH;
use super::sums::{SumEnds, SumPoints};
use super::transfer::TransferBack;
use crate::physics::rule::Rule;

macro_rules! kernel {
    ([$($generics:tt)*] $kernel:ty, $name:expr) => {
        // SAFETY: an item writes what is its own: see `compute` of each.
        unsafe impl<$($generics)*> Kernel for $kernel {
            const NAME: &'static str = $name;
            const PRECISION: &'static str = "f64";
            const TEAM: Team = Team::Lane;
            const VECTOR_BITS: u32 = 256;

            #[inline(always)]
            fn items(&self) -> usize {
                self.count()
            }

            #[inline(always)]
            unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
                self.compute(item)
            }
        }
    };
}

kernel!(['a, A: BatchAir<'a>] CountSteps<'a, A>, A::COUNT);
kernel!(['a, A: BatchAir<'a>] TraceSteps<'a, A>, A::TRACE);
kernel!(['a, const N: usize, A: BatchAir<'a>] DifferentiateSteps<'a, N, A>, A::STEPS);
kernel!([] SunShares<'_>, "jacobian_sun");
kernel!([const N: usize, A: Rule<Dual<f64, N>>] FollowGases<'_, N, A>, A::JACOBIAN);
kernel!([] EmitSegments<'_>, "jacobian_emission");
kernel!([] TransferBack<'_>, "jacobian_transfer");
kernel!([const N: usize] PullGases<'_, N>, if N == GROWTH { "jacobian_pull_growth" } else { "jacobian_pull_means" });
kernel!([] SumPoints<'_>, "jacobian_sum_points");
kernel!([] SumEnds<'_>, "jacobian_sum_ends");
kernel!(['a, A: BatchAir<'a>] GatherRatios<'a, A>, A::RATIOS);
kernel!(['a, A: BatchAir<'a>] GatherRows<'a, A>, A::ROWS);
