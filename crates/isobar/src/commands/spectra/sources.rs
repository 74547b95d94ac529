//! What absorbs, as the command line names it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar::line_by_line::Source;
use isobar_core::Real;
use isobar_io::{FilesInUse, WaterContinuum, read_water_continuum};
use isobar_spectra::lists::{
    CollisionInduced, CrossSections, ExoMol, Oddities, ParWindows, molecule_name, molecule_number, read_exomol,
};
use isobar_spectra::{Gas, Grid, Method, Options, PartitionSum, SpectraError, Wings};

use crate::case::warn;
use crate::commands::Failure;
use crate::commands::progress::patiently;

/// How spectra are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodOption {
    /// Near lines at the points, wings by polynomials: off by less than 1e-4 of the largest value nearby
    Tree,
    /// Every line at every point: 1e-9 relative in f64, 1e-5 in f32
    Exact,
}

/// Files and options of what absorbs.
#[derive(Args, Debug)]
pub(crate) struct SourceOptions {
    /// Line list of HITRAN or HITEMP, records of 160 columns, or HITRANonline's table whose first line names its
    /// columns; may be given more than once
    #[arg(long, value_name = "LIST")]
    lines: Vec<PathBuf>,
    /// List of ExoMol: the gas, and how the names of its files begin: BEGIN.states, .pf, .def, .trans or __*.trans; its
    /// abundance, if it is not 1; may be given more than once, for isotopologues, too
    #[arg(long, value_name = "GAS=BEGIN[,ABUNDANCE]")]
    exomol: Vec<String>,
    /// Widths by air of a gas's list of ExoMol, a .broad file; without it those of its .def
    #[arg(long, value_name = "GAS=FILE")]
    broad: Vec<String>,
    /// Partition sum of an isotopologue, HITRAN's q-file or ExoMol's .pf, by HITRAN's numbers of molecule and
    /// isotopologue, as 2.1=q7.txt
    #[arg(long, value_name = "M.I=FILE")]
    partition: Vec<String>,
    /// Measured cross-sections of a gas, HITRAN's .xsc; may be given more than once
    #[arg(long, value_name = "GAS=FILE")]
    xsc: Vec<String>,
    /// Water continuum MT_CKD, its file absco-ref_wv-mt-ckd.nc; lines of H2O then lose their pedestals
    #[arg(long, value_name = "FILE")]
    water_continuum: Option<PathBuf>,
    /// Where lines end, to either side [cm^-1]
    #[arg(long, default_value_t = 25.0)]
    cut: f64,
    /// Take the value at the cut off the lines of H2O, as a water continuum needs it
    #[arg(long)]
    without_pedestal: bool,
    /// Weaken the wings of CO2's lines (Perrin and Hartmann, 1989)
    #[arg(long)]
    co2_wings: bool,
    /// Line mixing of first order, where a list has it: HITRANonline's column y_air
    #[arg(long)]
    line_mixing: bool,
    /// Leave out lines whose lower energy is unknown, instead of an error
    #[arg(long)]
    skip_unknown_energies: bool,
    /// How spectra are computed
    #[arg(long, value_enum, default_value = "tree")]
    method: MethodOption,
}

impl SourceOptions {
    /// Are there line lists?
    pub(crate) fn has_lists(&self) -> bool {
        !self.lines.is_empty() || !self.exomol.is_empty()
    }

    /// The names of gases that the files may have: of HITRAN's lists all molecules.
    pub(super) fn gases(&self) -> Result<Vec<String>, Failure> {
        let mut names: Vec<String> = Vec::new();
        if !self.lines.is_empty() {
            names.extend((1..).map_while(|number| molecule_name(number).ok()).map(str::to_owned));
        }
        names.extend(self.exomol_lists()?.into_iter().map(|list| list.name));
        names.extend(self.cross_section_files()?.into_keys());
        names.extend(self.water_continuum.is_some().then(|| "H2O".to_owned()));
        Ok(names)
    }

    /// The files that are read.
    pub(crate) fn paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut all = self.lines.clone();
        all.extend(self.partition_files()?.into_values());
        all.extend(self.cross_section_files()?.into_values().flatten());
        all.extend(self.water_continuum.clone());
        all.extend(self.exomol_lists()?.iter().flat_map(ExoMol::files));
        Ok(all)
    }

    /// None of the files may be written.
    pub(crate) fn protect(&self, files: &mut FilesInUse) -> Result<(), Failure> {
        Ok(self.paths()?.iter().try_for_each(|path| files.reads("spectroscopic data", path))?)
    }

    /// How the spectra of a gas are computed.
    pub(crate) fn options_of(&self, gas: &str) -> Options {
        let water = gas.eq_ignore_ascii_case("H2O");
        Options {
            cut_per_cm: self.cut,
            without_pedestal: water && (self.without_pedestal || self.water_continuum.is_some()),
            wings: if self.co2_wings && gas.eq_ignore_ascii_case("CO2") { Wings::CarbonDioxide } else { Wings::Voigt },
            mixing: self.line_mixing,
            method: match self.method {
                MethodOption::Tree => Method::Tree,
                MethodOption::Exact => Method::Exact,
            },
            ..Options::default()
        }
    }

    /// Every gas of the files, or those that are `wanted`, with the lines that reach a range \[cm^-1\]. Memory holds no
    /// other lines, however long the lists are.
    pub(crate) fn read(&self, wanted: Option<&[String]>, range_per_cm: (f64, f64)) -> Result<Vec<Source>, Failure> {
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
        if !(self.cut > 0.0 && self.cut.is_finite()) {
            return Err(Failure::usage(format!("--cut {} lies outside (0, inf)", self.cut)));
        }
        refuse_twice("--lines", self.lines.iter())?;
        let is_wanted =
            |gas: &str| wanted.is_none_or(|wanted| wanted.iter().any(|name| name.eq_ignore_ascii_case(gas)));
        let molecules = wanted.map(|names| names.iter().filter_map(|name| molecule_number(name)).collect());
        let windows = ParWindows::open(&self.lines, molecules, self.skip_unknown_energies)?;
        let mut others = Vec::new();
        for (gas, files) in self.cross_section_files()? {
            if is_wanted(&gas) {
                at(&mut others, &gas, self).cross_sections = Some(CrossSections::read(&files)?);
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
        })
    }

    fn empty(&self, name: &str) -> Source {
        Source {
            name: name.to_owned(),
            lines: None,
            options: self.options_of(name),
            cross_sections: None,
            water_continuum: None,
        }
    }

    fn partition_files(&self) -> Result<BTreeMap<(u32, u32), PathBuf>, Failure> {
        let mut files = BTreeMap::new();
        for text in &self.partition {
            let wrong =
                || Failure::usage(format!("--partition {text}: give molecule, isotopologue and file, as 2.1=q7.txt"));
            let (numbers, file) = text.split_once('=').ok_or_else(wrong)?;
            let (molecule, isotopologue) = numbers.split_once('.').ok_or_else(wrong)?;
            let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
            let which = (number(molecule)?, number(isotopologue)?);
            isobar_spectra::lists::isotopologue(which.0, which.1)
                .map_err(|error| Failure::usage(format!("--partition {text}: {error}")))?;
            if files.insert(which, PathBuf::from(file)).is_some() {
                return Err(Failure::usage(format!("--partition {text}: {numbers} is given twice")));
            }
        }
        Ok(files)
    }

    fn exomol_lists(&self) -> Result<Vec<ExoMol>, Failure> {
        let mut lists = self.exomol.iter().map(|text| open_exomol(text)).collect::<Result<Vec<_>, _>>()?;
        for text in &self.broad {
            let wrong = |why: &str| Failure::usage(format!("--broad {text}: {why}, as H2O=1H2-16O__air.broad"));
            let (gas, file) = text.split_once('=').ok_or_else(|| wrong("give gas and file"))?;
            let mut of_gas = lists.iter_mut().filter(|list| list.name.eq_ignore_ascii_case(gas)).peekable();
            if of_gas.peek().is_none() {
                return Err(wrong("there is no --exomol of this gas"));
            }
            of_gas.for_each(|list| list.broadening = Some(file.into()));
        }
        Ok(lists)
    }

    fn cross_section_files(&self) -> Result<BTreeMap<String, Vec<PathBuf>>, Failure> {
        let mut all: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for text in &self.xsc {
            let wrong = || Failure::usage(format!("--xsc {text}: give gas and file, as CFC-11=file.xsc"));
            let (gas, file) = text.split_once('=').ok_or_else(wrong)?;
            all.entry(gas.to_owned()).or_default().push(file.into());
        }
        all.values().try_for_each(|files| refuse_twice("--xsc", files.iter()))?;
        Ok(all)
    }
}

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
}

impl Lists<'_> {
    /// Every gas with the lines that reach a range \[cm^-1\]. Ranges that ascend pass through the lists once.
    pub(crate) fn reaching(&mut self, (first, last): (f64, f64)) -> Result<Vec<Source>, Failure> {
        let Self { options, windows, exomol, found, sums, known, others, odd, gases, has_mixing, .. } = self;
        // A line at the end of its reach counts or not by its own rounding.
        let reach = options.cut + 1e-3;
        let (low, high) = ((first - reach).max(0.0), last + reach);
        let mut window = patiently(false, "reading the line list", || windows.window(low, high))?;
        let (of_hitran, of_exomol) = odd.split_at_mut(options.lines.len());
        of_hitran.iter_mut().zip(std::mem::take(&mut window.odd)).for_each(|(odd, more)| odd.add(more));
        *has_mixing |= window.records.iter().any(|record| record.line.mixing_per_atm != 0.0);
        found.iter_mut().zip(&window.of_lists).for_each(|(found, lines)| *found += lines);
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
                    Some(others) => others.with(gas),
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
    pub(crate) fn finish(self) {
        let mut all: Vec<String> = self.odd.iter().flat_map(Oddities::sentences).collect();
        let Self { options, known, sums, gases, has_mixing, .. } = &self;
        let idle = sums.iter().filter(|(which, _)| !known.contains_key(which));
        all.extend(idle.map(|((molecule, isotopologue), path)| {
            let path = path.display();
            format!("--partition {molecule}.{isotopologue}={path} has no effect: no line that counts is its own")
        }));
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

/// A list of ExoMol as the command line names it.
pub(super) fn open_exomol(text: &str) -> Result<ExoMol, Failure> {
    let wrong = || Failure::usage(format!("--exomol {text}: give gas and files, as H2O=1H2-16O__POKAZATEL"));
    let (gas, stem) =
        text.split_once('=').filter(|(gas, stem)| !gas.is_empty() && !stem.is_empty()).ok_or_else(wrong)?;
    let with_abundance = stem.rsplit_once(',').and_then(|(stem, word)| Some((stem, word.parse::<f64>().ok()?)));
    let (stem, abundance) = with_abundance.unwrap_or((stem, 1.0));
    if !(abundance > 0.0 && abundance <= 1.0) {
        return Err(Failure::usage(format!("--exomol {text}: the abundance is {abundance}; accepted is (0, 1]")));
    }
    Ok(ExoMol { abundance, ..ExoMol::open(gas, std::path::Path::new(stem))? })
}

/// Refuses a file that is named twice, by whatever names: it would count twice.
pub(crate) fn refuse_twice<'a>(what: &str, paths: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    let mut known = HashSet::new();
    for path in paths {
        // Who reads it says what is wrong with a file that is not there.
        if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            return Err(Failure::usage(format!("{what} {}: it is named twice, and would count twice", path.display())));
        }
    }
    Ok(())
}

/// Files of pairs of molecules.
pub(crate) fn read_pairs(paths: &[PathBuf]) -> Result<Vec<CollisionInduced>, Failure> {
    refuse_twice("--cia", paths.iter())?;
    paths.iter().map(|path| Ok(CollisionInduced::read(path)?)).collect()
}

/// Two numbers, as `600:800`.
pub(crate) fn range(what: &str, text: &str) -> Result<(f64, f64), Failure> {
    let wrong = || Failure::usage(format!("{what} {text}: give two wavenumbers that ascend, as 600:800"));
    let (low, high) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    let (low, high) = (number(low)?, number(high)?);
    if low < high { Ok((low, high)) } else { Err(wrong()) }
}

/// Three numbers as values from the first to the last.
pub(crate) fn axis(name: &str, text: &str, logarithmic: bool) -> Result<Vec<f64>, Failure> {
    let wrong = || {
        Failure::usage(format!(
            "{name} {text}: give the first, the last and how many, as 180:320:29, all above 0, ascending"
        ))
    };
    let words: Vec<&str> = text.split(':').collect();
    let [first, last, count] = words[..] else { return Err(wrong()) };
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite()).ok_or_else(wrong);
    let (first, last) = (number(first)?, number(last)?);
    let count = count.trim().parse::<usize>().ok().filter(|count| (1..=10_000).contains(count)).ok_or_else(wrong)?;
    if count == 1 && first == last {
        return Ok(vec![first]);
    }
    if count < 2 || last <= first {
        return Err(wrong());
    }
    let at = |i: usize| {
        let share = i as f64 / (count - 1) as f64;
        match i {
            0 => first,
            i if i == count - 1 => last,
            // Seven digits, so that texts and binary files have the same numbers.
            _ if logarithmic => rounded(first * Real::exp(share * Real::ln(last / first))),
            _ => rounded(first + share * (last - first)),
        }
    };
    Ok((0..count).map(at).collect())
}

fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// Warns of gases whose lines may fall between the points of a grid.
pub(crate) fn warn_of_coarse(sources: &[Source], grid: &Grid, coldest_k: f64) {
    for source in sources {
        let width = |gas: &Gas| gas.too_coarse(grid, coldest_k, &source.options.constants);
        if let Some(width) = source.lines.as_ref().and_then(width) {
            warn(format!(
                "the grid's step of {:.2e} cm^-1 is larger than {}'s Doppler half width of {width:.2e} cm^-1 at \
                 {coldest_k:.2} K and {} cm^-1: lines may fall between its points",
                grid.largest_step_per_cm(),
                source.name,
                grid.ends_per_cm().0
            ));
        }
    }
}
