//! Installs the C library: header, shared and static library, files for pkg-config and CMake, Fortran's modules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the static library needs of the system.
const SYSTEM_LIBRARIES: &str = "-lm -lpthread -ldl -lgcc_s";

/// Where to, and how it is built.
pub(crate) struct Options {
    prefix: PathBuf,
    profile: String,
    cuda: bool,
    built: Option<PathBuf>,
}

impl Options {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        let (mut prefix, mut profile, mut cuda, mut built) = (None, "release".to_owned(), false, None);
        let mut arguments = arguments.iter();
        while let Some(&argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("c-install: {argument} wants a value"));
            match argument {
                "--prefix" => prefix = Some(PathBuf::from(value()?)),
                "--profile" => profile = (*value()?).to_owned(),
                "--cuda" => cuda = true,
                "--built" => built = Some(PathBuf::from(value()?)),
                other => return Err(format!("c-install: there is no option '{other}'")),
            }
        }
        let prefix = prefix.ok_or("c-install: --prefix FOLDER has to be given")?;
        Ok(Self { prefix, profile, cuda, built })
    }
}

pub(crate) fn run(options: &Options) -> Result<(), String> {
    let built = match &options.built {
        Some(built) => built.clone(),
        None => build(options)?,
    };
    let prefix = &options.prefix;
    let source = crate::root().join("crates/isobar-c");
    let prefix = std::path::absolute(prefix).map_err(|error| error.to_string())?;
    let library = prefix.join("lib");
    let version = env!("CARGO_PKG_VERSION");
    let major = env!("CARGO_PKG_VERSION_MAJOR");

    copy(&source.join("include/isobar.h"), &prefix.join("include/isobar.h"))?;
    copy(&built.join("libisobar_c.a"), &library.join("libisobar.a"))?;
    copy(&built.join("libisobar_c.so"), &library.join(format!("libisobar.so.{version}")))?;
    link(&format!("libisobar.so.{version}"), &library.join(format!("libisobar.so.{major}")))?;
    link(&format!("libisobar.so.{major}"), &library.join("libisobar.so"))?;
    write(&library.join("pkgconfig/isobar.pc"), &pkg_config(&prefix, version))?;
    write(&library.join("cmake/isobar/isobarConfig.cmake"), CMAKE)?;
    write(&library.join("cmake/isobar/isobarConfigVersion.cmake"), &cmake_version(version, major))?;
    copy(&source.join("LICENSE"), &prefix.join("share/isobar/LICENSE"))?;
    copy_folder(&source.join("fortran"), &prefix.join("share/isobar/fortran"))
}

/// Builds the libraries, and says where they are.
fn build(options: &Options) -> Result<PathBuf, String> {
    let profile = &options.profile;
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.current_dir(crate::root()).args(["build", "--quiet", "--package", "isobar-c", "--lib", "--profile", profile]);
    if options.cuda {
        build.args(["--features", "cuda"]);
    }
    let status = build.status().map_err(|error| format!("cargo does not start: {error}"))?;
    if !status.success() {
        return Err("isobar-c is not built".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    Ok(target.join(if profile == "dev" { "debug" } else { profile }))
}

/// Paths are those of the prefix, which pkg-config can change (`--define-prefix`).
fn pkg_config(prefix: &Path, version: &str) -> String {
    format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\
         fortran=${{prefix}}/share/isobar/fortran\n\n\
         Name: isobar\nDescription: Atmospheric schemes on CPUs and GPUs\nVersion: {version}\n\
         Cflags: -I${{includedir}}\nLibs: -L${{libdir}} -lisobar\nLibs.private: {SYSTEM_LIBRARIES}\n",
        prefix.display()
    )
}

const CMAKE: &str = "\
# Isobar for CMake: the targets isobar::isobar (shared) and isobar::static, and the folder of Fortran's modules.
get_filename_component(_isobar_prefix \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)
set(ISOBAR_FORTRAN_DIR \"${_isobar_prefix}/share/isobar/fortran\")
if(NOT TARGET isobar::isobar)
  add_library(isobar::isobar SHARED IMPORTED)
  set_target_properties(isobar::isobar PROPERTIES
    IMPORTED_LOCATION \"${_isobar_prefix}/lib/libisobar.so\"
    INTERFACE_INCLUDE_DIRECTORIES \"${_isobar_prefix}/include\")
  add_library(isobar::static STATIC IMPORTED)
  set_target_properties(isobar::static PROPERTIES
    IMPORTED_LOCATION \"${_isobar_prefix}/lib/libisobar.a\"
    INTERFACE_INCLUDE_DIRECTORIES \"${_isobar_prefix}/include\"
    INTERFACE_LINK_LIBRARIES \"m;pthread;dl;gcc_s\")
endif()
unset(_isobar_prefix)
";

fn cmake_version(version: &str, major: &str) -> String {
    format!(
        "set(PACKAGE_VERSION \"{version}\")\n\
         if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR NOT \
         PACKAGE_FIND_VERSION_MAJOR STREQUAL \"{major}\")\n  \
         set(PACKAGE_VERSION_COMPATIBLE FALSE)\nelse()\n  set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
           if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)\n    set(PACKAGE_VERSION_EXACT TRUE)\n  endif()\nendif()\n"
    )
}

fn failed(what: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{}: {error}", what.display())
}

fn folder_of(path: &Path) -> Result<(), String> {
    let folder = path.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).map_err(failed(folder))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    folder_of(to)?;
    // A library that a program is using stays as it is: the new one is another file.
    let _ = fs::remove_file(to);
    fs::copy(from, to).map(|_| ()).map_err(failed(from))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    folder_of(path)?;
    fs::write(path, text).map_err(failed(path))
}

#[cfg(unix)]
fn link(to: &str, path: &Path) -> Result<(), String> {
    let _ = fs::remove_file(path);
    std::os::unix::fs::symlink(to, path).map_err(failed(path))
}

#[cfg(not(unix))]
fn link(_to: &str, path: &Path) -> Result<(), String> {
    Err(format!("{}: installing is for Unix", path.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    for entry in fs::read_dir(from).map_err(failed(from))? {
        let entry = entry.map_err(failed(from))?.path();
        let to = to.join(entry.file_name().expect("an entry has a name"));
        if entry.is_dir() { copy_folder(&entry, &to)? } else { copy(&entry, &to)? }
    }
    Ok(())
}
