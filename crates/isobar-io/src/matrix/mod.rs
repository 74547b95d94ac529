//! Matrix files: a row an element, with what its row and its column stand for.

mod files;
#[cfg(feature = "netcdf")]
mod netcdf;
mod view;

use std::io::{self, Write};
use std::path::Path;

use crate::error::{Error, Place};
use crate::number::Number;
use crate::text::{read_bytes, rows, to_text};

pub use files::{matrix_format, read_matrix_binary};
#[cfg(feature = "netcdf")]
pub use netcdf::{add_matrices_netcdf, matrix_datasets, read_matrix_netcdf, write_matrices_netcdf};
pub use view::MatrixView;

/// What a row or a column of a matrix stands for.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Label {
    /// Name of a quantity, or the wavenumber of a channel.
    pub name: String,
    /// Time \[s since 2000-01-01T00:00Z\].
    pub time_s: f64,
    /// Height \[km\]: of a level, or of a view point.
    pub height_km: f64,
    /// Longitude \[deg\].
    pub longitude_deg: f64,
    /// Latitude \[deg\].
    pub latitude_deg: f64,
}

impl Label {
    /// That of a channel in a measurement.
    #[must_use]
    pub fn of_channel(wavenumber_per_cm: f64, ray: &isobar_raytrace::Ray) -> Self {
        let view = ray.view_point;
        Self {
            name: format!("{wavenumber_per_cm:.4}"),
            time_s: ray.time_s,
            height_km: view.height_km,
            longitude_deg: view.longitude_deg,
            latitude_deg: view.latitude_deg,
        }
    }
}

/// The space of rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Elements of the state.
    State,
    /// Channels of rays.
    Measurement,
}

impl Space {
    fn titles(self) -> [&'static str; 6] {
        match self {
            Self::State => [
                "index (state space)",
                "name of quantity",
                "time (seconds since 2000-01-01T00:00Z)",
                "altitude [km]",
                "longitude [deg]",
                "latitude [deg]",
            ],
            Self::Measurement => [
                "index (measurement space)",
                "channel wavenumber [cm^-1]",
                "time (seconds since 2000-01-01T00:00Z)",
                "view point altitude [km]",
                "view point longitude [deg]",
                "view point latitude [deg]",
            ],
        }
    }
}

/// Writes a matrix, `row * columns + column`. Rows follow each other, or with `columns_first` columns, as the reference
/// has it for gains.
///
/// # Errors
/// Those of `out`.
pub fn write_matrix(
    out: &mut impl Write,
    (row_space, rows): (Space, &[Label]),
    (column_space, columns): (Space, &[Label]),
    values: &[f64],
    columns_first: bool,
) -> io::Result<()> {
    if values.len() != rows.len() * columns.len() {
        let what = format!("{} values of {} rows and {} columns", values.len(), rows.len(), columns.len());
        return Err(crate::text::unwritable(what));
    }
    let titles = row_space.titles().map(|title| format!("Row: {title}")).into_iter();
    let titles = titles.chain(column_space.titles().map(|title| format!("Col: {title}")));
    for (i, title) in titles.chain(["Matrix element".into()]).enumerate() {
        writeln!(out, "# ${} = {title}", i + 1)?;
    }
    let words = |(i, label): (usize, &Label)| {
        let places = [label.time_s, label.height_km, label.longitude_deg, label.latitude_deg].map(Number);
        format!("{i} {} {} {} {} {}", label.name, places[0], places[1], places[2], places[3])
    };
    let row_words: Vec<String> = rows.iter().enumerate().map(words).collect();
    let column_words: Vec<String> = columns.iter().enumerate().map(words).collect();
    let (outer, inner) = if columns_first { (columns.len(), rows.len()) } else { (rows.len(), columns.len()) };
    for i in 0..outer {
        writeln!(out)?;
        for j in 0..inner {
            let (row, column) = if columns_first { (j, i) } else { (i, j) };
            let value = Number(values[row * columns.len() + column]);
            writeln!(out, "{} {} {value}", row_words[row], column_words[column])?;
        }
    }
    writeln!(out)
}

/// A matrix of a file.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Matrix {
    /// What the rows stand for.
    pub rows: Vec<Label>,
    /// What the columns stand for.
    pub columns: Vec<Label>,
    /// The elements, `row * columns + column`.
    pub values: Vec<f64>,
    /// Did columns follow each other in the file?
    pub columns_first: bool,
}

impl Matrix {
    /// What rows or columns stand for, by the name of the first: a number is a channel of a ray.
    #[must_use]
    pub fn space(labels: &[Label]) -> Space {
        match labels.first() {
            Some(label) if label.name.parse::<f64>().is_ok() => Space::Measurement,
            _ => Space::State,
        }
    }
}

/// Words of a row of a file: number and label of row and column, and the element.
const WORDS: usize = 13;

/// Reads a matrix, whose rows or columns follow each other. Every element has to be there, once.
///
/// # Errors
/// A file that cannot be read; a line that has not 13 words, or others than numbers; an element that is missing or
/// comes twice; a row or column that is labelled in two ways.
pub fn read_matrix(path: &Path) -> Result<Matrix, Error> {
    let bytes = read_bytes(path)?;
    let mut labels: [Vec<Option<Label>>; 2] = Default::default();
    let mut elements = Vec::new();
    for (line, row) in rows(&to_text(&bytes)) {
        let place = Place::line(path, line);
        let words: Vec<&str> = row.split_ascii_whitespace().collect();
        if words.len() != WORDS {
            return Err(Error::invalid(place, format!("{} words, an element of a matrix has {WORDS}", words.len())));
        }
        let number = |i: usize, name: &str| {
            let wrong = |_| Error::NotANumber { place: place.clone(), token: words[i].into(), name: name.into() };
            words[i].parse::<f64>().map_err(wrong)
        };
        let mut at = [0; 2];
        for (side, (labels, what)) in labels.iter_mut().zip(["row", "column"]).enumerate() {
            let first = 6 * side;
            let index = match words[first].parse::<usize>() {
                // A file has one line an element, and no more rows or columns than bytes.
                Ok(index) if index < bytes.len() => index,
                _ => {
                    let (token, name) = (words[first].into(), format!("index of a {what}"));
                    return Err(Error::NotANumber { place, token, name });
                }
            };
            let label = Label {
                name: words[first + 1].into(),
                time_s: number(first + 2, "time")?,
                height_km: number(first + 3, "altitude")?,
                longitude_deg: number(first + 4, "longitude")?,
                latitude_deg: number(first + 5, "latitude")?,
            };
            if labels.len() <= index {
                labels.resize(index + 1, None);
            }
            if labels[index].get_or_insert_with(|| label.clone()) != &label {
                return Err(Error::invalid(place, format!("{what} {index} has another label than before")));
            }
            at[side] = index;
        }
        elements.push((at, number(WORDS - 1, "matrix element")?, line));
    }
    let whole = |problem: String| Error::invalid(Place::File(path.to_owned()), problem);
    let columns_first = matches!(elements[..], [(first, ..), (second, ..), ..] if second[0] > first[0]);
    let [rows, columns] = labels;
    let (height, width) = (rows.len(), columns.len());
    if elements.is_empty() {
        return Err(whole("the file holds no element of a matrix".into()));
    }
    elements.sort_unstable_by_key(|&(at, _, line)| (at, line));
    if let Some(two) = elements.windows(2).find(|two| two[0].0 == two[1].0) {
        let ([row, column], _, line) = two[1];
        return Err(Error::invalid(Place::line(path, line), format!("row {row}, column {column} comes twice")));
    }
    let gap = elements.iter().enumerate().find(|(i, (at, ..))| *at != [i / width, i % width]).map(|(i, _)| i);
    if let Some(i) = gap.or((elements.len() < height * width).then_some(elements.len())) {
        return Err(whole(format!("row {}, column {} is missing", i / width, i % width)));
    }
    Ok(Matrix {
        rows: rows.into_iter().flatten().collect(),
        columns: columns.into_iter().flatten().collect(),
        values: elements.into_iter().map(|element| element.1).collect(),
        columns_first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_or_columns_come_first() {
        let label = |name: &str, height_km: f64| Label {
            name: name.into(),
            time_s: 0.0,
            height_km,
            longitude_deg: 0.0,
            latitude_deg: 26.5,
        };
        let (states, channels) = ([label("TEMPERATURE", 8.0), label("O3", 10.0)], [label("792.0000", 8.0)]);
        let write = |columns_first| {
            let mut out = Vec::new();
            let rows = (Space::State, &states[..]);
            write_matrix(&mut out, rows, (Space::Measurement, &channels), &[1.5, -2e-9], columns_first).unwrap();
            String::from_utf8(out).unwrap().lines().skip(12).map(str::to_owned).collect::<Vec<_>>()
        };
        let lines =
            ["0 TEMPERATURE 0 8 0 26.5 0 792.0000 0 8 0 26.5 1.5", "1 O3 0 10 0 26.5 0 792.0000 0 8 0 26.5 -2e-9"];
        assert_eq!(write(true), ["# $13 = Matrix element", "", lines[0], lines[1], ""]);
        assert_eq!(write(false), ["# $13 = Matrix element", "", lines[0], "", lines[1], ""]);
    }

    #[test]
    fn matrices_are_read_as_they_were_written() {
        let label = |name: &str, i: usize| Label {
            name: name.into(),
            time_s: 1.0 / 3.0,
            height_km: i as f64 / 7.0,
            longitude_deg: -10.0,
            latitude_deg: 26.5,
        };
        let rows: Vec<Label> = (0..3).map(|i| label("792.0000", i)).collect();
        let columns: Vec<Label> = (0..2).map(|i| label("TEMPERATURE", i)).collect();
        let values: Vec<f64> = (0..6).map(|i| 1.0 / (3.0 + f64::from(i))).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matrix.tab");
        let mut text = Vec::new();
        for columns_first in [false, true] {
            text.clear();
            let sides = ((Space::Measurement, &rows[..]), (Space::State, &columns[..]));
            write_matrix(&mut text, sides.0, sides.1, &values, columns_first).unwrap();
            std::fs::write(&path, &text).unwrap();
            let found = read_matrix(&path).unwrap();
            assert_eq!((&found.rows, &found.columns, &found.values), (&rows, &columns, &values));
            assert_eq!(found.columns_first, columns_first);
            let spaces = (Matrix::space(&found.rows), Matrix::space(&found.columns));
            assert_eq!(spaces, (Space::Measurement, Space::State));
        }
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let refused = |lines: &[&str]| {
            std::fs::write(&path, lines.join("\n")).unwrap();
            read_matrix(&path).unwrap_err().to_string()
        };
        assert!(refused(&lines[1..]).ends_with("matrix.tab: row 0, column 0 is missing"));
        assert!(refused(&lines[..5]).ends_with("row 2, column 1 is missing"));
        assert!(refused(&[lines[0], lines[1], lines[0]]).ends_with("matrix.tab:3: row 0, column 0 comes twice"));
        assert!(refused(&[&lines[0][..20]]).contains("matrix.tab:1: "));
        let other = lines[1].replace("26.5", "27");
        assert!(refused(&[lines[0], &other]).ends_with("matrix.tab:2: column 0 has another label than before"));
        assert!(refused(&["x 792 0 0 0 0 0 O3 0 0 0 0 1"]).contains("\"x\" is not a number (index of a row)"));
        assert!(refused(&[]).ends_with("the file holds no element of a matrix"));
    }
}
