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
pub(super) mod share;

use std::fmt::Display;

use isobar_launch::{Device, Plain};

use crate::run::error::Error;
use desk::Desk;
use ranks::Ranks;
use share::{columns_of, join};

/// The processes of a run.
pub struct Team {
    ranks: Ranks,
}

impl Team {
    /// This process, whatever started it.
    #[must_use]
    pub fn alone() -> Self {
        Self { ranks: Ranks::alone() }
    }

    /// Waits for the other processes that MPI has started, with the feature `mpi`; MPI ends when the team is dropped.
    /// Without the feature, this process.
    ///
    /// # Errors
    /// [`Error::Mpi`] if MPI was started before in this process, or allows it no threads.
    pub fn join() -> Result<Self, Error> {
        Ok(Self { ranks: Ranks::join()? })
    }

    /// Is this the process that talks and writes?
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// The number of processes.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.ranks.size()
    }

    /// The number of this process among those on the same host, and how many they are.
    #[must_use]
    pub fn neighbours(&self) -> (usize, usize) {
        self.ranks.neighbours()
    }

    /// Goes on in all processes or in none. Every process has to call it, whatever its outcome.
    ///
    /// # Errors
    /// The first process's own failure as it is, or [`Error::Member`] there and [`Error::Elsewhere`] in all others.
    pub fn agree<T, E: Display + From<Error>>(&self, outcome: Result<T, E>) -> Result<T, E> {
        let (desk, first) = (Desk::new(1), self.ranks.rank() == 0);
        let ranks = Some(&self.ranks);
        Member { number: self.ranks.rank(), of: self.ranks.size(), thread: 0, first, desk: &desk, ranks }.agree(outcome)
    }

    /// What becomes of a run that has ended in the same way for all processes: each one tells its failure, and fails
    /// with [`Error::Elsewhere`].
    ///
    /// The first one tells before any of them ends: whoever started them ends them all as soon as one has failed, and
    /// words that were not said by then are lost.
    ///
    /// # Errors
    /// [`Error::Elsewhere`] if the run failed.
    pub fn end<T, E: From<Error>>(&self, outcome: Result<T, E>, tell: impl FnOnce(&E)) -> Result<T, E> {
        outcome.map_err(|failure| {
            tell(&failure);
            self.ranks.spread::<u8>(Vec::new());
            Error::Elsewhere.into()
        })
    }

    /// Works with a member for each device of each process, and returns what becomes of the process's first one.
    ///
    /// A panic ends the process, for the others would wait for this member forever.
    pub(super) fn work<T>(
        &self,
        devices: &[Device],
        work: impl Fn(&Member<'_>, Device) -> Result<T, Error> + Sync,
    ) -> Result<T, Error> {
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
                scope.spawn(move || drop(work(thread, None)));
            }
            // Here, where the caller's choice of CPU threads holds, and where MPI was started.
            work(0, Some(&self.ranks))
        })
    }
}

/// One of those who share the columns.
pub(super) struct Member<'a> {
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
    pub(super) fn is_first(&self) -> bool {
        self.first
    }

    /// The number of members.
    pub(super) fn of(&self) -> usize {
        self.of
    }

    /// The member's share of `columns` columns.
    pub(super) fn columns(&self, columns: usize) -> std::ops::Range<usize> {
        columns_of(columns, self.number, self.of)
    }

    /// The values of all members in their order, at the first one.
    pub(super) fn gather<T: Plain>(&self, own: Vec<T>) -> Option<Vec<Vec<T>>> {
        let process = self.desk.gather(self.thread, own);
        let all = self.ranks.map(|ranks| ranks.gather(process));
        all.filter(|_| self.first)
    }

    /// A field of all columns, at the first member, from the members' own columns; the column is the fastest index.
    /// None if a member brings another number of rows than the others.
    pub(super) fn gather_columns<T: Plain>(&self, own: Vec<T>, columns: usize) -> Option<Vec<T>> {
        let parts = self.gather(own)?;
        let width = |number| columns_of(columns, number, self.of).len();
        let parts: Vec<_> = parts.into_iter().enumerate().map(|(number, part)| (width(number), part)).collect();
        let rows = parts[0].1.len() / parts[0].0;
        parts.iter().all(|(width, part)| part.len() == width * rows).then(|| join(parts))
    }

    /// What the first member says.
    pub(super) fn spread<T: Plain>(&self, values: Vec<T>) -> Vec<T> {
        let values = match self.ranks {
            Some(ranks) => ranks.spread(values),
            None => values,
        };
        self.desk.spread(self.thread, values)
    }

    /// The largest of all members' numbers, one by one.
    pub(super) fn most<const N: usize>(&self, own: [f64; N]) -> [f64; N] {
        let largest = self.gather(own.to_vec()).map(|all| {
            let largest = |i: usize| all.iter().map(|values| values[i]).fold(f64::NEG_INFINITY, f64::max);
            (0..N).map(largest).collect()
        });
        let values = self.spread(largest.unwrap_or_default());
        values.try_into().expect("as many as were given")
    }

    /// Goes on with all members or with none: the first failure becomes the first member's, and the others fail without
    /// a word.
    pub(super) fn agree<T, E: Display + From<Error>>(&self, outcome: Result<T, E>) -> Result<T, E> {
        let words = outcome.as_ref().err().map(|failure| match self.number {
            0 => failure.to_string(),
            number => format!("part {number} of {}: {failure}", self.of),
        });
        let all = self.gather(words.unwrap_or_default().into_bytes());
        let first = all.and_then(|all| all.into_iter().find(|words| !words.is_empty()));
        let heard = self.spread(first.unwrap_or_default());
        match outcome {
            Ok(value) if heard.is_empty() => Ok(value),
            Err(own) if self.first => Err(own),
            _ if self.first => Err(Error::Member(String::from_utf8_lossy(&heard).into_owned()).into()),
            _ => Err(Error::Elsewhere.into()),
        }
    }
}
