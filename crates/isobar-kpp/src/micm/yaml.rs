//! A file in YAML as a tree, with the places of its values.
//!
//! Anchors, aliases and tags of one's own are refused: a few lines of them could stand for a text without end.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use crate::error::Fault;
use crate::limits::MOST_NESTED_FORMULAS;
use crate::source::Span;

/// A value.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// A text; without quotes it may be a number, or true or false.
    Scalar(String, bool),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// What has begun and not ended.
struct Open {
    start: usize,
    list: Vec<Node>,
    /// The key whose value comes next.
    key: Option<String>,
    object: Option<Vec<(String, Node)>>,
}

/// Reads a text.
pub(super) fn read(text: &str, number: usize) -> Result<Node, Fault> {
    // Places are in characters.
    let ascii = text.is_ascii();
    let bytes: Vec<usize> = if ascii { vec![] } else { text.char_indices().map(|(place, _)| place).collect() };
    let byte = |marker: Marker| match ascii {
        true => marker.index().min(text.len()),
        false => bytes.get(marker.index()).copied().unwrap_or(text.len()),
    };
    let span = |start: usize, end: usize| Span { text: number, start, end: end.max(start + 1) };
    let mut open: Vec<Open> = vec![];
    let mut whole = None;
    for event in Parser::new_from_str(text) {
        let (event, place) = event.map_err(|error| {
            let at = byte(*error.marker());
            Fault::at(span(at, at + 1), format!("this is not YAML: {}", error.info()))
        })?;
        let (start, end) = (byte(place.start), byte(place.end));
        let refused = |what: &str| Fault::at(span(start, start + 1), format!("{what} are not read"));
        let node = match event {
            Event::Alias(_) => return Err(refused("aliases")),
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _)
                if anchor > 0 =>
            {
                return Err(refused("anchors"));
            }
            Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) => {
                return Err(refused("tags"));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() >= MOST_NESTED_FORMULAS {
                    let what = format!("this is nested more than {MOST_NESTED_FORMULAS} deep");
                    return Err(Fault::at(span(start, start + 1), what));
                }
                let object = matches!(event, Event::MappingStart(..)).then(Vec::new);
                open.push(Open { start, list: vec![], key: None, object });
                continue;
            }
            Event::Scalar(words, style, ..) => {
                if let Some(Open { key: key @ None, object: Some(known), .. }) = open.last_mut() {
                    if known.iter().any(|(key, _)| *key == *words) {
                        return Err(Fault::at(span(start, end), format!("`{words}` stands twice here")));
                    }
                    *key = Some(words.into_owned());
                    continue;
                }
                Node { kind: Kind::Scalar(words.into_owned(), style == ScalarStyle::Plain), span: span(start, end) }
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { start, list, object, .. }) = open.pop() else { continue };
                let kind = object.map_or(Kind::List(list), Kind::Object);
                Node { kind, span: span(start, end) }
            }
            Event::DocumentStart(_) if whole.is_some() => return Err(refused("several documents in one file")),
            _ => continue,
        };
        match open.last_mut() {
            None => whole = Some(node),
            Some(Open { object: None, list, .. }) => list.push(node),
            Some(Open { object: Some(object), key, .. }) => match key.take() {
                Some(key) => object.push((key, node)),
                None => return Err(Fault::at(node.span, "a key is a text").of_start()),
            },
        }
    }
    whole.ok_or_else(|| Fault::at(span(0, 1), "this file is empty"))
}
