//! A network ready for the core.

use crate::host::network::Network;
use crate::host::options::Options;
use crate::host::symbolic::LuPattern;
use crate::host::tables::Tables;
use crate::physics::index::Index;
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

/// The tables list each; the largest published mechanisms of 6,000 species take some millions.
const MOST_PRODUCTS: usize = 50_000_000;

impl Compiled {
    /// Finds the factors' pattern and writes the tables. Species are eliminated in their order: see
    /// [`crate::elimination_order`].
    ///
    /// # Errors
    /// A network with more than 2^32 of anything, or whose factors take more than 50 million multiplications.
    pub fn new(network: Network) -> Result<Self, Error> {
        let rows = network.pattern();
        let jacobian_entries = rows.iter().map(std::collections::BTreeSet::len).sum();
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
        let most = pattern.entries().max(network.reactions().len()).max(network.variable() + network.fixed());
        let narrow = if most <= u16::MAX as usize { Tables::<u16>::new(&network, &pattern).ok() } else { None };
        let tables = match narrow {
            Some(tables) => AnyTables::Narrow(tables),
            None => AnyTables::Wide(Tables::new(&network, &pattern)?),
        };
        Ok(Self { network, pattern, jacobian_entries, tables })
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

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &AnyTables {
        &self.tables
    }

    /// The rounds in which a GPU's warps compute cells with these options ([`crate::RosenbrockByWarps`]); none where
    /// rate constants change within an interval, times are wanted, or the cells of a warp do not fit into its memory.
    #[must_use]
    pub fn schedule(&self, options: &Options) -> Option<Schedule> {
        let AnyTables::Narrow(tables) = &self.tables else { return None };
        if options.rates_change() || !options.wanted_times_s.is_empty() {
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
        )
    }
}

const _: () = assert!(<u16 as Index>::MAX == 65_535);
