//! Those who share the columns of a run: processes (ranks of MPI, with the feature `mpi`), and in each of them a thread
//! for each device.
//!
//! Every member runs the same program on its own columns. What has to be known of all goes to the first member, and
//! what the first one says goes to all; nothing else is exchanged. A call of one member waits for the same call of all
//! others.

#[cfg(not(feature = "mpi"))]
#[path = "alone.rs"]
mod ranks;
#[cfg(feature = "mpi")]
#[path = "mpi.rs"]
mod ranks;

mod desk;
pub(crate) mod share;

use isobar_launch::{Device, Plain};

use crate::commands::Failure;
use desk::Desk;
use ranks::Ranks;
use share::{columns_of, join};

/// The processes.
pub(crate) struct Team {
    ranks: Ranks,
}

impl Team {
    /// Waits for the other processes.
    pub(crate) fn join() -> Result<Self, Failure> {
        Ok(Self { ranks: Ranks::join()? })
    }

    /// Is this the process that talks and writes?
    pub(crate) fn is_first(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// The number of processes.
    pub(crate) fn processes(&self) -> usize {
        self.ranks.size()
    }

    /// The number of this process among those on the same host, and how many they are.
    pub(crate) fn neighbours(&self) -> (usize, usize) {
        self.ranks.neighbours()
    }

    /// Goes on in all processes or in none, as [`Member::agree`].
    pub(crate) fn agree<T>(&self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        let (desk, first) = (Desk::new(1), self.ranks.rank() == 0);
        let ranks = Some(&self.ranks);
        Member { number: self.ranks.rank(), of: self.ranks.size(), thread: 0, first, desk: &desk, ranks }.agree(outcome)
    }

    /// What becomes of a run that has ended in the same way for all processes.
    ///
    /// The first one says what failed before any of them ends: whoever started them ends them all as soon as one has
    /// failed, and words that were not said by then are lost.
    pub(crate) fn end(&self, outcome: Result<(), Failure>) -> Result<(), Failure> {
        outcome.map_err(|failure| {
            failure.tell();
            self.ranks.spread::<u8>(Vec::new());
            Failure::told()
        })
    }

    /// Works with a member for each device of each process.
    ///
    /// A panic ends the process, for the others would wait for this member forever.
    pub(crate) fn work(
        &self,
        devices: &[Device],
        work: impl Fn(&Member<'_>, Device) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        let counts = self.ranks.gather(vec![vec![devices.len() as u64]]).concat();
        let counts = self.ranks.spread(counts);
        let own = self.ranks.rank();
        let before: u64 = counts[..own].iter().sum();
        let of = counts.iter().sum::<u64>() as usize;
        let desk = &Desk::new(devices.len());
        let work = |thread: usize, ranks: Option<&Ranks>| {
            let number = before as usize + thread;
            let member = Member { number, of, thread, first: number == 0, desk, ranks };
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&member, devices[thread])));
            outcome.unwrap_or_else(|panic| {
                if of > 1 {
                    std::process::exit(101);
                }
                std::panic::resume_unwind(panic)
            })
        };
        let work = &work;
        std::thread::scope(|scope| {
            for thread in 1..devices.len() {
                scope.spawn(move || work(thread, None));
            }
            // Here, where the caller's choice of CPU threads holds, and where MPI was started.
            work(0, Some(&self.ranks))
        })
    }
}

/// One of those who share the columns.
pub(crate) struct Member<'a> {
    number: usize,
    of: usize,
    /// Its number in its process.
    thread: usize,
    first: bool,
    desk: &'a Desk,
    /// For the first thread of a process, which speaks for it.
    ranks: Option<&'a Ranks>,
}

impl Member<'_> {
    /// Is this the member that talks and writes?
    pub(crate) fn is_first(&self) -> bool {
        self.first
    }

    /// The number of members.
    pub(crate) fn of(&self) -> usize {
        self.of
    }

    /// Its columns of so many.
    pub(crate) fn columns(&self, columns: usize) -> std::ops::Range<usize> {
        columns_of(columns, self.number, self.of)
    }

    /// The values of all members in their order, at the first one.
    pub(crate) fn gather<T: Plain>(&self, own: Vec<T>) -> Option<Vec<Vec<T>>> {
        let process = self.desk.gather(self.thread, own);
        let all = self.ranks.map(|ranks| ranks.gather(process));
        all.filter(|_| self.first)
    }

    /// A field of all columns, at the first member, from the members' own columns; the column is the fastest index.
    /// None if a member brings another number of rows than the others.
    pub(crate) fn gather_columns<T: Plain>(&self, own: Vec<T>, columns: usize) -> Option<Vec<T>> {
        let parts = self.gather(own)?;
        let width = |number| columns_of(columns, number, self.of).len();
        let parts: Vec<_> = parts.into_iter().enumerate().map(|(number, part)| (width(number), part)).collect();
        let rows = parts[0].1.len() / parts[0].0;
        parts.iter().all(|(width, part)| part.len() == width * rows).then(|| join(parts))
    }

    /// What the first member says.
    pub(crate) fn spread<T: Plain>(&self, values: Vec<T>) -> Vec<T> {
        let values = match self.ranks {
            Some(ranks) => ranks.spread(values),
            None => values,
        };
        self.desk.spread(self.thread, values)
    }

    /// The largest of all members' numbers, one by one.
    pub(crate) fn most<const N: usize>(&self, own: [f64; N]) -> [f64; N] {
        let largest = self.gather(own.to_vec()).map(|all| {
            let largest = |i: usize| all.iter().map(|values| values[i]).fold(f64::NEG_INFINITY, f64::max);
            (0..N).map(largest).collect()
        });
        let values = self.spread(largest.unwrap_or_default());
        values.try_into().expect("as many as were given")
    }

    /// Goes on with all members or with none: the first failure becomes the first member's, and the others fail without
    /// a word.
    pub(crate) fn agree<T>(&self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        let words = outcome.as_ref().err().map(|Failure(words)| match self.number {
            0 => words.clone(),
            number => format!("part {number} of {}: {words}", self.of),
        });
        let all = self.gather(words.clone().unwrap_or_default().into_bytes());
        let first = all.and_then(|all| all.into_iter().find(|words| !words.is_empty()));
        let heard = self.spread(first.unwrap_or_default());
        match outcome {
            Ok(value) if heard.is_empty() => Ok(value),
            _ if self.first => Err(Failure(String::from_utf8_lossy(&heard).into_owned())),
            _ => Err(Failure::told()),
        }
    }
}
