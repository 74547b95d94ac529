//! Files of measured cross-sections, and whose they are.

use std::path::{Path, PathBuf};

use isobar_spectra::lists::{CrossSection, CrossSections, molecule_number};

use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// Names of one gas each, HITRAN's formula first.
const SYNONYMS: [&[&str]; 9] = [
    &["CCl3F", "CFC-11", "CFC11", "F11"],
    &["CCl2F2", "CFC-12", "CFC12", "F12"],
    &["CClF3", "CFC-13", "CFC13", "F13"],
    &["CF4", "CFC-14", "CFC14", "F14"],
    &["C2Cl3F3", "CFC-113", "CFC113", "F113"],
    &["C2Cl2F4", "CFC-114", "CFC114", "F114"],
    &["CHClF2", "HCFC-22", "HCFC22", "F22"],
    &["CH2FCF3", "HFC-134a", "HFC134a", "F134a"],
    &["CHF3", "HFC-23", "HFC23", "F23"],
];

/// The measurements of a gas. Headers that name another one are refused where HITRAN knows both names, and told where
/// they may be two of one gas.
pub(super) fn cross_sections(gas: &str, paths: &[PathBuf]) -> Result<CrossSections, Failure> {
    let mut all = Vec::new();
    for path in paths {
        let blocks = CrossSection::read(path)?;
        if let Some(other) = blocks.iter().find(|block| !is_same(gas, &block.name)) {
            tell_other(gas, path, &other.name)?;
        }
        all.extend(blocks);
    }
    Ok(CrossSections::new(all)?)
}

fn tell_other(gas: &str, path: &Path, name: &str) -> Result<(), Failure> {
    let path = path.display();
    let what = format!("--xsc {gas}={path}: its header names {name}");
    if molecule_number(gas).is_some() && molecule_number(name).is_some() {
        return Err(Failure::new(what));
    }
    warn(format!("{what}, whose cross-sections count as {gas}'s"));
    Ok(())
}

fn is_same(gas: &str, name: &str) -> bool {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let has = |all: &[&str], name: &str| all.iter().any(|one| same(one, name));
    name.is_empty() || same(gas, name) || SYNONYMS.iter().any(|all| has(all, gas) && has(all, name))
}
