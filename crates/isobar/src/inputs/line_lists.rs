//! What absorbs, as the command line names it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar::line_by_line::Source;
use isobar_io::FilesInUse;
use isobar_spectra::lists::{ExoMol, molecule_name};
use isobar_spectra::{Method, Options, Wings};

use super::twice::refuse_twice;
use crate::program::failure::Failure;

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
pub struct SourceOptions {
    /// Line list of HITRAN or HITEMP, records of 160 columns, or HITRANonline's table whose first line names its
    /// columns; may be given more than once
    #[arg(long, value_name = "LIST")]
    pub(super) lines: Vec<PathBuf>,
    /// List of ExoMol: the gas, and how the names of its files begin: BEGIN.states, .pf, .def, .trans or __*.trans; its
    /// abundance, if it is not 1; may be given more than once, for isotopologues, too
    #[arg(long, value_name = "GAS=BEGIN[,ABUNDANCE]")]
    pub(super) exomol: Vec<String>,
    /// Widths by air of a gas's list of ExoMol, a .broad file; without it those of its .def
    #[arg(long, value_name = "GAS=FILE")]
    pub(super) broad: Vec<String>,
    /// Partition sum of an isotopologue, HITRAN's q-file or ExoMol's .pf, by HITRAN's numbers of molecule and
    /// isotopologue, as 2.1=q7.txt
    #[arg(long, value_name = "M.I=FILE")]
    pub(super) partition: Vec<String>,
    /// Measured cross-sections of a gas, HITRAN's .xsc; may be given more than once
    #[arg(long, value_name = "GAS=FILE")]
    pub(super) xsc: Vec<String>,
    /// Water continuum MT_CKD, its file absco-ref_wv-mt-ckd.nc; lines of H2O then lose their pedestals
    #[arg(long, value_name = "FILE")]
    pub(crate) water_continuum: Option<PathBuf>,
    /// Where lines end, to either side [cm^-1]
    #[arg(long, default_value_t = 25.0)]
    pub(super) cut: f64,
    /// Take the value at the cut off the lines of H2O, as a water continuum needs it
    #[arg(long)]
    pub(super) without_pedestal: bool,
    /// Weaken the wings of CO2's lines (Perrin and Hartmann, 1989)
    #[arg(long)]
    pub(super) co2_wings: bool,
    /// Line mixing of first order, where a list has it: HITRANonline's column y_air
    #[arg(long)]
    pub(super) line_mixing: bool,
    /// Leave out lines whose lower energy is unknown, instead of an error
    #[arg(long)]
    pub(super) skip_unknown_energies: bool,
    /// How spectra are computed
    #[arg(long, value_enum, default_value = "tree")]
    pub(super) method: MethodOption,
}

impl SourceOptions {
    /// Are there line lists?
    pub fn has_lists(&self) -> bool {
        !self.lines.is_empty() || !self.exomol.is_empty()
    }

    /// The names of gases that the files may have: of HITRAN's lists all molecules.
    pub(crate) fn gases(&self) -> Result<Vec<String>, Failure> {
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
    pub fn options_of(&self, gas: &str) -> Options {
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

    pub(super) fn empty(&self, name: &str) -> Source {
        Source {
            name: name.to_owned(),
            lines: None,
            options: self.options_of(name),
            cross_sections: None,
            water_continuum: None,
        }
    }

    pub(super) fn partition_files(&self) -> Result<BTreeMap<(u32, u32), PathBuf>, Failure> {
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

    pub(super) fn exomol_lists(&self) -> Result<Vec<ExoMol>, Failure> {
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

    pub(super) fn cross_section_files(&self) -> Result<BTreeMap<String, Vec<PathBuf>>, Failure> {
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

/// A list of ExoMol as the command line names it.
pub(crate) fn open_exomol(text: &str) -> Result<ExoMol, Failure> {
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
