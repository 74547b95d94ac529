//! `cargo xtask ptx`: compiles the GPU entries and keeps the committed PTX true.
//!
//! The PTX is committed, so that a user needs neither nightly nor rust-src nor a CUDA toolkit. Each module lies inside
//! the crate whose kernels it has and which holds it as data, for `cargo package` packs nothing from outside a crate.

mod assemble;
mod build;
mod directives;
mod modules;
mod normalise;
mod numbers;
mod registers;

use std::fs;
use std::path::PathBuf;

/// What the command line asks for.
#[derive(Debug, Default)]
pub(crate) struct Options {
    check: bool,
    ptxas: Option<PathBuf>,
}

impl Options {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match *argument {
                "--check" => options.check = true,
                "--ptxas" => options.ptxas = Some(rest.next().ok_or("--ptxas wants the path of ptxas")?.into()),
                other => return Err(format!("'ptx' has no option '{other}'")),
            }
        }
        Ok(options)
    }
}

/// Builds the PTX; writes it, or compares it with the committed one.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let modules = modules::of_sources()?;
    let (assembly, compiler) = build::assembly(options.check)?;
    modules::none_left_out(&modules, &assembly)?;
    for module in &modules {
        let entries: Vec<&str> = module.entries.iter().map(String::as_str).collect();
        let kernels = normalise::normalise(&assembly, &entries)?;
        let ptx = format!("// Made by `cargo xtask ptx` with {compiler}; not to be edited.\n{kernels}");
        let folder = module.folder();
        let name = format!("{folder}/{}.ptx", module.name);
        let path = crate::root().join(&name);
        if options.check {
            let committed = fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
            compare(&name, &committed, &ptx)?;
            println!("{name} is what gpu-kernels compiles to");
        } else if fs::read_to_string(&path).is_ok_and(|committed| committed == ptx) {
            // Not touched, or Cargo would build its crate again.
            println!("{name} is as before");
        } else {
            fs::create_dir_all(crate::root().join(&folder)).map_err(|e| format!("{folder}: {e}"))?;
            fs::write(&path, &ptx).map_err(|e| format!("{name}: {e}"))?;
            println!("wrote {name}: {} entries, {} KiB", entries.len(), ptx.len() / 1024);
        }
        if let Some(ptxas) = &options.ptxas {
            assemble::report(ptxas, &ptx)?;
        }
    }
    Ok(())
}

/// Fails, with the first difference, where the committed PTX is stale.
fn compare(name: &str, committed: &str, built: &str) -> Result<(), String> {
    if committed == built {
        return Ok(());
    }
    let first = |text: &str, line: usize| {
        text.lines().nth(line).unwrap_or("(the end)").trim().chars().take(100).collect::<String>()
    };
    let line = committed.lines().zip(built.lines()).take_while(|(old, new)| old == new).count();
    Err(format!(
        "{name} is stale: run `cargo xtask ptx` and commit the result\n  first difference, line {}:\n  committed: \
         {}\n  built:     {}",
        line + 1,
        first(committed, line),
        first(built, line)
    ))
}

#[cfg(test)]
mod tests {
    use super::{Options, compare};

    #[test]
    fn a_stale_file_is_named_with_its_first_difference() {
        assert!(compare("a.ptx", "a\nb\n", "a\nb\n").is_ok());
        let message = compare("a.ptx", "a\nb\n", "a\nc\n").unwrap_err();
        assert!(message.contains("stale") && message.contains("line 2"), "{message}");
    }

    #[test]
    fn unknown_options_are_refused() {
        assert!(Options::parse(&["--check"]).unwrap().check);
        assert!(Options::parse(&["--chekc"]).unwrap_err().contains("--chekc"));
        assert!(Options::parse(&["--ptxas"]).is_err());
    }
}
