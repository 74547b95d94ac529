//! ExoMol's lists (Tennyson et al., 2016, doi:10.1016/j.jms.2016.05.002): `.states`, `.trans` and `.broad`.
//!
//! | file | columns that are read |
//! |---|---|
//! | `.states` | number, energy \[cm^-1\], total degeneracy, J |
//! | `.trans` | upper state, lower state, Einstein's A \[1/s\] |
//! | `.broad` | code, half width \[cm^-1/bar\], exponent of the temperature, and what quantum numbers the code has |
//!
//! ```text
//! S(T0) = g' A / (8 pi c nu^2) exp(-c2 E" / T0) (1 - exp(-c2 nu / T0)) / Q(T0)
//! ```

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use isobar_core::Real;

use super::broadening::Broadening;
use super::files::{packed_or_not, unpacked_name};
use super::{Gas, Isotopologue, Odd, Oddities, PartitionSum, number_of, read_lines};
use crate::SpectraError;
use crate::constants::{ATMOSPHERE_HPA, Constants, REFERENCE_K};
use crate::limits::ROUNDING_PER_CM;
use crate::physics::line::Line;

/// A list of ExoMol and what it is read with.
#[derive(Clone, Debug, PartialEq)]
pub struct ExoMol {
    /// The gas, as `H2O`.
    pub name: String,
    /// The file of states. It and those of transitions may be packed by bzip2 or gzip.
    pub states: PathBuf,
    /// The files of transitions.
    pub transitions: Vec<PathBuf>,
    /// The file of partition sums (`.pf`).
    pub partition: PathBuf,
    /// The file of widths by air (`.broad`), or by what stands for it.
    pub broadening: Option<PathBuf>,
    /// The mass \[u\], as the `.def` file has it.
    pub mass_u: f64,
    /// What intensities are multiplied by: the isotopologue's abundance, or 1.
    pub abundance: f64,
    /// Half width \[cm^-1/bar\] and exponent where the broadening has nothing: those of the `.def` file.
    pub default_width: (f64, f64),
    /// Lines outside of this range are left out \[cm^-1\].
    pub range_per_cm: (f64, f64),
    /// Lines weaker than this at 296 K are left out; 0 keeps all.
    pub weakest: f64,
}

/// A state.
#[derive(Clone, Copy)]
struct State {
    energy_per_cm: f64,
    degeneracy: f64,
    j: f64,
}

impl ExoMol {
    /// A list by the names that ExoMol gives to its files: `STEM.states`, `STEM.pf`, `STEM.def` with the mass and the
    /// widths where there are no others, and `STEM.trans` or `STEM__*.trans`; all lines, of full abundance. States and
    /// transitions may be packed, as `STEM.states.bz2`; where a file is there both ways, that which is not packed
    /// counts.
    ///
    /// # Errors
    /// A folder or a `.def` file that cannot be read or has no mass and widths, no file of transitions.
    pub fn open(name: &str, stem: &Path) -> Result<Self, SpectraError> {
        let ending = |ending: &str| {
            let mut path = stem.as_os_str().to_owned();
            path.push(ending);
            PathBuf::from(path)
        };
        let def = ending(".def");
        let mut numbers = [None; 3];
        let words = [
            "Isotopologue mass (Da)",
            "Default value of Lorentzian half-width",
            "Default value of temperature exponent",
        ];
        read_lines(&def, |number, text| {
            let Some((value, comment)) = text.split_once('#') else { return Ok(()) };
            for (found, what) in numbers.iter_mut().zip(words) {
                if comment.trim().starts_with(what) {
                    let value = value.split_ascii_whitespace().next().unwrap_or_default();
                    *found = Some(number_of(value, what, &def, number)?);
                }
            }
            Ok(())
        })?;
        let number = |which: usize| {
            numbers[which]
                .ok_or_else(|| SpectraError::file(&def, format!("no line has a number and '# {}'", words[which])))
        };
        let folder = stem.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = stem.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_transitions = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let middle = name.strip_prefix(file.as_str());
            let middle = middle.and_then(|rest| unpacked_name(rest).strip_suffix(".trans"));
            middle.is_some_and(|middle| middle.is_empty() || middle.starts_with("__"))
        };
        let entries = std::fs::read_dir(folder).map_err(|error| SpectraError::file(folder, error))?;
        let mut transitions: Vec<PathBuf> =
            entries.flatten().map(|entry| folder.join(entry.file_name())).filter(is_transitions).collect();
        // A file and what it was unpacked from are neighbours then, the file first.
        transitions.sort();
        transitions.dedup_by(|other, kept| unpacked(other) == unpacked(kept));
        if transitions.is_empty() {
            let what = format!("there is no {file}.trans, and no {file}__*.trans, packed or not");
            return Err(SpectraError::file(folder, what));
        }
        Ok(Self {
            name: name.to_owned(),
            states: packed_or_not(ending(".states")),
            transitions,
            partition: packed_or_not(ending(".pf")),
            broadening: None,
            mass_u: number(0)?,
            abundance: 1.0,
            default_width: (number(1)?, number(2)?),
            range_per_cm: (0.0, f64::INFINITY),
            weakest: 0.0,
        })
    }

    /// The files that are read, and that with the mass.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let Self { states, partition, transitions, broadening, .. } = self;
        let is_packed = states.extension().is_some_and(|ending| ending == "bz2" || ending == "gz");
        let def = if is_packed { states.with_extension("") } else { states.clone() }.with_extension("def");
        [states, partition, &def].into_iter().chain(transitions).chain(broadening).cloned().collect()
    }

    /// Can a file of transitions have lines of the range? ExoMol ends its names with `__LOW-HIGH` \[cm^-1\].
    fn may_have(&self, transitions: &Path) -> bool {
        let stem = unpacked(transitions);
        let stem = stem.strip_suffix(".trans").unwrap_or(&stem);
        let range = stem.rsplit_once("__").and_then(|(_, range)| range.split_once('-'));
        let number = |text: &str| text.parse::<u32>().ok().map(f64::from);
        let Some((Some(low), Some(high))) = range.map(|(low, high)| (number(low), number(high))) else { return true };
        // Positions near a limit may be rounded to its other side.
        low - 1.0 <= self.range_per_cm.1 && high + 1.0 >= self.range_per_cm.0
    }
}

/// The name of a file, without the ending that says how it is packed.
fn unpacked(path: &Path) -> String {
    unpacked_name(&path.file_name().unwrap_or_default().to_string_lossy()).to_owned()
}

/// Reads a list, whose lines need no order, and what was odd in it.
///
/// # Errors
/// A file that cannot be read, and the first line with something that is no state, transition or width; one with a
/// value that no transition has, if more than 1 % of the records are such: with its number.
pub fn read_exomol(list: &ExoMol) -> Result<(Gas, Oddities), SpectraError> {
    let partition = PartitionSum::read(&list.partition)?;
    let mut lines = Vec::new();
    let odd = for_each_exomol(list, &mut |line| lines.push((line, 0)))?;
    let isotopologue = Isotopologue { name: list.name.clone(), mass_u: list.mass_u, partition };
    Ok((Gas::new(&list.name, lines, vec![isotopologue])?, odd))
}

/// Calls `each` with every line of a list, in the order of its files. The states are in memory, the lines are not.
/// Returns what was odd.
///
/// # Errors
/// As [`read_exomol`].
pub fn for_each_exomol(list: &ExoMol, each: &mut dyn FnMut(Line<f64>)) -> Result<Oddities, SpectraError> {
    let reference_sum = PartitionSum::read(&list.partition)?.at(REFERENCE_K)?;
    let (states, of_states) = read_states(&list.states)?;
    let mut odd = Oddities::default();
    let broadening = list.broadening.as_deref().map(Broadening::read).transpose()?.unwrap_or_default();
    let bar_per_atmosphere = ATMOSPHERE_HPA / 1000.0;
    let c2 = Constants::CODATA_2018.second_radiation_cm_k;
    let light_cm_per_s = 100.0 * Constants::CODATA_2018.light_m_per_s;
    for path in list.transitions.iter().filter(|path| list.may_have(path)) {
        read_lines(path, |number, text| {
            if text.trim().is_empty() {
                return Ok(());
            }
            let mut words = text.split_ascii_whitespace();
            let mut word = |what: &str| {
                words.next().ok_or_else(|| SpectraError::record(path, number, format!("{what} is missing")))
            };
            let mut state = |what: &str| {
                let word = word(what)?;
                let Ok(number) = word.parse::<u64>() else {
                    let why = format!("{what} is '{word}'; accepted is a number");
                    return Err(SpectraError::record(path, number, why));
                };
                let why = || format!("{what} '{word}' is not in {}, or odd itself", list.states.display());
                Ok(states.get(&number).copied().ok_or_else(why))
            };
            let (upper, lower) = (state("the upper state")?, state("the lower state")?);
            let einstein = number_of(word("Einstein's A")?, "Einstein's A [1/s]", path, number)?;
            odd.read_one();
            let (upper, lower) = match (upper, lower) {
                (Ok(upper), Ok(lower)) => (upper, lower),
                (Err(why), _) | (_, Err(why)) => {
                    odd.note(Odd::NoState, path, number, || why);
                    return odd.check(false);
                }
            };
            let position = upper.energy_per_cm - lower.energy_per_cm;
            let kind = match position {
                _ if einstein < 0.0 => Some(Odd::BadIntensity),
                0.0 => Some(Odd::NoTransitionEnergy),
                _ if position < 0.0 => Some(Odd::Inverted),
                _ => None,
            };
            if let Some(kind) = kind {
                odd.note(kind, path, number, || match kind {
                    Odd::BadIntensity => format!("Einstein's A is {einstein:e} 1/s; accepted is 0 or more"),
                    _ => format!("the upper state is {} cm^-1 below the lower one", -position),
                });
                return odd.check(false);
            }
            if !(list.range_per_cm.0..=list.range_per_cm.1).contains(&position) {
                return Ok(());
            }
            let population = Real::exp(-c2 * lower.energy_per_cm / REFERENCE_K);
            let emission = -Real::exp_m1(-c2 * position / REFERENCE_K);
            let strength = upper.degeneracy * einstein
                / (8.0 * core::f64::consts::PI * light_cm_per_s * position * position)
                / reference_sum;
            let intensity = list.abundance * strength * population * emission;
            if intensity < list.weakest {
                return Ok(());
            }
            let (width, exponent) = broadening.at(lower.j, upper.j).unwrap_or(list.default_width);
            let width = width * bar_per_atmosphere;
            let line = Line {
                wavenumber_per_cm: position,
                intensity,
                air_width_per_cm_atm: width,
                self_width_per_cm_atm: width,
                lower_energy_per_cm: lower.energy_per_cm,
                air_exponent: exponent,
                self_exponent: exponent,
                ..Line::default()
            };
            each(line);
            Ok(())
        })?;
    }
    odd.check(true)?;
    odd.add(of_states);
    Ok(odd)
}

fn read_states(path: &Path) -> Result<(HashMap<u64, State>, Oddities), SpectraError> {
    let mut states = HashMap::new();
    let mut odd = Oddities::default();
    read_lines(path, |number, text| {
        if text.trim().is_empty() {
            return Ok(());
        }
        let words: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        let [id, energy, degeneracy, j] = words[..] else {
            let why = format!("the record has {} columns; number, energy, degeneracy and J are needed", words.len());
            return Err(SpectraError::record(path, number, why));
        };
        let Ok(id) = id.parse::<u64>() else {
            return Err(SpectraError::record(path, number, format!("the state's number is '{id}'")));
        };
        let state = State {
            energy_per_cm: number_of(energy, "the energy [cm^-1]", path, number)?,
            degeneracy: number_of(degeneracy, "the degeneracy", path, number)?,
            j: number_of(j, "J", path, number)?,
        };
        odd.read_one();
        let State { energy_per_cm, degeneracy, .. } = state;
        if energy_per_cm < -ROUNDING_PER_CM || degeneracy <= 0.0 {
            odd.note(Odd::BadState, path, number, || {
                let accepted = "0 or more, and more than 0";
                format!("energy {energy_per_cm} cm^-1 and degeneracy {degeneracy}; accepted is {accepted}")
            });
            return odd.check(false);
        }
        if energy_per_cm < 0.0 {
            odd.note(Odd::RoundedEnergy, path, number, String::new);
        }
        if states.insert(id, state).is_some() {
            return Err(SpectraError::record(path, number, format!("state {id} is there twice")));
        }
        Ok(())
    })?;
    odd.check(true)?;
    Ok((states, odd))
}
