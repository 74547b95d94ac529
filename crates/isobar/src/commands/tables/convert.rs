//! `isobar tables convert`: the same tables in another format.

use std::path::{Path, PathBuf};

use clap::Args;
use isobar::jurassic::table_warning;
use isobar_io::table::{DumpSizes, Endian, write_tables_dump};
use isobar_io::{AtomicFile, Control, FilesInUse, TableFile, read_shape, read_table_file};

use super::format::{Format, warn_of_rounding, write_table};
use super::whole::Whole;
use crate::program::failure::Failure;
use crate::program::options::key_values;
use crate::program::progress::patiently;
use crate::program::remarks::warn;

/// A format of all tables of a control file.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum WholeFormat {
    /// Text: TBLFMT = 1, with a filter a channel
    Tab,
    /// Binary of JURASSIC until 2025: TBLFMT = 2, with a filter a channel
    Bin,
    /// Binary of JURASSIC of 2026, filters inside: TBLFMT = 2
    Packed,
    /// NetCDF, a file a gas, filters inside: TBLFMT = 3
    Nc,
    /// JURASSIC-GPU's dump: bin.jurassic-fp32-tables-... in the folder --base
    Gpu,
}

impl WholeFormat {
    /// One of those with files of gases or channels.
    fn plain(self) -> Option<Format> {
        match self {
            Self::Tab => Some(Format::Tab),
            Self::Bin => Some(Format::Bin),
            Self::Packed => Some(Format::Packed),
            Self::Nc => Some(Format::Nc),
            Self::Gpu => None,
        }
    }
}

/// The sizes of JURASSIC-GPU as it is published.
const GPU_SIZES: &str = "27,40,30,304,32";

fn gpu_sizes_help() -> String {
    let sizes = "The sizes NG,TBLNP,TBLNT,TBLNU,ND with which JURASSIC-GPU was compiled, for --format gpu";
    format!("{sizes} [default: {GPU_SIZES}]")
}

/// The options of `isobar tables convert`.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// Control file that names gases, channels, TBLBASE and TBLFMT: all its tables are written
    #[arg(long, value_name = "FILE", requires_all = ["base", "format"])]
    ctl: Option<PathBuf>,
    /// With --ctl: how the names of the new tables and filters begin
    #[arg(long, requires = "ctl")]
    base: Option<PathBuf>,
    /// The new format; without --ctl that of the extension of the new name
    #[arg(long, value_enum)]
    format: Option<WholeFormat>,
    /// With --ctl: the tables are those of this dump of JURASSIC-GPU's; filters are those of TBLBASE
    #[arg(long, value_name = "FILE", requires = "ctl")]
    from_gpu: Option<PathBuf>,
    #[arg(long, value_name = "SIZES", help = gpu_sizes_help())]
    gpu_sizes: Option<String>,
    /// The filter of the channel, for a format that has it inside, where the old one has none
    #[arg(long, value_name = "FILE", conflicts_with = "ctl")]
    filter: Option<PathBuf>,
    /// Write a .bin with the most significant byte first
    #[arg(long)]
    big_endian: bool,
    /// The old and the new table (.tab, or .bin of either kind and in either byte order); with --ctl: keys that win
    /// over the control file
    #[arg(value_name = "FILE FILE | KEY=VALUE", required_unless_present = "ctl")]
    items: Vec<String>,
}

/// One table, or all of a control file.
pub(super) fn run(options: &Convert) -> Result<(), Failure> {
    if options.gpu_sizes.is_some() && options.format != Some(WholeFormat::Gpu) && options.from_gpu.is_none() {
        return Err(Failure::usage("--gpu-sizes has no effect without --format gpu or --from-gpu"));
    }
    if options.ctl.is_some() { convert_all(options) } else { convert(options) }
}

fn convert(options: &Convert) -> Result<(), Failure> {
    let [input, output] = &options.items[..] else {
        return Err(Failure::usage("name the table to read and the table to write, or a control file with --ctl"));
    };
    let (input, output) = (Path::new(input), Path::new(output));
    let extension = output.extension().and_then(|extension| extension.to_str());
    if options.format == Some(WholeFormat::Gpu) {
        let problem = "JURASSIC-GPU's dump has the tables of all gases and channels: name a control file with --ctl";
        return Err(Failure::usage(format!("{}: {problem}", output.display())));
    }
    let format = match (extension, options.format.and_then(WholeFormat::plain)) {
        (Some("bin"), Some(Format::Packed)) => Format::Packed,
        (Some("bin"), None | Some(Format::Bin)) => Format::Bin,
        (Some("tab"), None | Some(Format::Tab)) => Format::Tab,
        (_, Some(Format::Nc)) | (Some("nc"), None) => {
            let problem = "a NetCDF file has the tables of all channels of a gas: name a control file with --ctl";
            return Err(Failure::usage(format!("{}: {problem}", output.display())));
        }
        _ => {
            let problem = "the name must end in .tab or .bin";
            return Err(Failure::usage(format!("{}: {problem}", output.display())));
        }
    };
    if options.big_endian && format == Format::Tab {
        return Err(Failure::usage(format!("{}: --big-endian is for .bin", output.display())));
    }
    if options.filter.is_some() && format != Format::Packed {
        return Err(Failure::usage("--filter is for --format packed, which has it inside"));
    }
    let mut files = FilesInUse::default();
    files.reads("the table", input)?;
    if let Some(filter) = &options.filter {
        files.reads("the filter", filter)?;
    }
    files.writes("the output", output)?;
    let given = options.filter.as_deref().map(read_shape).transpose()?;
    let TableFile { table, report, filter } =
        patiently(false, "reading the table", || read_table_file(input, format == Format::Packed))?;
    if let Some(warning) = table_warning(input, &report) {
        warn(warning);
    }
    let endian = if options.big_endian { Endian::Big } else { Endian::Little };
    let filter = match (format, given.or(filter)) {
        (Format::Packed, None) => {
            let problem = "has no filter inside, which the new format has: name it with --filter";
            return Err(Failure::usage(format!("{}: {problem}", input.display())));
        }
        (_, filter) => filter.unwrap_or_default(),
    };
    warn_of_rounding([&table].into_iter(), format);
    write_table(output, format, &table, &filter, endian)
}

fn convert_all(options: &Convert) -> Result<(), Failure> {
    let (Some(ctl), Some(base), Some(format)) = (&options.ctl, &options.base, options.format) else {
        return Err(Failure::usage("--ctl needs --base and --format"));
    };
    if options.big_endian && !matches!(format, WholeFormat::Bin | WholeFormat::Packed) {
        return Err(Failure::usage("--big-endian is for --format bin and packed"));
    }
    let mut files = FilesInUse::default();
    files.reads("the control file", ctl)?;
    options.from_gpu.iter().try_for_each(|dump| files.reads("JURASSIC-GPU's tables", dump))?;
    let (control, complaints) = Control::read(ctl, &key_values(&options.items)?)?;
    complaints.iter().for_each(warn);
    let endian = if options.big_endian { Endian::Big } else { Endian::Little };
    let dump = options.from_gpu.as_deref();
    match format.plain() {
        Some(format) => Whole::read(control, (base, format), dump, files)?.write(base, format, endian),
        None => {
            let sizes = gpu_sizes(options.gpu_sizes.as_deref().unwrap_or(GPU_SIZES))?;
            let path = base.join(sizes.file_name());
            files.writes("the output", &path)?;
            // Nothing is written but the dump: values as they are.
            let Whole { control, filters, set } = Whole::read_without_outputs(control, Format::Bin, dump, &mut files)?;
            AtomicFile::write_with(&path, |out| write_tables_dump(out, &control, &set.tables, &filters, sizes))?;
            Ok(())
        }
    }
}

fn gpu_sizes(text: &str) -> Result<DumpSizes, Failure> {
    let sizes: Option<Vec<usize>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    match sizes.as_deref() {
        Some(&[gases, pressures, temperatures, columns, channels]) => {
            Ok(DumpSizes { gases, pressures, temperatures, columns, channels })
        }
        _ => Err(Failure::usage(format!("--gpu-sizes {text:?}: expected five numbers, NG,TBLNP,TBLNT,TBLNU,ND"))),
    }
}
