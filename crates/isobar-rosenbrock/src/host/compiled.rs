//! A network ready for the core.

use std::collections::BTreeSet;

use crate::host::network::Network;
use crate::host::options::Options;
use crate::host::rates::{By, Of, WithSlopes};
use crate::host::symbolic::LuPattern;
use crate::host::tables::Tables;
use crate::physics::index::Index;
use crate::physics::limits::MOST_PRODUCTS;
use crate::physics::sizes::Sizes;
use crate::schedule::layout::Layout;
use crate::schedule::list::Schedule;
use isobar_core::fields::Error;

/// Tables with the indices that they need.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyTables {
    /// 16 bits: up to 65,535 of everything.
    Narrow(Tables<u16>),
    /// 32 bits.
    Wide(Tables<u32>),
}

impl AnyTables {
    /// How much there is of everything.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        match self {
            Self::Narrow(tables) => tables.sizes(),
            Self::Wide(tables) => tables.sizes(),
        }
    }

    /// The bytes of all lists.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Narrow(tables) => tables.bytes(),
            Self::Wide(tables) => tables.bytes(),
        }
    }
}

/// A network with the pattern of its factors and its tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    network: Network,
    pattern: LuPattern,
    jacobian_entries: usize,
    tables: AnyTables,
}

impl Compiled {
    /// Finds the factors' pattern and writes the tables. Species are eliminated in their order: see
    /// [`crate::elimination_order`].
    ///
    /// # Errors
    /// A network with more than 2^32 of anything, or whose factors take more than 50 million multiplications.
    pub fn new(network: Network) -> Result<Self, Error> {
        Self::build(network, None)
    }

    fn build(network: Network, slopes: Option<&WithSlopes>) -> Result<Self, Error> {
        let mut rows = network.pattern();
        if let Some(slopes) = slopes {
            add_slopes(&mut rows, &network, slopes)?;
        }
        let jacobian_entries = rows.iter().map(BTreeSet::len).sum();
        let pattern = LuPattern::of(&rows);
        let products = pattern.products();
        if products > MOST_PRODUCTS {
            return Err(Error::Setup(format!(
                "the factors of the matrix fill in to {} entries, and a step would take {products} multiplications for \
                 them; at most {MOST_PRODUCTS} are accepted",
                pattern.entries()
            )));
        }
        // A place among the entries is the largest number by far, but counts and reactions are numbers too.
        let numbers = slopes.map_or(0, |slopes| slopes.numbers as usize);
        let most = pattern.entries().max(network.reactions().len() + numbers).max(network.variable() + network.fixed());
        let narrow = if most <= u16::MAX as usize { Tables::<u16>::of(&network, &pattern, slopes).ok() } else { None };
        let tables = match narrow {
            Some(tables) => AnyTables::Narrow(tables),
            None => AnyTables::Wide(Tables::of(&network, &pattern, slopes)?),
        };
        Ok(Self { network, pattern, jacobian_entries, tables })
    }

    /// This mechanism with how its rate constants depend on concentrations: the matrix has more entries, and rows
    /// and columns for sums behind all others.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    #[cfg(feature = "launch")]
    pub(crate) fn with_slopes(&self, slopes: &WithSlopes) -> Result<Self, Error> {
        Self::build(self.network.clone(), Some(slopes))
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The pattern of the factors.
    #[must_use]
    pub fn pattern(&self) -> &LuPattern {
        &self.pattern
    }

    /// The entries of the Jacobian that are not zero by structure, and the diagonal.
    #[must_use]
    pub fn jacobian_entries(&self) -> usize {
        self.jacobian_entries
    }

    /// What the kernel needs of counted reactions: [`crate::Rosenbrock::counted`].
    ///
    /// # Errors
    /// A reaction that the mechanism does not have.
    pub fn counted(&self, reactions: &[u32]) -> Result<Vec<u32>, Error> {
        match &self.tables {
            AnyTables::Narrow(tables) => tables.counted(reactions),
            AnyTables::Wide(tables) => tables.counted(reactions),
        }
    }

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &AnyTables {
        &self.tables
    }

    /// The rounds in which a GPU's warps compute cells with these options ([`crate::RosenbrockByWarps`]); none where
    /// rate constants change within an interval, times or extents are wanted, species are left out, or the cells of
    /// a warp do not fit into its memory.
    #[must_use]
    pub fn schedule(&self, options: &Options) -> Option<Schedule> {
        let AnyTables::Narrow(tables) = &self.tables else { return None };
        if options.needs_more() || !options.wanted_times_s.is_empty() || options.reduction.is_some() {
            return None;
        }
        Schedule::new(tables, &self.pattern, options.method.tableau().stages)
    }

    /// The numbers that an active cell needs; `registers` are those of the rate program.
    #[must_use]
    pub fn layout(&self, options: &Options, registers: u32) -> Layout {
        Layout::new(
            self.tables.sizes(),
            options.method.tableau().stages,
            !options.autonomous,
            if options.rates_change() { registers } else { 0 },
            !options.wanted_times_s.is_empty(),
            options.counted_reactions.len() as u32,
            options.reduction.is_some(),
        )
    }
}

/// Adds the entries of slopes, and the rows of sums, which have a diagonal.
fn add_slopes(rows: &mut Vec<BTreeSet<u32>>, network: &Network, slopes: &WithSlopes) -> Result<(), Error> {
    let variable = network.variable() as u32;
    let sums = 0..slopes.program.sums as u32;
    rows.extend(sums.map(|sum| BTreeSet::from([variable + sum])));
    for slope in &slopes.program.slopes {
        let column = match slope.by {
            By::Species(species) if species < variable => species,
            By::Species(species) => return Err(Error::Setup(format!("a slope by species {species}, which is held"))),
            By::Sum(sum) => variable + sum,
        };
        match slope.of {
            Of::Sum(sum) => {
                rows[(variable + sum) as usize].insert(column);
            }
            Of::Rate(reaction) => {
                let net = network.reactions()[reaction as usize].net.iter();
                let made = net.filter(|&&(made, factor)| (made as u32) < variable && factor != 0.0);
                for &(made, _) in made {
                    rows[made].insert(column);
                }
            }
        }
    }
    Ok(())
}

const _: () = assert!(<u16 as Index>::MAX == 65_535);
