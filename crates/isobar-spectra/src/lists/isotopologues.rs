//! HITRAN's numbers of molecules and isotopologues, with masses.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::SpectraError;

/// An isotopologue by HITRAN's numbers, or one of ExoMol's without.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownIsotopologue {
    /// The molecule's number; 0 without one.
    pub molecule: u32,
    /// The isotopologue's number, from 1; 0 without one.
    pub number: u32,
    /// The molecule's name.
    pub molecule_name: Cow<'static, str>,
    /// The atoms, as `1H1H16O`.
    pub atoms: Cow<'static, str>,
    /// The mass \[u\].
    pub mass_u: f64,
}

impl KnownIsotopologue {
    /// As `H2O (1H1H16O)`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} ({})", self.molecule_name, self.atoms)
    }
}

static KNOWN: LazyLock<Vec<KnownIsotopologue>> = LazyLock::new(|| {
    let rows = include_str!("../../data/isotopologues.txt").lines().filter(|line| !line.starts_with('#'));
    let each = |row: &'static str| {
        let mut words = row.split_ascii_whitespace();
        let molecule = words.next().and_then(|word| word.parse().ok()).expect("a number in a file of the crate");
        let molecule_name = words.next().expect("a name in a file of the crate");
        words.zip(1..).map(move |(atoms, number)| KnownIsotopologue {
            molecule,
            number,
            molecule_name: molecule_name.into(),
            atoms: atoms.into(),
            mass_u: mass_u(atoms),
        })
    };
    rows.flat_map(each).collect()
});

/// The mass of atoms like `12C16O16O` \[u\].
fn mass_u(atoms: &str) -> f64 {
    let mut mass = 0.0;
    let mut rest = atoms;
    while !rest.is_empty() {
        let letters = rest.find(|c: char| !c.is_ascii_digit()).expect("an element in a file of the crate");
        let end = rest[letters..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |end| letters + end);
        mass += atom_u(&rest[..end]);
        rest = &rest[end..];
    }
    mass
}

fn atom_u(atom: &str) -> f64 {
    let row = include_str!("../../data/atoms.txt").lines().find_map(|line| line.strip_prefix(atom)?.strip_prefix(' '));
    row.and_then(|mass| mass.parse().ok()).unwrap_or_else(|| panic!("{atom} is not in a file of the crate"))
}

/// An isotopologue.
///
/// # Errors
/// Numbers that HITRAN does not have, or that are not known here.
pub fn isotopologue(molecule: u32, number: u32) -> Result<&'static KnownIsotopologue, SpectraError> {
    let name = molecule_name(molecule)?;
    let of = || KNOWN.iter().filter(move |known| known.molecule == molecule);
    of().find(|known| known.number == number).ok_or_else(|| {
        SpectraError::value(format!("the isotopologue of {name}"), number, format!("1 to {}", of().count()))
    })
}

/// A molecule's name, as `H2O`.
///
/// # Errors
/// A number that HITRAN does not have, or that is not known here.
pub fn molecule_name(molecule: u32) -> Result<&'static str, SpectraError> {
    let found = KNOWN.iter().find(|known| known.molecule == molecule);
    let last = || KNOWN.last().map_or(0, |known| known.molecule);
    found
        .map(|known| &*known.molecule_name)
        .ok_or_else(|| SpectraError::value("the molecule's number", molecule, format!("1 to {}", last())))
}

/// HITRAN's number of a molecule, as 1 of `H2O`.
#[must_use]
pub fn molecule_number(name: &str) -> Option<u32> {
    KNOWN.iter().find(|known| known.molecule_name.eq_ignore_ascii_case(name)).map(|known| known.molecule)
}

/// The mass of a molecule's lightest isotopologue \[u\].
#[cfg(feature = "launch")]
pub(crate) fn lightest_u(name: &str) -> Option<f64> {
    let of = KNOWN.iter().filter(|known| known.molecule_name.eq_ignore_ascii_case(name));
    of.map(|known| known.mass_u).reduce(f64::min)
}
