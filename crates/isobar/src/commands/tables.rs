//! `isobar tables`: what emissivity tables hold, the same tables in another format, and with fewer nodes.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use isobar::jurassic::table_warning;
use isobar_core::Real;
use isobar_ega::launch::Infrared;
use isobar_ega::{Curve, EmissivityTable, ForwardSetup, Interpolation, TableData, planck};
use isobar_io::table::{
    DumpSizes, Endian, Thinning, read_tables_dump, write_packed_binary, write_table_ascii, write_table_binary,
    write_tables_dump, write_tables_netcdf,
};
use isobar_io::{
    AtomicFile, Control, FilesInUse, Shape, TableFile, TableFormat, TableReport, TableSet, filter_path,
    read_atmosphere, read_filters, read_observation, read_setup, read_shape, read_table, read_table_file, read_tables,
    table_path, write_shape,
};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, Ray};
use serde_json::json;

use super::Failure;
use super::progress::patiently;
use crate::case::{CaseFiles, key_values, warn, warn_of_tables};

/// What to do with tables.
#[derive(Subcommand, Debug)]
pub(crate) enum Tables {
    /// Axes, ranges and dropped rows of tables: those of a control file, or files
    Info(Info),
    /// Write tables in another format: one, or all of a control file
    Convert(Convert),
    /// Write the tables of a control file with fewer nodes, and say what that does to radiances
    Thin(Thin),
}

/// The options of `isobar tables info`.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Control file that names gases, channels and TBLBASE
    #[arg(long, value_name = "FILE")]
    ctl: Option<PathBuf>,
    /// Tables; with --ctl: keys that win over the control file
    #[arg(value_name = "FILE | KEY=VALUE", required_unless_present = "ctl")]
    items: Vec<String>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// A format of tables.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Text: TBLFMT = 1, with a filter a channel
    Tab,
    /// Binary of JURASSIC until 2025: TBLFMT = 2, with a filter a channel
    Bin,
    /// Binary of JURASSIC of 2026, filters inside: TBLFMT = 2
    Packed,
    /// NetCDF, a file a gas, filters inside: TBLFMT = 3
    Nc,
}

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
    /// The sizes NG,TBLNP,TBLNT,TBLNU,ND with which JURASSIC-GPU was compiled, for --format gpu
    #[arg(long, value_name = "SIZES", default_value = "27,40,30,304,32")]
    gpu_sizes: String,
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

/// The options of `isobar tables thin`.
#[derive(Args, Debug)]
pub(crate) struct Thin {
    #[command(flatten)]
    case: CaseFiles,
    /// How the names of the new tables and filters begin
    #[arg(long)]
    base: PathBuf,
    /// The new format
    #[arg(long, value_enum, default_value = "nc")]
    format: Format,
    /// How far an emissivity may be off, relative
    #[arg(long, default_value_t = 0.01)]
    rtol: f64,
    /// How far an emissivity may be off, absolute, in addition
    #[arg(long, default_value_t = 1e-9)]
    atol: f64,
    /// Print what became of tables and radiances as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(tables: &Tables) -> Result<(), Failure> {
    match tables {
        Tables::Info(options) => info(options),
        Tables::Convert(options) if options.ctl.is_some() => convert_all(options),
        Tables::Convert(options) => convert(options),
        Tables::Thin(options) => thin(options),
    }
}

/// One line a table.
fn info(options: &Info) -> Result<(), Failure> {
    let files = match &options.ctl {
        Some(ctl) => files_of(ctl, &options.items)?,
        None => options.items.iter().map(PathBuf::from).collect(),
    };
    if options.json {
        return info_as_json(options, &files);
    }
    print_line!(
        "{:>9} {:>12} {:>6} {:>8}  {:21} {:15} {:19} {:19} {:15} {:>7}  file",
        "pressures",
        "temperatures",
        "curves",
        "nodes",
        "p [hPa]",
        "T [K]",
        "u [cm^-2]",
        "emissivity",
        "u grid",
        "dropped"
    );
    for file in &files {
        match patiently(false, "reading the table", || read_table(file)) {
            Ok((table, report)) => {
                print_line!("{}  {}", line(&table, &report), file.display());
                // Rows have a column of their own.
                let bends = TableReport { dropped: 0, overwritten: 0, ..report };
                table_warning(file, &bends).into_iter().for_each(warn);
            }
            // A gas without a table in a channel is transparent there.
            Err(error) if error.is_not_found() && options.ctl.is_some() => print_line!("missing  {}", file.display()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The same for programs: one object a table.
fn info_as_json(options: &Info, files: &[PathBuf]) -> Result<(), Failure> {
    let mut tables = Vec::new();
    for file in files {
        let name = file.to_string_lossy();
        let (table, report) = match read_table(file) {
            Err(error) if error.is_not_found() && options.ctl.is_some() => {
                tables.push(json!({ "file": name, "missing": true }));
                continue;
            }
            read => read?,
        };
        let curves: Vec<&Curve> = table.pressures.iter().flat_map(|level| &level.curves).collect();
        let columns = extent(curves.iter().flat_map(|curve| &curve.column_per_cm2).map(|&u| f64::from(u)));
        let emissivities = extent(curves.iter().flat_map(|curve| &curve.emissivity).map(|&e| f64::from(e)));
        tables.push(json!({
            "file": name,
            "pressures": table.pressures.len(),
            "curves": curves.len(),
            "nodes": curves.iter().map(|curve| curve.emissivity.len()).sum::<usize>(),
            "pressure_hpa": extent(table.pressures.iter().map(|level| level.pressure_hpa)),
            "temperature_k": extent(curves.iter().map(|curve| curve.temperature_k)),
            "column_per_cm2": columns,
            "emissivity": emissivities,
            "ln_column_step": log_step(&curves),
            "dropped": report.dropped + report.overwritten,
        }));
    }
    crate::print::summary(json!({ "tables": tables }));
    Ok(())
}

/// The tables of a control file, gas by gas.
fn files_of(ctl: &Path, overrides: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let (control, complaints) = Control::read(ctl, &key_values(overrides)?)?;
    complaints.iter().for_each(warn);
    control.require_channels()?;
    let base = control.require_table_base()?;
    let of_gas = |gas: &String| {
        let file = |&nu: &f64| table_path(base, nu, gas, control.table_format);
        control.wavenumbers_per_cm.iter().map(file).collect::<Vec<_>>()
    };
    Ok(control.emitters.iter().flat_map(of_gas).collect())
}

fn line(table: &EmissivityTable, report: &TableReport) -> String {
    let curves: Vec<&Curve> = table.pressures.iter().flat_map(|level| &level.curves).collect();
    let temperatures = extent(table.pressures.iter().map(|level| level.curves.len() as f64));
    let columns = extent(curves.iter().flat_map(|curve| &curve.column_per_cm2).map(|&u| f64::from(u)));
    let emissivities = extent(curves.iter().flat_map(|curve| &curve.emissivity).map(|&e| f64::from(e)));
    let pressures = extent(table.pressures.iter().map(|level| level.pressure_hpa));
    let kelvins = extent(curves.iter().map(|curve| curve.temperature_k));
    format!(
        "{:>9} {:>12} {:>6} {:>8}  {:21} {:15} {:19} {:19} {:15} {:>7}",
        table.pressures.len(),
        if temperatures.0 == temperatures.1 {
            temperatures.0.to_string()
        } else {
            format!("{} to {}", temperatures.0, temperatures.1)
        },
        curves.len(),
        curves.iter().map(|curve| curve.emissivity.len()).sum::<usize>(),
        format!("{:.3e} to {:.3e}", pressures.0, pressures.1),
        format!("{:.1} to {:.1}", kelvins.0, kelvins.1),
        format!("{:.2e} to {:.2e}", columns.0, columns.1),
        format!("{:.2e} to {:.4}", emissivities.0, emissivities.1),
        log_step(&curves).map_or("not logarithmic".into(), |step| format!("log, x {:.4}", Real::exp(step))),
        report.dropped + report.overwritten
    )
}

/// Lowest and highest value.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// The step of ln u, if it is the same everywhere within a hundredth.
fn log_step(curves: &[&Curve]) -> Option<f64> {
    let ratios = curves.iter().flat_map(|curve| curve.column_per_cm2.windows(2));
    let (low, high) = extent(ratios.map(|pair| Real::ln(f64::from(pair[1]) / f64::from(pair[0]))));
    (low > 0.0 && high - low < 0.01 * high).then_some(0.5 * (low + high))
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
    write_table(output, format, &table, &filter, endian)
}

fn write_table(
    path: &Path,
    format: Format,
    table: &EmissivityTable,
    filter: &Shape,
    endian: Endian,
) -> Result<(), Failure> {
    AtomicFile::write_with(path, |out| match format {
        Format::Bin => write_table_binary(out, table, endian),
        Format::Packed => write_packed_binary(out, table, filter, endian),
        Format::Tab | Format::Nc => write_table_ascii(out, table),
    })?;
    Ok(())
}

/// All tables of a control file, with their filters.
struct Whole {
    control: Control,
    filters: Vec<Shape>,
    set: TableSet,
}

impl Whole {
    /// Reads them for a format, from a dump of JURASSIC-GPU's if there is one; none of the files may be one of those
    /// that are written.
    fn read(
        control: Control,
        (base, format): (&Path, Format),
        dump: Option<&Path>,
        mut files: FilesInUse,
    ) -> Result<Self, Failure> {
        control.require_channels()?;
        outputs(&control, base, format).iter().try_for_each(|path| files.writes("the output", path))?;
        Self::read_without_outputs(control, format, dump, &mut files)
    }

    fn read_without_outputs(
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
    fn write(&self, base: &Path, format: Format, endian: Endian) -> Result<(), Failure> {
        let Self { control, filters, set } = self;
        let nu = &control.wavenumbers_per_cm;
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

/// Writes the tables of a gas with the wavenumbers \[cm^-1\] and filters of their channels; of none, nothing.
pub(super) fn write_gas(
    base: &Path,
    gas: &str,
    tables: &[(f64, &EmissivityTable, &Shape)],
    format: Format,
    endian: Endian,
) -> Result<(), Failure> {
    if format == Format::Nc {
        if !tables.is_empty() {
            write_tables_netcdf(&table_path(base, 0.0, gas, TableFormat::Netcdf), gas, tables)?;
        }
        return Ok(());
    }
    let kind = if format == Format::Tab { TableFormat::Ascii } else { TableFormat::Binary };
    for &(nu, table, filter) in tables {
        write_table(&table_path(base, nu, gas, kind), format, table, filter, endian)?;
    }
    Ok(())
}

/// Writes the filters of channels, where a format does not have them inside.
pub(super) fn write_filters(base: &Path, filters: &[(f64, &Shape)], format: Format) -> Result<(), Failure> {
    if matches!(format, Format::Tab | Format::Bin) {
        for &(nu, filter) in filters {
            AtomicFile::write_with(&filter_path(base, nu), |out| write_shape(out, filter))?;
        }
    }
    Ok(())
}

/// The files that are written at most.
fn outputs(control: &Control, base: &Path, format: Format) -> Vec<PathBuf> {
    outputs_of(&control.emitters, &control.wavenumbers_per_cm, base, format)
}

/// The same of gases and channels.
pub(super) fn outputs_of(gases: &[String], nu: &[f64], base: &Path, format: Format) -> Vec<PathBuf> {
    let kind = match format {
        Format::Tab => TableFormat::Ascii,
        Format::Bin | Format::Packed => TableFormat::Binary,
        Format::Nc => {
            let file = |gas: &String| table_path(base, 0.0, gas, TableFormat::Netcdf);
            return gases.iter().map(file).collect();
        }
    };
    let of_gas = |gas: &String| nu.iter().map(|&nu| table_path(base, nu, gas, kind)).collect::<Vec<_>>();
    let mut files: Vec<PathBuf> = gases.iter().flat_map(of_gas).collect();
    if format != Format::Packed {
        files.extend(nu.iter().map(|&nu| filter_path(base, nu)));
    }
    files
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
            let sizes = gpu_sizes(&options.gpu_sizes)?;
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

fn thin(options: &Thin) -> Result<(), Failure> {
    let thinning = Thinning { relative: options.rtol, absolute: options.atol };
    for (name, value) in [("--rtol", options.rtol), ("--atol", options.atol)] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(Failure::usage(format!("{name} {value} lies outside [0, inf)")));
        }
    }
    let control = options.case.control(FilesInUse::default())?;
    let atmosphere = read_atmosphere(&options.case.atm, &control)?;
    let rays = read_observation(&options.case.obs, &control)?.rays;
    let mut files = FilesInUse::default();
    files.reads("the atmosphere", &options.case.atm)?;
    files.reads("the observation", &options.case.obs)?;
    let mut whole = Whole::read(control, (&options.base, options.format), None, files)?;
    if whole.control.interpolation == Interpolation::Linear {
        warn("nodes are left out for an interpolation in logarithms (TBLINTERP=1); a linear one is farther off");
    }
    let before = radiances(&whole, &atmosphere, &rays)?;
    let channels = whole.control.wavenumbers_per_cm.len();
    let mut gases = Vec::new();
    for (gas, tables) in whole.control.emitters.iter().zip(whole.set.tables.chunks_mut(channels)) {
        let (mut old, mut new) = (0, 0);
        for table in tables.iter_mut().flatten() {
            old += nodes(table);
            *table = thinning.thin(table);
            new += nodes(table);
        }
        if !options.json {
            print_line!("{gas}: {new} of {old} nodes stay, {:.2} times fewer", old as f64 / new.max(1) as f64);
        }
        gases.push(json!({ "gas": gas, "nodes": new, "nodes_before": old }));
    }
    let after = radiances(&whole, &atmosphere, &rays)?;
    let changes: Vec<Change> = changes(&whole.control.wavenumbers_per_cm, &before, &after);
    if options.json {
        crate::print::summary(
            json!({ "gases": gases, "radiances": changes.iter().map(Change::json).collect::<Vec<_>>() }),
        );
    } else {
        print_line!("\nradiances of {} rays before and after:", rays.len());
        print_line!("{:>12} {:>24} {:>18} {:>8}", "cm^-1", "largest change [%]", "root mean square", "[K]");
        for Change { wavenumber_per_cm, largest_percent, root_mean_square_percent, warmest_k } in changes {
            print_line!(
                "{wavenumber_per_cm:>12.4} {largest_percent:>24.4} {root_mean_square_percent:>18.4} {warmest_k:>8.3}"
            );
        }
    }
    whole.write(&options.base, options.format, Endian::Little)
}

/// The nodes of all its curves.
pub(crate) fn nodes(table: &EmissivityTable) -> usize {
    table.pressures.iter().flat_map(|level| &level.curves).map(|curve| curve.emissivity.len()).sum()
}

/// Radiances with the tables as they are, by the control file's own interpolation.
fn radiances(whole: &Whole, atmosphere: &Atmosphere, rays: &[Ray]) -> Result<Vec<f64>, Failure> {
    let setup = ForwardSetup { brightness_temperature: false, ..read_setup(&whole.control)? };
    let channels = whole.control.wavenumbers_per_cm.len();
    let tables = TableData::packed(&whole.set.tables, channels, false, setup.interpolation)?;
    let found = Infrared::<f64>::new(&setup, tables)?.on(&[Device::Cpu]).run(atmosphere, rays)?;
    found.check()?;
    Ok(found.radiance)
}

/// What became of the radiances of a channel.
struct Change {
    wavenumber_per_cm: f64,
    /// The largest of a ray, relative.
    largest_percent: f64,
    /// The root of the mean of their squares.
    root_mean_square_percent: f64,
    /// The largest in brightness temperature.
    warmest_k: f64,
}

impl Change {
    fn json(&self) -> serde_json::Value {
        json!({
            "wavenumber_per_cm": self.wavenumber_per_cm,
            "largest_percent": self.largest_percent,
            "root_mean_square_percent": self.root_mean_square_percent,
            "largest_k": self.warmest_k,
        })
    }
}

fn changes(wavenumbers_per_cm: &[f64], before: &[f64], after: &[f64]) -> Vec<Change> {
    let of_channel = |(channel, &nu): (usize, &f64)| {
        let pairs = || before.iter().zip(after).skip(channel).step_by(wavenumbers_per_cm.len());
        let relative =
            |(&before, &after): (&f64, &f64)| if before == after { 0.0 } else { 100.0 * (after / before - 1.0) };
        let kelvin = |(&before, &after): (&f64, &f64)| {
            let change = planck::brightness_temperature(after, nu) - planck::brightness_temperature(before, nu);
            if before > 0.0 && after > 0.0 { change } else { 0.0 }
        };
        let (largest_percent, warmest_k) = pairs().fold((0.0_f64, 0.0_f64), |(a, b), pair| {
            let larger = |x: f64, y: f64| if y.abs() > x.abs() { y } else { x };
            (larger(a, relative(pair)), larger(b, kelvin(pair)))
        });
        let squares: f64 = pairs().map(|pair| relative(pair) * relative(pair)).sum();
        let root_mean_square_percent = (squares / pairs().count().max(1) as f64).sqrt();
        Change { wavenumber_per_cm: nu, largest_percent, root_mean_square_percent, warmest_k }
    };
    wavenumbers_per_cm.iter().enumerate().map(of_channel).collect()
}
