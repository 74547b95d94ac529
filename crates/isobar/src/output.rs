//! What a command leaves behind: a table and perhaps a plot, both or neither.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use isobar::plot::{self, Figure};
use isobar_io::{AtomicFile, Error, FilesInUse};

use crate::commands::Failure;

/// Where results go.
#[derive(Args, Debug)]
pub(crate) struct OutputFiles {
    /// Result, a text; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Also draw the result, as SVG; `-` is standard output
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// The files while they are written. Dropped before [`Output::commit`] they leave nothing behind.
pub(crate) struct Output<'a> {
    files: &'a OutputFiles,
    table: AtomicFile,
    plot: Option<AtomicFile>,
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

impl OutputFiles {
    /// The files that are going to be written.
    pub(crate) fn in_use(&self, json: bool) -> Result<FilesInUse, Failure> {
        let to_standard_output =
            [Some(&self.out), self.plot.as_ref()].into_iter().flatten().filter(|path| *path == "-");
        if to_standard_output.count() + usize::from(json) > 1 {
            return Err(Failure::usage("standard output takes one thing only: of --out -, --plot - and --json"));
        }
        files_in_use(&self.out, self.plot.as_deref())
    }

    /// Finds out before the work whether the files can be written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        Ok([Some(&self.out), self.plot.as_ref()].into_iter().flatten().try_for_each(|path| AtomicFile::check(path))?)
    }

    /// Starts the files.
    pub(crate) fn create(&self) -> Result<Output<'_>, Failure> {
        let plot = self.plot.as_deref().map(AtomicFile::create).transpose()?;
        Ok(Output { files: self, table: AtomicFile::create(&self.out)?, plot })
    }
}

impl Output<'_> {
    /// Adds to the table.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut AtomicFile) -> io::Result<()>) -> Result<(), Failure> {
        write(&mut self.table).map_err(|cause| failure(&self.files.out, cause))
    }

    /// As [`Output::commit`], with a file of another kind than a text in place of the table.
    pub(crate) fn replace(
        mut self,
        draw: impl FnOnce() -> Result<Figure, plot::Error>,
        write: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        self.draw(draw)?;
        write(&self.files.out)?;
        self.plot.map_or(Ok(()), AtomicFile::commit)?;
        Ok(())
    }

    /// Draws the plot, if one is wanted, completes both files and gives them their names.
    pub(crate) fn commit(mut self, draw: impl FnOnce() -> Result<Figure, plot::Error>) -> Result<(), Failure> {
        self.draw(draw)?;
        self.table.commit()?;
        self.plot.map_or(Ok(()), AtomicFile::commit)?;
        Ok(())
    }

    fn draw(&mut self, draw: impl FnOnce() -> Result<Figure, plot::Error>) -> Result<(), Failure> {
        if let (Some(file), Some(path)) = (&mut self.plot, &self.files.plot) {
            file.write_all(draw()?.svg().as_bytes())
                .and_then(|()| file.flush())
                .map_err(|cause| failure(path, cause))?;
        }
        Ok(())
    }
}

fn failure(path: &Path, cause: io::Error) -> Failure {
    Error::Io { path: path.to_owned(), action: "write", cause }.into()
}
