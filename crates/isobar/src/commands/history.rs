//! The command line, as a file's history.

/// The words of the command line. A name may be any bytes; in words, letters stand for those that are none.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    crate::program::words().iter().map(|word| word.to_string_lossy().into_owned())
}

/// The command line as a file's history: without the folder of the program, which says nothing about the result.
pub(crate) fn history() -> String {
    std::iter::once("isobar".to_owned()).chain(arguments().skip(1)).collect::<Vec<_>>().join(" ")
}

/// The same of a file that several processes write, without which of them this is.
pub(crate) fn history_of_all_ranks() -> String {
    let (mut words, mut all) = (vec!["isobar".to_owned()], arguments().skip(1));
    while let Some(word) = all.next() {
        let name = word.split('=').next().unwrap_or_default();
        if !["--rank", "--ranks"].contains(&name) {
            words.push(word);
        } else if name == word {
            all.next();
        }
    }
    words.join(" ")
}
