//! Lines of MECCA's files: tags of reactions, which are wanted, and names of aerosol phases.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::wanted::{Wanted, labels};

/// The tag of the reaction that begins in a line.
pub(super) fn tag(line: &str) -> Option<&str> {
    let (tag, _) = line.trim_start().strip_prefix('<')?.split_once('>')?;
    tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(tag)
}

/// The text of an aerosol phase, whose number stands for `##`.
pub(super) fn phase(text: &str, number: usize) -> String {
    text.replace("##", &format!("{number:02}"))
}

/// A line without comments.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line.split("//").next().unwrap_or("");
    while let Some((before, comment)) = rest.split_once('{') {
        plain += before;
        rest = comment.split_once('}').map_or("", |(_, after)| after);
    }
    plain + rest
}

/// A term without its factor.
fn name(term: &str) -> &str {
    term.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim()
}

/// The elements that species are made of, as labels: not H, O and charges, and C from two atoms on.
pub(super) struct Elements(HashMap<String, BTreeSet<String>>);

impl Elements {
    /// Reads species, `NAME = 2C + H;`, one or several a line.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        const WITHOUT: [&str; 5] = ["H", "O", "Pls", "Min", "IGNORE"];
        let mut all = HashMap::new();
        let lines: Vec<String> = texts.flat_map(str::lines).map(plain).collect();
        for one in lines.iter().flat_map(|line| line.split(';')) {
            let Some((species, made_of)) = one.split_once('=') else { continue };
            let counts = |term: &&str| !(name(term) == "C" && ["C", "1C"].contains(&term.replace(' ', "").as_str()));
            let atoms = made_of.split('+').filter(counts).map(name).filter(|atom| !WITHOUT.contains(atom));
            all.insert(species.trim().to_owned(), atoms.map(str::to_owned).collect());
        }
        Self(all)
    }

    /// Is there a species of this name?
    pub(super) fn has(&self, species: &str) -> bool {
        self.0.contains_key(species)
    }

    /// The labels of a reaction.
    fn labels(&self, line: &str) -> BTreeSet<&str> {
        let line = plain(line);
        let sides = line.split_once('>').map_or(line.as_str(), |(_, sides)| sides);
        let Some((sides, _)) = sides.split_once(':').filter(|(sides, _)| sides.contains('=')) else {
            return BTreeSet::new();
        };
        let species = sides.split(['=', '+', '-']).filter_map(|term| self.0.get(name(term)));
        species.flatten().map(String::as_str).collect()
    }
}

/// A text without the reactions that are not wanted, whose lines are blank; lines without labels stay. Newer versions
/// of MECCA add labels for elements.
pub(super) fn wanted_lines(text: &str, wanted: &Wanted, elements: Option<&Elements>) -> String {
    let keep = |line: &&str| {
        labels(line).is_none_or(|labels| {
            let more = elements.map(|elements| elements.labels(line)).unwrap_or_default();
            let all: HashSet<&str> = labels.into_iter().chain(more).collect();
            wanted.fits(&all)
        })
    };
    text.split_inclusive('\n').map(|line| if keep(&line) { line } else { "\n" }).collect()
}

#[cfg(test)]
mod tests {
    use super::Elements;

    #[test]
    fn a_line_may_have_several_species() {
        let elements = Elements::of("{x} O2 = 2O ; N2=2N; A = C + Br; B = Cl".lines());
        assert!(["O2", "N2", "A", "B"].iter().all(|species| elements.has(species)));
        let labels: Vec<&str> = elements.labels("<G1> A + N2 = B : {%TrG} 1.0;").into_iter().collect();
        assert_eq!(labels, ["Br", "Cl", "N"]);
    }

    #[test]
    fn elements_are_labels() {
        let species = "A = C + 2H + O; {@A}\nB_a01 = 2C + Br ; // more\nD = 1C + N + Pls;\nE = IGNORE;";
        let elements = Elements::of(species.lines());
        let labels = |line: &str| elements.labels(line).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(labels("<G1>  A {+ B_a01} + hv = 0.5E : {%TrG} D;"), "");
        assert_eq!(labels("<G2>2 A + D = .5 B_a01 - D : {%TrG} 1.0;"), "Br C N");
        assert_eq!(labels("k = A + D"), "");
    }
}
