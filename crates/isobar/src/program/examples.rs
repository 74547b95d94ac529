//! Examples that a program's `--help` and man pages show: command lines, the words of a shell, with a backslash at the
//! end of a line that goes on.

use clap::Command;

/// The program with the examples of its subcommands.
pub fn with_examples(command: Command, examples: &[&'static str]) -> Command {
    let path = command.get_name().to_owned();
    add(command, &path, examples)
}

fn add(mut command: Command, path: &str, examples: &[&'static str]) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    for name in &names {
        command = command.mut_subcommand(name, |below| add(below, &format!("{path} {name}"), examples));
    }
    match example(path, examples) {
        Some(example) if names.is_empty() => command.after_help(format!("Example:\n  {example}")),
        _ => command,
    }
}

/// The example of the command with these words.
pub(crate) fn example(path: &str, examples: &[&'static str]) -> Option<&'static str> {
    examples.iter().copied().find(|example| example.strip_prefix(path).is_some_and(|rest| rest.starts_with(' ')))
}
