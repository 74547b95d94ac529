//! A part of the retrievals or of a file: processes that share it, with no library between them.

use clap::Args;

use crate::program::failure::Failure;

/// Which part of a list is this process's.
#[derive(Args, Debug)]
pub(super) struct RankOptions {
    /// The number of this process, from 0: it takes each retrieval of the list whose number, modulo --ranks, is this
    #[arg(long, value_name = "R", requires = "ranks")]
    rank: Option<usize>,
    /// The number of processes that share the list; `env`: this and --rank as mpirun, mpiexec or srun tell in the
    /// environment. Shared files of results are added to
    #[arg(long, value_name = "N|env")]
    ranks: Option<String>,
}

/// Which parts of a file are this process's.
#[derive(Args, Debug)]
pub(super) struct FileRanks {
    /// The number of this process, from 0: it computes each part of the file whose number, modulo --ranks, is this
    #[arg(long, value_name = "R", requires = "ranks")]
    rank: Option<usize>,
    /// The number of processes that share a file, part by part; `env`: this and --rank as mpirun, mpiexec or srun tell
    /// in the environment. What was computed stays if they are stopped, and the same command goes on; the last of them
    /// completes the file
    #[arg(long, value_name = "N|env")]
    ranks: Option<String>,
}

/// A process among several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    rank: usize,
    ranks: usize,
}

/// What starters of processes call the number of a process and that of all.
const STARTERS: [[&str; 2]; 4] = [
    ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"],
    ["MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"],
    ["PMI_RANK", "PMI_SIZE"],
    ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS"],
];

impl RankOptions {
    /// The part; none if the list is not shared.
    pub(super) fn part(&self) -> Result<Option<Part>, Failure> {
        given(self.ranks.as_deref(), self.rank)
    }
}

impl FileRanks {
    /// The process; none if the file is not shared.
    pub(super) fn part(&self) -> Result<Option<Part>, Failure> {
        given(self.ranks.as_deref(), self.rank)
    }
}

fn given(ranks: Option<&str>, rank: Option<usize>) -> Result<Option<Part>, Failure> {
    let Some(ranks) = ranks else { return Ok(None) };
    if ranks == "env" {
        if rank.is_some() {
            return Err(Failure::usage("--rank cannot go with --ranks env, which tells it"));
        }
        return from_environment(|name| std::env::var(name).ok()).map(Some).map_err(Failure::usage);
    }
    let count = ranks.parse::<usize>().ok().filter(|&count| count > 0);
    let count = count.ok_or_else(|| Failure::usage(format!("--ranks {ranks:?}: expected a number from 1, or env")))?;
    let rank = rank.ok_or_else(|| Failure::usage(format!("--ranks {count} needs --rank, 0 to {}", count - 1)))?;
    part(rank, count).map(Some).map_err(Failure::usage)
}

fn part(rank: usize, ranks: usize) -> Result<Part, String> {
    match rank < ranks {
        true => Ok(Part { rank, ranks }),
        false => Err(format!("rank {rank} lies outside [0, {ranks})")),
    }
}

fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Part, String> {
    for [rank, ranks] in STARTERS {
        let (Some(first), Some(second)) = (variable(rank), variable(ranks)) else { continue };
        let number = |name: &str, text: &str| {
            text.trim().parse::<usize>().map_err(|_| format!("{name}={text:?} of the environment is not a number"))
        };
        return part(number(rank, &first)?, number(ranks, &second)?);
    }
    let names: Vec<&str> = STARTERS.iter().map(|[rank, _]| *rank).collect();
    Err(format!("--ranks env: the environment has none of {} with its size", names.join(", ")))
}

impl Part {
    /// A process that shares with no other.
    pub(super) const ALONE: Self = Self { rank: 0, ranks: 1 };

    /// How many processes there are.
    pub(super) fn ranks(self) -> usize {
        self.ranks
    }

    /// Whether it takes this one of a list, as JURASSIC deals them out.
    pub(super) fn takes(self, index: usize) -> bool {
        index % self.ranks == self.rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starters_tell_their_ranks() {
        let of = |all: &[(&str, &str)]| {
            from_environment(|name| all.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        let expected = Ok(Part { rank: 2, ranks: 5 });
        assert_eq!(of(&[("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "5")]), expected);
        assert_eq!(of(&[("PMI_RANK", "2"), ("PMI_SIZE", "5")]), expected);
        // Within a job but outside of a step there is no such number: a script would take a part of the list.
        assert!(of(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "5")]).is_err());
        assert_eq!(of(&[("SLURM_PROCID", "2"), ("SLURM_STEP_NUM_TASKS", "5")]), expected);
        assert!(of(&[("PMI_RANK", "5"), ("PMI_SIZE", "5")]).unwrap_err().contains("rank 5 lies outside [0, 5)"));
        assert!(of(&[("PMI_RANK", "x"), ("PMI_SIZE", "5")]).unwrap_err().contains("PMI_RANK=\"x\""));
        let all: Vec<usize> =
            (0..3).flat_map(|rank| (0..10).filter(move |&i| Part { rank, ranks: 3 }.takes(i))).collect();
        assert_eq!(all, [0, 3, 6, 9, 1, 4, 7, 2, 5, 8]);
    }
}
