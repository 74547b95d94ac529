//! Which of a file's reactions are the mechanism's: by its labels, where the file has them.

use std::collections::{HashMap, HashSet};

/// At each of the mechanism's reactions the place of it in the file, whose texts are in this coordinate; none if they
/// are in the mechanism's order, or no labels of it.
///
/// # Errors
/// A label stands there twice, or not at all while others do.
pub(super) fn order(
    (coordinate, texts): (&str, &[String]),
    (variable, labels): (&str, &[Option<&str>]),
    derived: &mut Vec<String>,
) -> Result<Option<Vec<usize>>, String> {
    let Some(first) = labels.iter().copied().flatten().next() else { return Ok(None) };
    let known: HashSet<&str> = labels.iter().copied().flatten().collect();
    let mut place = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        let label = text.trim_matches(['<', '>']);
        if known.contains(label)
            && let Some(first) = place.insert(label, at)
        {
            return Err(format!("{coordinate}[{at}] is {label:?}, and so is {coordinate}[{first}]"));
        }
    }
    if place.is_empty() {
        derived.push(format!(
            "{coordinate} has none of the mechanism's labels, as {first:?}: {variable} is in the mechanism's order"
        ));
        return Ok(None);
    }
    // Reactions without a label have what is left, in their order.
    let mut rest = (0..texts.len()).filter(|&at| !place.contains_key(texts[at].trim_matches(['<', '>'])));
    let mut order = vec![];
    for label in labels {
        let at = match label {
            Some(label) => place.get(label).copied().ok_or_else(|| {
                let other =
                    rest.next().map_or_else(String::new, |at| format!("; {coordinate}[{at}] is {:?}", texts[at]));
                format!("{coordinate} has other labels of the mechanism, but not {label:?}{other}")
            })?,
            None => rest.next().ok_or_else(|| format!("{coordinate} has a label of the mechanism twice"))?,
        };
        order.push(at);
    }
    if order.iter().enumerate().all(|(place, &at)| place == at) {
        return Ok(None);
    }
    derived.push(format!("{variable} is taken by the labels of {coordinate}, whose order is not the mechanism's"));
    Ok(Some(order))
}

#[cfg(test)]
mod tests {
    use super::order;

    fn of(texts: &[&str], labels: &[Option<&str>]) -> (Result<Option<Vec<usize>>, String>, usize) {
        let (texts, mut derived): (Vec<String>, _) = (texts.iter().map(ToString::to_string).collect(), vec![]);
        let order = order(("reaction", &texts), ("rate_constant", labels), &mut derived);
        (order, derived.len())
    }

    #[test]
    fn labels_say_which_reaction_is_which() {
        let labels = [Some("R1"), None, Some("R2")];
        assert_eq!(of(&["R1", "", "R2"], &labels), (Ok(None), 0));
        assert_eq!(of(&["R2", "<R1>", "A = B"], &labels), (Ok(Some(vec![1, 2, 0])), 1));
        // Texts of something else, and a mechanism without labels, say nothing; the first is said.
        assert_eq!(of(&["A = B", "B = C", "C = A"], &labels), (Ok(None), 1));
        assert_eq!(of(&["R2", "R1"], &[None, None]), (Ok(None), 0));
    }

    #[test]
    fn labels_that_contradict_the_mechanism_are_refused() {
        let labels = [Some("R1"), Some("R2")];
        assert_eq!(of(&["R1", "R1"], &labels).0.unwrap_err(), r#"reaction[1] is "R1", and so is reaction[0]"#);
        assert_eq!(
            of(&["R1", "R3"], &labels).0.unwrap_err(),
            r#"reaction has other labels of the mechanism, but not "R2"; reaction[1] is "R3""#
        );
    }
}
