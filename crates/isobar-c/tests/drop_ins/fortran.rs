//! A program in Fortran, and the numbers that it reads and writes.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::programs::{compiler, shared_library, succeeded};

/// A compiled program in a folder of its own.
pub(crate) struct Program {
    folder: TempDir,
}

/// The kind of a host in single precision.
const SINGLE: &str = "module ccpp_kind_types
  use, intrinsic :: iso_fortran_env, only: real32
  implicit none
  integer, parameter :: kind_phys = real32
end module ccpp_kind_types
";

impl Program {
    /// A driver of a scheme of the CCPP, behind its modules; none where no compiler is installed.
    pub(crate) fn of_ccpp(single: bool, modules: &[&str], driver: Source<'_>) -> Option<Self> {
        let kind = if single { Source::Text(SINGLE) } else { Source::File("fortran/ccpp/ccpp_kind_types.f90") };
        let modules = ["fortran/ccpp/isobar_ccpp.f90"].iter().chain(modules).map(|path| Source::File(path));
        let sources: Vec<_> = [kind].into_iter().chain(modules).chain([driver]).collect();
        Self::new(&sources)
    }

    /// The program of these sources, behind the module `isobar`; none where no compiler is installed.
    pub(crate) fn new(sources: &[Source<'_>]) -> Option<Self> {
        let mut compile = compiler("FC", "gfortran")?;
        let folder = tempfile::tempdir().unwrap();
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        // All warnings are errors but those that the interfaces of the originals cannot avoid.
        compile.args(["-std=f2018", "-Wall", "-Wextra", "-Werror", "-fcheck=all", "-fimplicit-none", "-fopenmp"]);
        compile.args(["-Wno-unused-dummy-argument", "-Wno-compare-reals", "-Wno-integer-division", "-O1"]);
        // As models are built: an invalid operation, a division by zero or an overflow ends the program.
        compile.arg("-ffpe-trap=invalid,zero,overflow");
        // It takes the hidden parts of allocatables for unset.
        compile.args(["-Wno-uninitialized", "-Wno-maybe-uninitialized"]);
        compile.current_dir(folder.path()).arg(crate_folder.join("fortran/isobar.f90"));
        for (number, source) in sources.iter().enumerate() {
            let path = match source {
                Source::File(path) => crate_folder.join(path),
                Source::Text(text) => {
                    let path = folder.path().join(format!("source_{number}.f90"));
                    fs::write(&path, text).unwrap();
                    path
                }
            };
            compile.arg(path);
        }
        compile.arg("-o").arg("program").arg(shared_library(folder.path()));
        succeeded(&mut compile);
        Some(Self { folder })
    }

    /// Runs it, and shows what it says if it fails.
    pub(crate) fn succeeds(&self) {
        let mut command = Command::new(self.folder.path().join("program"));
        succeeded(command.env("LD_LIBRARY_PATH", self.folder.path()));
    }

    /// Gives it bytes to read, and takes the numbers that it writes; with what it says where it fails.
    pub(crate) fn run(&self, input: &[u8], environment: &[(&str, &str)]) -> Result<Vec<f64>, String> {
        self.run_with(input, &[], environment)
    }

    /// Runs the program with further arguments.
    pub(crate) fn run_with(
        &self,
        input: &[u8],
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Result<Vec<f64>, String> {
        fs::write(self.folder.path().join("in"), input).unwrap();
        let mut command = Command::new(self.folder.path().join("program"));
        command.current_dir(self.folder.path()).args(["in", "out"]).args(arguments).envs(environment.iter().copied());
        let output = command.env("LD_LIBRARY_PATH", self.folder.path()).output().unwrap();
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let bytes = fs::read(self.folder.path().join("out")).unwrap();
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
        Ok(bytes.chunks_exact(8).map(number).collect())
    }
}

/// A source.
pub(crate) enum Source<'a> {
    /// A file of the crate.
    File(&'a str),
    /// A text.
    Text(&'a str),
}

/// What a program is to read.
#[derive(Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Bytes {
    pub(crate) fn integers(&mut self, values: &[i32]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    pub(crate) fn numbers(&mut self, values: &[f64]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }
}
