//! What a run has finished, for one that goes on from there.

use std::fs;
use std::path::{Path, PathBuf};

use isobar_ega::{EmissivityTable, PressureLevel};
use isobar_io::AtomicFile;
use isobar_io::table::{Endian, read_table_binary, write_table_binary};

use crate::program::failure::Failure;

/// The level of a pressure for each channel of a group; none if the gas does not absorb in it.
pub(super) type Levels = Vec<Option<PressureLevel>>;

/// Levels that are finished, in a folder beside the tables, with all that they depend on: a file a group of channels
/// and pressure. It is a binary table, in which the channel's place in the group, from 1, stands for the pressure.
pub(super) struct Kept {
    pub(super) folder: PathBuf,
}

impl Kept {
    /// Beside tables whose names begin with `base`; all that their levels depend on is the `fingerprint`.
    pub(super) fn open(base: &Path, gas: &str, fingerprint: &str, resume: bool) -> Result<Self, Failure> {
        let mut name = base.as_os_str().to_owned();
        name.push(format!("_{gas}.unfinished"));
        let kept = Self { folder: name.into() };
        let file = kept.folder.join("options.txt");
        if resume {
            let before = isobar_core::text::read_to_string(&file)
                .map_err(|cause| Failure::new(format!("{}: nothing to go on with: {cause}", file.display())))?;
            if before != fingerprint {
                let problem = "these levels are of other files or options: run without --resume";
                return Err(Failure::new(format!("{}: {problem}", file.display())));
            }
            return Ok(kept);
        }
        kept.remove();
        fs::create_dir_all(&kept.folder)
            .map_err(|cause| Failure::new(format!("{}: cannot create: {cause}", kept.folder.display())))?;
        AtomicFile::write_with(&file, |out| std::io::Write::write_all(out, fingerprint.as_bytes()))?;
        Ok(kept)
    }

    fn path(&self, group: usize, pressure: usize) -> PathBuf {
        self.folder.join(format!("{group}_{pressure}.bin"))
    }

    pub(super) fn levels(
        &self,
        group: usize,
        pressure: usize,
        channels: usize,
        pressure_hpa: f64,
    ) -> Result<Option<Levels>, Failure> {
        let path = self.path(group, pressure);
        if !path.is_file() {
            return Ok(None);
        }
        let mut levels = vec![None; channels];
        for level in read_table_binary(&path)?.pressures {
            let place = level.pressure_hpa as usize;
            let Some(room) = place.checked_sub(1).and_then(|place| levels.get_mut(place)) else {
                return Err(Failure::new(format!("{}: there is no channel {place} in its group", path.display())));
            };
            *room = Some(PressureLevel { pressure_hpa, ..level });
        }
        Ok(Some(levels))
    }

    pub(super) fn keep(&self, group: usize, pressure: usize, levels: &Levels) -> Result<(), Failure> {
        let there = levels.iter().zip(1..).filter_map(|(level, place)| {
            level.clone().map(|level| PressureLevel { pressure_hpa: f64::from(place), ..level })
        });
        let table = EmissivityTable { pressures: there.collect() };
        if table.pressures.is_empty() {
            // Nothing absorbs; such a file would be none.
            return Ok(());
        }
        let path = self.path(group, pressure);
        Ok(AtomicFile::write_with(&path, |out| write_table_binary(out, &table, Endian::Little))?)
    }

    /// Removes the folder and what this command has put into it.
    pub(super) fn remove(&self) {
        let ours = |name: &str| name == "options.txt" || name.ends_with(".bin");
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(ours) {
                let _ = fs::remove_file(entry.path());
            }
        }
        // It stays where there is something else in it.
        let _ = fs::remove_dir(&self.folder);
    }
}
