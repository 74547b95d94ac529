//! The processes that an MPI has started.

use isobar_launch::Plain;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Root, Source};

use crate::run::error::Error;

/// The bytes of a message: far below the 2^31 elements that MPI counts, and no more than a transfer needs to be fast.
const PIECE: usize = 64 << 20;

/// The processes that MPI has started, or this one alone.
pub(super) struct Ranks(Option<World>);

/// MPI's world. MPI ends when it is dropped, in the thread that joined.
struct World {
    world: SimpleCommunicator,
    neighbours: (usize, usize),
    _universe: Universe,
}

impl Ranks {
    pub(super) fn alone() -> Self {
        Self(None)
    }

    pub(super) fn join() -> Result<Self, Error> {
        let started = mpi::initialize_with_threading(Threading::Funneled);
        let (universe, level) = started.ok_or(Error::Mpi("MPI was started before"))?;
        if level < Threading::Funneled {
            return Err(Error::Mpi("this MPI does not allow a process to have threads"));
        }
        let world = universe.world();
        let host = world.split_shared(world.rank());
        let neighbours = (host.rank() as usize, host.size() as usize);
        Ok(Self(Some(World { world, neighbours, _universe: universe })))
    }

    pub(super) fn rank(&self) -> usize {
        self.0.as_ref().map_or(0, |own| own.world.rank() as usize)
    }

    pub(super) fn size(&self) -> usize {
        self.0.as_ref().map_or(1, |own| own.world.size() as usize)
    }

    pub(super) fn neighbours(&self) -> (usize, usize) {
        self.0.as_ref().map_or((0, 1), |own| own.neighbours)
    }

    /// The parts of all ranks in their order, at rank 0: a message with the lengths of a rank's parts, and then each
    /// part in pieces.
    pub(super) fn gather<T: Plain>(&self, own: Vec<Vec<T>>) -> Vec<Vec<T>> {
        let Some(World { world, .. }) = &self.0 else { return own };
        if self.rank() > 0 {
            let first = world.process_at_rank(0);
            let lengths: Vec<u64> = own.iter().map(|part| part.len() as u64).collect();
            first.send(&lengths[..]);
            own.iter().flat_map(|part| bytes(part).chunks(PIECE)).for_each(|piece| first.send(piece));
            return Vec::new();
        }
        let mut all = own;
        for rank in 1..world.size() {
            let other = world.process_at_rank(rank);
            let (lengths, _) = other.receive_vec::<u64>();
            for length in lengths {
                let mut part = zeros(length as usize);
                for piece in bytes_mut(&mut part).chunks_mut(PIECE) {
                    other.receive_into(piece);
                }
                all.push(part);
            }
        }
        all
    }

    /// What rank 0 says.
    pub(super) fn spread<T: Plain>(&self, values: Vec<T>) -> Vec<T> {
        let Some(World { world, .. }) = &self.0 else { return values };
        let first = world.process_at_rank(0);
        let mut length = values.len() as u64;
        first.broadcast_into(&mut length);
        let mut values = if self.rank() == 0 { values } else { zeros(length as usize) };
        bytes_mut(&mut values).chunks_mut(PIECE).for_each(|piece| first.broadcast_into(piece));
        values
    }
}

fn zeros<T: Plain>(len: usize) -> Vec<T> {
    // SAFETY: all bits zero are a valid value of a plain type.
    vec![unsafe { std::mem::zeroed() }; len]
}

fn bytes<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: plain values are numbers without gaps, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

fn bytes_mut<T: Plain>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as above, and every pattern of bits is a valid value.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}
