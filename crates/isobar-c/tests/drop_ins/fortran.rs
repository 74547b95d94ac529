//! A program in Fortran, and the numbers that it reads and writes.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use crate::programs::{compiler, shared_library, succeeded};

/// A compiled program in a folder of its own.
pub(crate) struct Program {
    folder: TempDir,
}

impl Program {
    /// A driver of a scheme of the CCPP, behind its modules; none where no compiler is installed.
    pub(crate) fn of_ccpp(single: bool, modules: &[&str], driver: Source<'_>) -> Option<Self> {
        let kind = if single { "tests/fortran/single.f90" } else { "fortran/ccpp/ccpp_kind_types.f90" };
        let modules =
            [kind, "fortran/ccpp/isobar_ccpp.f90"].into_iter().chain(modules.iter().copied()).map(Source::File);
        let sources: Vec<_> = modules.chain([driver]).collect();
        Self::new(&sources)
    }

    /// The program of these sources, behind the module `isobar`; none where no compiler is installed.
    pub(crate) fn new(sources: &[Source<'_>]) -> Option<Self> {
        let mut compile = gfortran()?;
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = tempfile::tempdir().unwrap();
        let path = |(number, source): (usize, &Source<'_>)| match source {
            Source::File(path) => crate_folder.join(path),
            Source::Text(text) => {
                let path = folder.path().join(format!("source_{number}.f90"));
                fs::write(&path, text).unwrap();
                path
            }
        };
        let mut paths: Vec<PathBuf> = sources.iter().enumerate().map(path).collect();
        // The first files are modules of many programs; the last source is the program.
        let is_file = |source: &Source<'_>| matches!(source, Source::File(_));
        let shared = sources[..sources.len() - 1].iter().take_while(|source| is_file(source)).count();
        let own = paths.split_off(shared);
        paths.insert(0, crate_folder.join("fortran/isobar.f90"));
        let modules = modules(&paths);
        compile.current_dir(folder.path()).arg("-I").arg(&modules).args(own).args(objects(&modules));
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
        let output = self.output(input, arguments, environment);
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let bytes = fs::read(self.folder.path().join("out")).unwrap();
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
        Ok(bytes.chunks_exact(8).map(number).collect())
    }

    /// What it says on the standard error, whether or not it fails.
    pub(crate) fn says(&self, input: &[u8], environment: &[(&str, &str)]) -> String {
        String::from_utf8_lossy(&self.output(input, &[], environment).stderr).into_owned()
    }

    fn output(&self, input: &[u8], arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        fs::write(self.folder.path().join("in"), input).unwrap();
        let mut command = Command::new(self.folder.path().join("program"));
        command.current_dir(self.folder.path()).args(["in", "out"]).args(arguments).envs(environment.iter().copied());
        command.env("LD_LIBRARY_PATH", self.folder.path()).output().unwrap()
    }
}

/// The compiler, as models are built; none where it is not installed.
fn gfortran() -> Option<Command> {
    let mut compile = compiler("FC", "gfortran")?;
    // All warnings are errors but those that the interfaces of the originals cannot avoid.
    compile.args(["-std=f2018", "-Wall", "-Wextra", "-Werror", "-fcheck=all", "-fimplicit-none", "-fopenmp"]);
    compile.args(["-Wno-unused-dummy-argument", "-Wno-compare-reals", "-Wno-integer-division", "-O1"]);
    // An invalid operation, a division by zero or an overflow ends the program.
    compile.arg("-ffpe-trap=invalid,zero,overflow");
    // It takes the hidden parts of allocatables for unset.
    compile.args(["-Wno-uninitialized", "-Wno-maybe-uninitialized"]);
    Some(compile)
}

/// The folder of what these files of the crate, each behind those before it, are compiled to: modules and objects. Kept
/// for as long as they are the same, for most programs share all but a driver.
fn modules(files: &[PathBuf]) -> PathBuf {
    let mut compile = gfortran().unwrap();
    let mut hasher = DefaultHasher::new();
    format!("{compile:?} {}", succeeded(gfortran().unwrap().arg("--version"))).hash(&mut hasher);
    for file in files {
        fs::read(file).unwrap().hash(&mut hasher);
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = target.join(format!("drop_ins_{:016x}", hasher.finish()));
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !folder.exists() {
        let begun = tempfile::tempdir_in(target).unwrap();
        succeeded(compile.current_dir(begun.path()).arg("-c").args(files));
        // Another process may have it there by now.
        if fs::rename(begun.path(), &folder).is_ok() {
            let _ = begun.keep();
        }
    }
    folder
}

/// The objects in a folder.
fn objects(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "o"))
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
