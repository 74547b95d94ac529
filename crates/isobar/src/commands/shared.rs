//! Retrievals of profiles of shared NetCDF files (`SHARED_IO_PROFLIST`).

use std::path::Path;

use isobar_io::{
    Control, Error, FilesInUse, Label, MatrixView, Observation, Place, ProfileMeaning, RetrievalControl, SharedFiles,
    SharedMatrix, SharedOutput, Space, add_atmospheres_netcdf, add_matrices_netcdf, add_observations_netcdf,
    count_atmospheres_netcdf, count_observations_netcdf, read_each_atmosphere_netcdf, read_each_observation_netcdf,
    write_atmospheres_netcdf, write_matrices_netcdf, write_observations_netcdf,
};
use isobar_raytrace::Atmosphere;
use isobar_retrieval::files::with_matrix;
use isobar_retrieval::{Analysis, Estimate, Retrieval};

use super::ranks::Part;
use super::retrieval_subject::{Subject, subject};
use crate::program::failure::Failure;

/// More profiles than a file has.
const MOST_PROFILES: usize = 100_000_000;

/// The profiles to retrieve.
pub(super) struct SharedCases {
    files: SharedFiles,
    /// Their numbers in the files.
    profiles: Vec<usize>,
    /// What could be read of each.
    cases: Vec<Result<(Atmosphere, Observation), Error>>,
    /// Are results added to files that are there?
    add: bool,
}

impl SharedCases {
    /// Reads the list, and its profiles; those of a part of it.
    pub(super) fn read(
        control: &Control,
        retrieval: &RetrievalControl,
        part: Option<Part>,
        in_use: &mut FilesInUse,
    ) -> Result<Self, Failure> {
        let Some(files) = retrieval.shared.clone() else {
            let problem = "no retrieval is named: give --dir FOLDER, --dirlist FILE or SHARED_IO_PROFLIST=FILE";
            return Err(Failure::usage(problem));
        };
        let analysed = |output| {
            use SharedMatrix::{CovarianceBefore, Kernel};
            let plain = SharedOutput::Matrix;
            !matches!(output, SharedOutput::Atmosphere | SharedOutput::Observation)
                && output != plain(Kernel)
                && output != plain(CovarianceBefore)
        };
        if let (false, Some((_, path))) =
            (retrieval.analysis, files.outputs.iter().find(|&&(output, _)| analysed(output)))
        {
            return Err(Failure::usage(format!("{}: there is no analysis with ERR_ANA = 0", path.display())));
        }
        in_use.reads("the list of profiles", &files.profiles)?;
        in_use.reads("what was known before", &files.before)?;
        in_use.reads("the measurements", &files.measured)?;
        for (_, path) in &files.outputs {
            in_use.writes("a shared file of results", path)?;
            // Not found out after hours of work.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                return Err(Failure::usage(format!("{}: there is no folder {}", path.display(), folder.display())));
            }
        }
        let mut listed = list(&files.profiles)?;
        if let Some(part) = part {
            listed = listed.into_iter().enumerate().filter(|(i, _)| part.takes(*i)).map(|(_, one)| one).collect();
        }
        for (path, count) in [
            (&files.before, count_atmospheres_netcdf(&files.before)?),
            (&files.measured, count_observations_netcdf(&files.measured)?),
        ] {
            if let Some((profile, line)) = listed.iter().find(|(profile, _)| *profile >= count) {
                let (place, path) = (Place::Line(files.profiles.clone(), *line), path.display());
                let problem = format!("profile {profile}: {path} has {count} profiles, counted from 0");
                return Err(Error::Invalid { place, problem }.into());
            }
        }
        let profiles: Vec<usize> = listed.into_iter().map(|(profile, _)| profile).collect();
        let before = read_each_atmosphere_netcdf(&files.before, control, Some(&profiles))?;
        let measured = read_each_observation_netcdf(&files.measured, control, Some(&profiles))?;
        let cases = before.into_iter().zip(measured).map(|(before, measured)| Ok((before?, measured?))).collect();
        Ok(Self { files, profiles, cases, add: part.is_some() })
    }

    /// What is said of them is said of their measurements.
    pub(super) fn names(&self) -> Vec<String> {
        self.profiles.iter().map(|profile| of_profile(&self.files.measured, *profile)).collect()
    }

    /// An error with the file that it is about.
    fn placed(&self, profile: usize, job: &Retrieval<'_>, error: isobar_retrieval::Error) -> Failure {
        let name = match subject(job, &error) {
            Subject::Named => return error.into(),
            Subject::Key(place) => return Failure::from(error).in_file(place),
            Subject::Before(_) => of_profile(&self.files.before, profile),
            Subject::Measured(_) => of_profile(&self.files.measured, profile),
            Subject::Case => {
                format!("{} and {}", self.files.before.display(), of_profile(&self.files.measured, profile))
            }
        };
        Failure::from(error).in_file(name)
    }

    /// Retrieves all.
    pub(super) fn run(&self, job: &Retrieval<'_>, finished: &(dyn Fn() + Sync)) -> Vec<Result<Estimate, Failure>> {
        let cases: Vec<(Atmosphere, Observation)> = self.cases.iter().flatten().cloned().collect();
        let mut results = job.run_all(&cases, finished).into_iter();
        let result = |(case, &profile): (&Result<_, Error>, &usize)| match case {
            Ok(_) => {
                let result = results.next().expect("a result a case");
                result.map_err(|error| self.placed(profile, job, error))
            }
            Err(error) => {
                finished();
                Err(Failure::new(error.to_string()))
            }
        };
        self.cases.iter().zip(&self.profiles).map(result).collect()
    }

    /// Writes results to the profiles with the numbers of the inputs; one that failed stays empty.
    pub(super) fn write(&self, results: &[Result<Estimate, Failure>], control: &Control) -> Result<(), Failure> {
        let mut places: Vec<Option<&Estimate>> = vec![None; self.profiles.iter().max().map_or(0, |last| last + 1)];
        for (&profile, result) in self.profiles.iter().zip(results) {
            places[profile] = result.as_ref().ok();
        }
        if places.iter().all(Option::is_none) {
            return Ok(());
        }
        let (write_atmospheres, write_observations, write_matrices) = (
            if self.add { add_atmospheres_netcdf } else { write_atmospheres_netcdf },
            if self.add { add_observations_netcdf } else { write_observations_netcdf },
            if self.add { add_matrices_netcdf } else { write_matrices_netcdf },
        );
        for (output, path) in &self.files.outputs {
            let values: fn(&Analysis) -> &[f64] = match output {
                SharedOutput::Observation => {
                    let all: Vec<_> = places.iter().map(|place| place.map(|estimate| &estimate.observation)).collect();
                    write_observations(path, control, &all)?;
                    continue;
                }
                SharedOutput::Atmosphere => {
                    let all: Vec<_> = places.iter().map(|place| place.map(|estimate| &estimate.atmosphere)).collect();
                    write_atmospheres(path, control, &all, ProfileMeaning::Values)?;
                    continue;
                }
                SharedOutput::Matrix(which) => {
                    let held = |place: &Option<&Estimate>| with_matrix((*place)?, *which, Held::of);
                    let all: Vec<Option<Held>> = places.iter().map(held).collect();
                    let all: Vec<Option<MatrixView<'_>>> =
                        all.iter().map(|held| held.as_ref().map(Held::view)).collect();
                    if all.iter().any(Option::is_some) {
                        write_matrices(path, &all)?;
                    }
                    continue;
                }
                SharedOutput::TotalError => |analysis| analysis.total_error.as_slice(),
                SharedOutput::NoiseError => |analysis| analysis.noise_error.as_slice(),
                SharedOutput::ForwardError => |analysis| analysis.forward_error.as_slice(),
                SharedOutput::Contribution => |analysis| analysis.contribution.as_slice(),
                SharedOutput::Resolution => |analysis| analysis.resolution.as_slice(),
            };
            let alone = |place: &Option<&Estimate>| {
                let estimate = (*place)?;
                Some(estimate.state.alone(&estimate.atmosphere, values(estimate.analysis.as_ref()?)))
            };
            let all: Vec<Option<Atmosphere>> = places.iter().map(alone).collect();
            let all: Vec<Option<&Atmosphere>> = all.iter().map(Option::as_ref).collect();
            let meaning = match output {
                SharedOutput::Contribution => ProfileMeaning::Contribution,
                SharedOutput::Resolution => ProfileMeaning::Resolution,
                _ => ProfileMeaning::Values,
            };
            if all.iter().any(Option::is_some) {
                write_atmospheres(path, control, &all, meaning)?;
            }
        }
        Ok(())
    }
}

/// A matrix, until all are written.
struct Held {
    rows: (Space, Vec<Label>),
    columns: (Space, Vec<Label>),
    values: Vec<f64>,
    columns_first: bool,
}

impl Held {
    fn of(view: MatrixView<'_>) -> Self {
        let MatrixView { rows, columns, values, columns_first } = view;
        let own = |(space, labels): (Space, &[Label])| (space, labels.to_vec());
        Self { rows: own(rows), columns: own(columns), values: values.to_vec(), columns_first }
    }

    fn view(&self) -> MatrixView<'_> {
        let (rows, columns) = ((self.rows.0, &self.rows.1[..]), (self.columns.0, &self.columns.1[..]));
        MatrixView { rows, columns, values: &self.values, columns_first: self.columns_first }
    }
}

/// The numbers of a list, each once, and their lines.
fn list(path: &Path) -> Result<Vec<(usize, usize)>, Error> {
    let text = isobar_core::text::read_to_string(path);
    let text = text.map_err(|cause| Error::Io { path: path.to_owned(), action: "read", cause })?;
    let mut profiles = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (line, words) in text.lines().enumerate() {
        let place = Place::Line(path.to_owned(), line + 1);
        for word in words.split_ascii_whitespace() {
            match word.parse::<usize>() {
                Ok(profile) if profile < MOST_PROFILES && known.insert(profile) => profiles.push((profile, line + 1)),
                Ok(profile) if profile < MOST_PROFILES => {
                    return Err(Error::Invalid { place, problem: format!("profile {profile} comes twice") });
                }
                _ => {
                    return Err(Error::NotANumber { place, token: word.into(), name: "number of a profile".into() });
                }
            }
        }
    }
    if profiles.is_empty() {
        return Err(Error::Invalid { place: Place::File(path.to_owned()), problem: "the list is empty".into() });
    }
    Ok(profiles)
}

/// A profile of a file with many.
fn of_profile(path: &Path, profile: usize) -> String {
    format!("{}, profile {profile}", path.display())
}
