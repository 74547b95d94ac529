//! Matrix files: a row an element, with what its row and its column stand for.

use std::io::{self, Write};

use crate::number::Number;

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
}
