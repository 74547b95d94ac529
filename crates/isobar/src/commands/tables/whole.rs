//! All tables of a control file, with their filters.

use std::path::{Path, PathBuf};

use isobar_ega::Interpolation;
use isobar_io::table::{Endian, read_tables_dump};
use isobar_io::{Control, FilesInUse, Shape, TableSet, read_filters, read_tables};

use super::format::{Format, outputs_of, warn_of_rounding, write_filters, write_gas};
use crate::inputs::case::warn_of_tables;
use crate::program::failure::Failure;
use crate::program::progress::patiently;

/// All tables of a control file, with their filters.
pub(super) struct Whole {
    pub(super) control: Control,
    pub(super) filters: Vec<Shape>,
    pub(super) set: TableSet,
}

impl Whole {
    /// Reads them for a format, from a dump of JURASSIC-GPU's if there is one; none of the files may be one of those
    /// that are written.
    pub(super) fn read(
        control: Control,
        (base, format): (&Path, Format),
        dump: Option<&Path>,
        mut files: FilesInUse,
    ) -> Result<Self, Failure> {
        control.require_channels()?;
        outputs(&control, base, format).iter().try_for_each(|path| files.writes("the output", path))?;
        Self::read_without_outputs(control, format, dump, &mut files)
    }

    pub(super) fn read_without_outputs(
        mut control: Control,
        format: Format,
        dump: Option<&Path>,
        files: &mut FilesInUse,
    ) -> Result<Self, Failure> {
        control.require_channels()?;
        control.files().iter().try_for_each(|(what, path)| files.reads(what, path))?;
        let filters = read_filters(&control)?;
        let interpolation = control.interpolation;
        if matches!(format, Format::Packed | Format::Nc) {
            // So that logarithms are taken of what stands in texts.
            control.interpolation = Interpolation::Logarithmic;
        }
        let set = patiently(false, "reading the tables", || match dump {
            Some(dump) => read_tables_dump(dump, &control),
            None => read_tables(&control),
        })?;
        warn_of_tables(&control, &set, false);
        control.interpolation = interpolation;
        Ok(Self { control, filters, set })
    }

    /// Writes them; a gas without any table has no file.
    pub(super) fn write(&self, base: &Path, format: Format, endian: Endian) -> Result<(), Failure> {
        let Self { control, filters, set } = self;
        let nu = &control.wavenumbers_per_cm;
        warn_of_rounding(set.tables.iter().flatten(), format);
        for (gas, tables) in control.emitters.iter().zip(set.tables.chunks(nu.len())) {
            let there = nu
                .iter()
                .zip(tables)
                .zip(filters)
                .filter_map(|((&nu, table), filter)| Some((nu, table.as_ref()?, filter)));
            write_gas(base, gas, &there.collect::<Vec<_>>(), format, endian)?;
        }
        let of_channels: Vec<_> = nu.iter().copied().zip(filters).collect();
        write_filters(base, &of_channels, format)?;
        Ok(())
    }
}

/// The files that are written at most.
fn outputs(control: &Control, base: &Path, format: Format) -> Vec<PathBuf> {
    outputs_of(&control.emitters, &control.wavenumbers_per_cm, base, format)
}
