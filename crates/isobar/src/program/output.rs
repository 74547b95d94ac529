//! What a command leaves behind: results and perhaps a plot, both or neither.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use isobar::plot::{self, Figure};
use isobar_io::netcdf::DatasetWriter;
use isobar_io::{AtomicFile, Error, FilesInUse};

use super::failure::Failure;
use super::progress::patiently;

/// A plot of the results.
#[derive(Args, Debug)]
pub(crate) struct PlotFile {
    /// Also draw the results, as SVG; `-` is standard output
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// A text with results, and a plot of them.
#[derive(Args, Debug)]
pub(crate) struct TextFiles {
    /// Results, a text; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) plot: PlotFile,
}

/// A NetCDF file with results, and a plot of them.
#[derive(Args, Debug)]
pub(crate) struct ResultFiles {
    /// Results, NetCDF
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) plot: PlotFile,
}

/// The files of a command that has an output and perhaps a plot: neither may be the other, nor what is read.
pub(crate) fn files_in_use(out: &Path, plot: Option<&Path>) -> Result<FilesInUse, Failure> {
    let mut files = FilesInUse::default();
    files.writes("the output", out)?;
    if let Some(plot) = plot {
        files.writes("the plot", plot)?;
    }
    Ok(files)
}

impl PlotFile {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.plot.as_deref()
    }

    /// Starts the file, if it is wanted: a folder that cannot be written is refused before the work.
    pub(crate) fn create(&self) -> Result<Option<Plot>, Failure> {
        self.path().map(Plot::create).transpose()
    }
}

impl ResultFiles {
    /// The files that are going to be written.
    pub(crate) fn in_use(&self) -> Result<FilesInUse, Failure> {
        files_in_use(&self.out, self.plot.path())
    }

    /// Starts the files.
    pub(crate) fn create(&self) -> Result<ResultOutput, Failure> {
        ResultOutput::create(&self.out, &self.plot)
    }
}

impl TextFiles {
    /// The files that are going to be written.
    pub(crate) fn in_use(&self, json: bool) -> Result<FilesInUse, Failure> {
        let to_standard_output = [Some(&*self.out), self.plot.path()].into_iter().flatten().filter(|path| *path == "-");
        if to_standard_output.count() + usize::from(json) > 1 {
            return Err(Failure::usage("standard output takes one thing only: of --out -, --plot - and --json"));
        }
        files_in_use(&self.out, self.plot.path())
    }

    /// Finds out before the work whether the files can be written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        Ok([Some(&*self.out), self.plot.path()].into_iter().flatten().try_for_each(AtomicFile::check)?)
    }

    /// Starts the files.
    pub(crate) fn create(&self) -> Result<TextOutput, Failure> {
        let plot = self.plot.create()?;
        Ok(TextOutput { path: self.out.clone(), table: AtomicFile::create(&self.out)?, plot })
    }
}

/// A plot while it is drawn. Dropped before [`Plot::commit`] it leaves nothing behind.
pub(crate) struct Plot {
    path: PathBuf,
    file: AtomicFile,
}

impl Plot {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        Ok(Self { path: path.to_owned(), file: AtomicFile::create(path)? })
    }

    /// Writes the figure.
    pub(crate) fn draw(&mut self, figure: &Figure) -> Result<(), Failure> {
        let written = self.file.write_all(figure.svg().as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|cause| failure(&self.path, cause))
    }

    /// Gives the file its name.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        Ok(self.file.commit()?)
    }
}

/// A NetCDF file of results and perhaps a plot, while they are written: dropped, they leave nothing behind.
pub(crate) struct ResultOutput {
    file: DatasetWriter,
    plot: Option<Plot>,
}

impl ResultOutput {
    /// Starts the files.
    pub(crate) fn create(out: &Path, plot: &PlotFile) -> Result<Self, Failure> {
        Ok(Self { file: DatasetWriter::create(out)?, plot: plot.create()? })
    }

    /// Draws the plot, if one is wanted, and has `write` complete the file: both get their names, or neither.
    pub(crate) fn write(
        self,
        quiet: bool,
        draw: impl FnOnce() -> Result<Figure, plot::Error>,
        write: impl FnOnce(DatasetWriter) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(mut plot) = self.plot else { return patiently(quiet, "writing", || write(self.file)) };
        plot.draw(&draw()?)?;
        patiently(quiet, "writing", || write(self.file))?;
        plot.commit()
    }
}

/// A text and perhaps a plot while they are written. Dropped before [`TextOutput::commit`] they leave nothing behind.
pub(crate) struct TextOutput {
    path: PathBuf,
    table: AtomicFile,
    plot: Option<Plot>,
}

impl TextOutput {
    /// Adds to the table.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut AtomicFile) -> io::Result<()>) -> Result<(), Failure> {
        write(&mut self.table).map_err(|cause| failure(&self.path, cause))
    }

    /// As [`TextOutput::commit`], with a file of another kind than a text in place of the table.
    pub(crate) fn replace(
        mut self,
        draw: impl FnOnce() -> Result<Figure, plot::Error>,
        write: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        self.draw(draw)?;
        write(&self.path)?;
        self.plot.map_or(Ok(()), Plot::commit)
    }

    /// Draws the plot, if one is wanted, completes both files and gives them their names.
    pub(crate) fn commit(mut self, draw: impl FnOnce() -> Result<Figure, plot::Error>) -> Result<(), Failure> {
        self.draw(draw)?;
        self.table.commit()?;
        self.plot.map_or(Ok(()), Plot::commit)
    }

    fn draw(&mut self, draw: impl FnOnce() -> Result<Figure, plot::Error>) -> Result<(), Failure> {
        self.plot.as_mut().map_or(Ok(()), |plot| plot.draw(&draw()?))
    }
}

fn failure(path: &Path, cause: io::Error) -> Failure {
    Error::Io { path: path.to_owned(), action: "write", cause }.into()
}

/// A path with something before the ending of its name, whose bytes stay.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(suffix);
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    use super::with_suffix;

    /// Names that differ in a byte that is no letter are the names of different files.
    #[test]
    fn a_suffix_leaves_the_bytes_of_a_name() {
        let named = |name: &'static [u8]| with_suffix(Path::new(OsStr::from_bytes(name)), ".restart");
        assert_eq!(named(b"a/\xfc.nc").as_os_str().as_bytes(), b"a/\xfc.restart.nc");
        assert_eq!(named(b"a.b/run").as_os_str().as_bytes(), b"a.b/run.restart");
        assert_eq!(named(b"run.x.nc").as_os_str().as_bytes(), b"run.x.restart.nc");
    }
}
