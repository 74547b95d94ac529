//! Line lists, read range by range.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use isobar::line_by_line::Source;
use isobar_io::{WaterContinuum, read_water_continuum};
use isobar_spectra::lists::{ExoMol, Oddities, ParWindows, molecule_name, molecule_number, read_exomol};
use isobar_spectra::{Gas, Options, PartitionSum, SpectraError};

use super::beyond::Beyond;
use super::line_lists::SourceOptions;
use super::measured::cross_sections;
use super::spectral::Coarse;
use super::twice::{LinesTwice, refuse_twice};
use crate::program::failure::Failure;
use crate::program::progress::patiently;
use crate::program::remarks::warn;

/// Line lists that are read range by range, with all that absorbs besides.
pub(crate) struct Lists<'a> {
    options: &'a SourceOptions,
    windows: ParWindows,
    exomol: Vec<ExoMol>,
    /// Lines of each list that were there since it was last told.
    found: Vec<usize>,
    sums: BTreeMap<(u32, u32), PathBuf>,
    /// Partition sums that were read.
    known: BTreeMap<(u32, u32), PartitionSum>,
    /// What has no lines.
    others: Vec<Source>,
    /// What was odd in each list.
    odd: Vec<Oddities>,
    /// The gases that were there, in capitals.
    gases: BTreeSet<String>,
    /// Has a line had line mixing?
    has_mixing: bool,
    /// Lines that several lists have.
    twice: LinesTwice,
    /// The lists of ExoMol that add to lines of the same gas.
    adding: BTreeSet<String>,
    /// What lies outside of measured temperatures.
    pub(crate) beyond: Beyond,
    /// What has lines between a grid's points.
    pub(crate) coarse: Coarse,
}

impl Lists<'_> {
    /// Every gas with the lines that reach a range \[cm^-1\]. Ranges that ascend pass through the lists once.
    pub(crate) fn reaching(&mut self, (first, last): (f64, f64)) -> Result<Vec<Source>, Failure> {
        let Self {
            options, windows, exomol, found, sums, known, others, odd, gases, has_mixing, twice, adding, ..
        } = self;
        // A line at the end of its reach counts or not by its own rounding.
        let reach = options.cut + 1e-3;
        let (low, high) = ((first - reach).max(0.0), last + reach);
        let mut window = patiently(false, "reading the line list", || windows.window(low, high))?;
        let (of_hitran, of_exomol) = odd.split_at_mut(options.lines.len());
        of_hitran.iter_mut().zip(std::mem::take(&mut window.odd)).for_each(|(odd, more)| odd.add(more));
        *has_mixing |= window.records.iter().any(|record| record.line.mixing_per_atm != 0.0);
        found.iter_mut().zip(&window.of_lists).for_each(|(found, lines)| *found += lines);
        twice.count(&window.records, &window.of_lists, (low, high));
        let mut molecules: Vec<u32> = window.records.iter().map(|record| record.molecule).collect();
        molecules.sort_unstable();
        molecules.dedup();
        let mut sources = Vec::new();
        for molecule in molecules {
            let gas = Gas::from_records(&window.records, molecule, |molecule, isotopologue| {
                if let Some(sum) = known.get(&(molecule, isotopologue)) {
                    return Ok(sum.clone());
                }
                let sum = partition_sum(sums, molecule, isotopologue)?;
                known.insert((molecule, isotopologue), sum.clone());
                Ok(sum)
            })?;
            let lines = Some(gas.after(window.passed(molecule)));
            sources.push(Source { lines, ..options.empty(molecule_name(molecule)?) });
        }
        for ((list, found), odd) in exomol.iter().zip(&mut found[options.lines.len()..]).zip(of_exomol) {
            let list = ExoMol { range_per_cm: (low, high), ..list.clone() };
            let (gas, of_list) = patiently(false, "reading the line list", || read_exomol(&list))?;
            // The whole list is read for each range.
            *odd = of_list;
            *found += gas.lines().len();
            if !gas.lines().is_empty() {
                let source = at(&mut sources, &list.name, options);
                source.lines = Some(match source.lines.take() {
                    Some(others) => {
                        adding.insert(list.name.clone());
                        others.with(gas)
                    }
                    None => gas,
                });
            }
        }
        for other in others {
            let source = at(&mut sources, &other.name, options);
            source.cross_sections.clone_from(&other.cross_sections);
            source.water_continuum.clone_from(&other.water_continuum);
        }
        gases.extend(sources.iter().map(|source| source.name.to_ascii_uppercase()));
        Ok(sources)
    }

    /// Says, when all ranges were read, what was odd in the lists, and which options had no effect.
    pub(crate) fn finish(mut self) {
        self.beyond.tell();
        let mut all: Vec<String> = self.odd.iter().flat_map(Oddities::sentences).collect();
        let Self { options, known, sums, gases, has_mixing, .. } = &self;
        let idle = sums.iter().filter(|(which, _)| !known.contains_key(which));
        all.extend(idle.map(|((molecule, isotopologue), path)| {
            let path = path.display();
            format!("--partition {molecule}.{isotopologue}={path} has no effect: no line that counts is its own")
        }));
        if *has_mixing && !options.line_mixing {
            all.push("a list has line mixing (column y_air), which counts only with --line-mixing".to_owned());
        }
        let mut need = |given: bool, option: &str, there: bool, what: &str| {
            if given && !there {
                all.push(format!("{option} has no effect: {what}"));
            }
        };
        need(options.line_mixing, "--line-mixing", *has_mixing, "no list has it (HITRANonline's column y_air)");
        let has = |gas: &str| gases.contains(gas);
        need(options.co2_wings, "--co2-wings", has("CO2"), "no line of CO2 counts");
        need(options.without_pedestal, "--without-pedestal", has("H2O"), "no line of H2O counts");
        need(options.water_continuum.is_some(), "--water-continuum", has("H2O"), "H2O is not among the gases");
        for gas in options.cross_section_files().into_iter().flat_map(BTreeMap::into_keys) {
            need(true, &format!("--xsc {gas}"), has(&gas.to_ascii_uppercase()), "it is not among the gases");
        }
        all.extend(self.twice.sentence());
        all.extend(self.adding.iter().map(|gas| {
            format!("{gas}: lines of several lists add up, those of an isotopologue that two of them have as well")
        }));
        all.into_iter().for_each(warn);
    }

    /// Warns of lists that had no line since this was last called; the range \[cm^-1\] is what was asked for.
    pub(crate) fn tell_empty(&mut self, (first, last): (f64, f64)) {
        let Self { options, exomol, found, .. } = self;
        let lists = options.lines.iter().chain(exomol.iter().map(|list| &list.states));
        for (list, found) in lists.zip(found) {
            if std::mem::take(found) == 0 {
                let (low, high) = (first - options.cut, last + options.cut);
                warn(format!("{}: no line that counts from {low} to {high} cm^-1", list.display()));
            }
        }
    }
}

/// The source of a gas, new if there is none.
fn at<'a>(sources: &'a mut Vec<Source>, gas: &str, options: &SourceOptions) -> &'a mut Source {
    let place = sources.iter().position(|source| source.name.eq_ignore_ascii_case(gas));
    let place = place.unwrap_or_else(|| {
        sources.push(options.empty(gas));
        sources.len() - 1
    });
    &mut sources[place]
}

fn partition_sum(
    sums: &BTreeMap<(u32, u32), PathBuf>,
    molecule: u32,
    isotopologue: u32,
) -> Result<PartitionSum, SpectraError> {
    let Some(path) = sums.get(&(molecule, isotopologue)) else {
        let name = isobar_spectra::lists::isotopologue(molecule, isotopologue)?.name();
        let why = format!("there is no partition sum of {name}: --partition {molecule}.{isotopologue}=FILE");
        return Err(SpectraError::Options(why));
    };
    PartitionSum::read(path)
}

impl SourceOptions {
    /// Every gas of the files, or those that are `wanted`, with the lines that reach a range \[cm^-1\]. Memory holds no
    /// other lines, however long the lists are.
    pub fn read(&self, wanted: Option<&[String]>, range_per_cm: (f64, f64)) -> Result<Vec<Source>, Failure> {
        let mut lists = self.open(wanted)?;
        let sources = lists.reaching(range_per_cm)?;
        lists.tell_empty(range_per_cm);
        lists.finish();
        Ok(sources)
    }

    /// The files, for the lines of one range after the other.
    pub(crate) fn open(&self, wanted: Option<&[String]>) -> Result<Lists<'_>, Failure> {
        if self.lines.is_empty() && self.exomol.is_empty() && self.xsc.is_empty() {
            let what = "nothing absorbs: name line lists with --lines or --exomol, or cross-sections with --xsc";
            return Err(Failure::usage(what));
        }
        self.open_beside(wanted)
    }

    /// As [`Self::open`], of which there may be none: something else absorbs.
    pub(crate) fn open_beside(&self, wanted: Option<&[String]>) -> Result<Lists<'_>, Failure> {
        if !(self.cut > 0.0 && self.cut.is_finite()) {
            return Err(Failure::usage(format!("--cut {} lies outside (0, inf)", self.cut)));
        }
        if self.water_continuum.is_some() && self.cut != Options::default().cut_per_cm {
            let usual = Options::default().cut_per_cm;
            warn(format!("--cut {}: --water-continuum is made for lines that end at {usual} cm^-1", self.cut));
        }
        refuse_twice("--lines", self.lines.iter())?;
        let is_wanted =
            |gas: &str| wanted.is_none_or(|wanted| wanted.iter().any(|name| name.eq_ignore_ascii_case(gas)));
        let molecules = wanted.map(|names| names.iter().filter_map(|name| molecule_number(name)).collect());
        let windows = ParWindows::open(&self.lines, molecules, self.skip_unknown_energies)?;
        let mut others = Vec::new();
        for (gas, files) in self.cross_section_files()? {
            if is_wanted(&gas) {
                at(&mut others, &gas, self).cross_sections = Some(cross_sections(&gas, &files)?);
            }
        }
        if let Some(path) = self.water_continuum.as_ref().filter(|_| is_wanted("H2O")) {
            let continuum: WaterContinuum = read_water_continuum(path)?;
            at(&mut others, "H2O", self).water_continuum = Some(continuum);
        }
        let exomol = self.exomol_lists()?;
        refuse_twice("--exomol", exomol.iter().map(|list| &list.states))?;
        let exomol: Vec<ExoMol> = exomol.into_iter().filter(|list| is_wanted(&list.name)).collect();
        let lists = self.lines.len() + exomol.len();
        Ok(Lists {
            options: self,
            windows,
            exomol,
            found: vec![0; lists],
            odd: vec![Oddities::default(); lists],
            sums: self.partition_files()?,
            known: BTreeMap::new(),
            others,
            gases: BTreeSet::new(),
            has_mixing: false,
            twice: LinesTwice::default(),
            adding: BTreeSet::new(),
            beyond: Beyond::default(),
            coarse: Coarse::default(),
        })
    }
}
