//! Every option of every command counts: `options/table.txt` says how, and the commands' own help says which there are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use crate::common::{data, isobar, printed};

const TABLE: &str = include_str!("options/table.txt");

/// Commands that are not in the table.
const LEFT_OUT: [&str; 3] = ["longwave", "shortwave", "radiation"];

/// A run of the table, and what its options do to it.
#[derive(Default)]
struct Block {
    run: Vec<String>,
    /// Runs before it, that make its inputs.
    before: Vec<Vec<String>>,
    options: Vec<Choice>,
}

struct Choice {
    name: String,
    /// Words of both runs.
    common: Vec<String>,
    words: Vec<String>,
    effect: Effect,
}

enum Effect {
    Changes,
    Refused(String),
    Says(String),
    Silences,
    Test { file: String, function: String },
}

fn table() -> Vec<Block> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut blocks: Vec<Block> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(run) = line.strip_prefix("= ") {
            blocks.push(Block { run: words(run), ..Block::default() });
            continue;
        }
        let block = blocks.last_mut().expect("a block begins with a run");
        if let Some(run) = line.strip_prefix("+ ") {
            block.before.push(words(run));
            continue;
        }
        let (name, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        let (all, effect) = rest.rsplit_once("-> ").unwrap_or_else(|| panic!("{line}"));
        let (common, all) = all.split_once('|').unwrap_or(("", all));
        let (kind, text) = effect.split_once(' ').unwrap_or((effect, ""));
        let effect = match kind {
            "changes" => Effect::Changes,
            "refused" => Effect::Refused(text.to_owned()),
            "says" => Effect::Says(text.to_owned()),
            "silences" => Effect::Silences,
            "test" => {
                let (file, function) = text.split_once(' ').unwrap_or_else(|| panic!("{line}"));
                Effect::Test { file: file.to_owned(), function: function.to_owned() }
            }
            _ => panic!("{line}"),
        };
        block.options.push(Choice { name: name.to_owned(), common: words(common), words: words(all), effect });
    }
    blocks
}

impl Block {
    /// The words that name its command.
    fn command(&self, commands: &BTreeMap<String, BTreeSet<String>>) -> String {
        let two = self.run[..2.min(self.run.len())].join(" ");
        if commands.contains_key(&two) { two } else { self.run[0].clone() }
    }
}

/// More words for a run: where an option with a value is there already, the new value takes its place.
fn with(run: &[String], more: &[String]) -> Vec<String> {
    let mut all = run.to_vec();
    let mut more = more.iter().peekable();
    while let Some(word) = more.next() {
        let place = all.iter().position(|there| word.starts_with('-') && (there == word || long(there) == word));
        match (place, more.peek()) {
            (Some(place), Some(value)) => {
                all[place + 1] = (*value).clone();
                more.next();
            }
            _ => all.push(word.clone()),
        }
    }
    all
}

fn long(word: &str) -> &str {
    if word == "-o" { "--out" } else { word }
}

/// What a run leaves: whether it succeeds, what it says and prints, and what it writes.
#[derive(PartialEq)]
struct Outcome {
    done: bool,
    said: String,
    printed: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// A run in a folder, which afterwards holds what it held before.
fn run(words: &[String], folder: &Path) -> Outcome {
    let before = files(folder);
    let output = Command::new(env!("CARGO_BIN_EXE_isobar")).args(words).current_dir(folder).output().unwrap();
    let mut written = files(folder);
    written.retain(|name, content| before.get(name) != Some(content));
    for name in written.keys() {
        match before.get(name) {
            Some(content) => fs::write(folder.join(name), content).unwrap(),
            None => fs::remove_file(folder.join(name)).unwrap(),
        }
    }
    let written = written.into_iter().map(|(name, content)| {
        let variables = if name.ends_with(".nc") { variables(&content) } else { content };
        (name, variables)
    });
    Outcome {
        done: output.status.success(),
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
        // How long it took is another number each time.
        printed: printed(&output).split(',').filter(|part| !part.contains("\"seconds\"")).collect(),
        files: written.collect(),
    }
}

/// The variables of a file, without its attributes: they name the command.
fn variables(content: &[u8]) -> Vec<u8> {
    let file = netcdf_reader::NcFile::from_bytes(content).unwrap();
    let mut all = Vec::new();
    for variable in file.variables().unwrap() {
        all.extend(format!("{} {:?}", variable.name(), variable.shape()).into_bytes());
        match file.read_variable_as_f64(variable.name()) {
            Ok(numbers) => all.extend(numbers.iter().flat_map(|number| number.to_bits().to_be_bytes())),
            Err(_) => all.extend(file.read_variable_as_strings(variable.name()).unwrap().concat().into_bytes()),
        }
    }
    all
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (name, kind) = (entry.file_name().into_string().unwrap(), entry.file_type().unwrap());
        if kind.is_dir() {
            all.extend(files(&entry.path()).into_iter().map(|(inner, content)| (format!("{name}/{inner}"), content)));
        } else if kind.is_file() {
            all.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    all
}

/// A folder with the repository's data and a short case of the column model.
fn folder(before: &[Vec<String>]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = data().canonicalize().unwrap();
    std::os::unix::fs::symlink(&data, folder.path().join("data")).unwrap();
    std::os::unix::fs::symlink(data.join("radiation"), folder.path().join("radiation")).unwrap();
    let case = fs::read_to_string(data.join("column/cloudy.toml")).unwrap();
    let case = case.replace("hours = 24.0", "hours = 0.5").replace("minutes = 30", "minutes = 10");
    fs::create_dir(folder.path().join("column")).unwrap();
    fs::write(folder.path().join("column/short.toml"), case).unwrap();
    fs::copy(data.join("column/ozone_nox.kpp"), folder.path().join("column/ozone_nox.kpp")).unwrap();
    for words in before {
        let output =
            Command::new(env!("CARGO_BIN_EXE_isobar")).args(words).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}: {}", words.join(" "), crate::common::said(&output));
    }
    folder
}

/// What does not hold of a block.
fn wrong(block: &Block) -> Vec<String> {
    let folder = folder(&block.before);
    let mut plain: BTreeMap<&[String], Outcome> = BTreeMap::new();
    let mut wrong = Vec::new();
    for choice in &block.options {
        if let Effect::Test { file, function } = &choice.effect {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/main").join(file);
            if !fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("fn {function}("))) {
                wrong.push(format!("{} --{}: there is no test {file} {function}", block.run[0], choice.name));
            }
            continue;
        }
        let common = with(&block.run, &choice.common);
        let without = plain.entry(&choice.common).or_insert_with(|| run(&common, folder.path()));
        let words = match choice.effect {
            Effect::Silences => common.iter().filter(|word| *word != "--quiet").cloned().collect(),
            _ => with(&common, &choice.words),
        };
        let other = run(&words, folder.path());
        let holds = without.done
            && match &choice.effect {
                Effect::Changes => other.done && (&without.printed, &without.files) != (&other.printed, &other.files),
                Effect::Refused(text) => !other.done && other.said.contains(text),
                Effect::Says(text) => other.done && other.said.contains(text) && !without.said.contains(text),
                Effect::Silences => {
                    without.said.lines().all(|line| line.starts_with("isobar: warning: "))
                        && without.printed.is_empty()
                        && (&without.said, &without.printed) != (&other.said, &other.printed)
                }
                Effect::Test { .. } => true,
            };
        if !holds {
            let (words, without) = (words.join(" "), &without.said);
            wrong.push(format!("--{} of {words}\n  {}  without it: {without}", choice.name, other.said));
        }
    }
    wrong
}

#[test]
fn every_option_counts() {
    let blocks = table();
    let next = Mutex::new(blocks.iter());
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, Into::into) {
            scope.spawn(|| {
                while let Some(block) = { next.lock().unwrap().next() } {
                    let wrong = wrong(block);
                    all.lock().unwrap().extend(wrong);
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Commands without commands of their own, and their options, as their help has them.
fn commands(words: &[&str], found: &mut BTreeMap<String, BTreeSet<String>>) {
    let help = printed(&isobar(&[words, &["--help"]].concat()));
    let after = help.split_once("\nCommands:\n").map_or("", |(_, after)| after);
    let inner: Vec<&str> = after
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help" && !LEFT_OUT.contains(name))
        .collect();
    for name in &inner {
        commands(&[words, &[name]].concat(), found);
    }
    // A command may have others of its own, as `chem`; a group of commands has no options.
    if !words.is_empty() {
        // `  -o, --out <FILE>` or `      --plot <FILE>`: not what a text says of other options.
        let options = help.lines().filter_map(|line| {
            let start = line.trim_start();
            let option = match start.strip_prefix('-')?.split_once(", --") {
                Some((short, long)) if short.len() == 1 => long,
                _ => start.strip_prefix("--")?,
            };
            Some(option.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-').next()?.to_owned())
        });
        let options: BTreeSet<String> = options.filter(|name| name != "help").collect();
        if inner.is_empty() || !options.is_empty() {
            found.insert(words.join(" "), options);
        }
    }
}

#[test]
fn the_table_has_every_option() {
    let mut found = BTreeMap::new();
    commands(&[], &mut found);
    assert!(found.len() > 25, "{found:?}");
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for block in table() {
        let command = block.command(&found);
        listed.entry(command).or_default().extend(block.options.into_iter().map(|choice| choice.name));
    }
    for (command, options) in &found {
        let listed = listed.remove(command).unwrap_or_default();
        let missing: Vec<_> = options.difference(&listed).collect();
        let gone: Vec<_> = listed.difference(options).collect();
        assert!(missing.is_empty() && gone.is_empty(), "isobar {command}: not listed {missing:?}, gone {gone:?}");
    }
}
