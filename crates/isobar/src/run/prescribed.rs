//! What a case prescribes by time and height, as tables whose values and places are in range.

use isobar_column::{Initial, Table};
use toml::Spanned;

use super::error::Error;
use super::hydrostatic::thickness_km;
use super::prescribed_keys::{Prescribed, Rows};
use super::reader::CaseFile;

/// On what something may depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Time,
    Height,
    Both,
}

/// Reads what is prescribed for a run of some columns.
pub(super) struct Reading<'a> {
    pub(super) file: &'a CaseFile,
    pub(super) initial: &'a Initial,
    /// How long the run is \[s\].
    pub(super) run_s: f64,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(file: &'a CaseFile, initial: &'a Initial, run_s: f64) -> Self {
        Self { file, initial, run_s, notes: Vec::new() }
    }

    /// The middles of the layers of each column with other heights than the one before, their thicknesses \[m\], and
    /// the difference of pressure across them \[Pa\].
    pub(super) fn columns(&self) -> impl Iterator<Item = Vec<[f64; 3]>> {
        let initial = self.initial;
        let layers = move |column: usize| -> Vec<[f64; 3]> {
            let mut bottom = 0.0;
            let layer = |layer: usize| {
                let i = layer * initial.columns + column;
                let p = &initial.interface_pressure_pa;
                let (temperature, vapour) = (initial.temperature_k[i], initial.vapour_kg_per_kg[i]);
                let thickness = 1e3 * thickness_km(temperature, vapour, p[i], p[i + initial.columns]);
                bottom += thickness;
                [bottom - 0.5 * thickness, thickness, p[i] - p[i + initial.columns]]
            };
            (0..initial.layers()).map(layer).collect()
        };
        let mut last = Vec::new();
        (0..initial.columns).filter_map(move |column| {
            let own = layers(column);
            (own != last).then(|| {
                last.clone_from(&own);
                own
            })
        })
    }

    /// A table whose values are in a range, for the whole run; its key is for what is said of it.
    pub(super) fn table(
        &mut self,
        key: &str,
        given: &Spanned<Prescribed>,
        by: By,
        range: (f64, f64),
    ) -> Result<Table, Error> {
        let table = table(self.file, given, by, range)?;
        let refuse = |problem: String| Err(self.file.refuse(given, problem));
        if matches!(given.get_ref(), Prescribed::Table { time_s: Some(_), .. }) {
            let (times, run) = (table.times_s(), self.run_s);
            let (first, last) = (times[0], times[times.len() - 1]);
            if first > 0.0 || last < run * (1.0 - 1e-12) {
                return refuse(format!("the times go from {first} to {last} s, and the run from 0 to {run} s"));
            }
        }
        if has_heights(given) {
            let ends = self.columns().map(|layers| (layers[0][0], layers[layers.len() - 1][0]));
            let ends = ends.fold((f64::MAX, 0.0_f64), |all, own| (all.0.min(own.0), all.1.max(own.1)));
            self.notes.extend(beyond(self.file, (key, given), &table, ends));
        }
        Ok(table)
    }
}

fn has_heights(given: &Spanned<Prescribed>) -> bool {
    matches!(given.get_ref(), Prescribed::Table { height_m: Some(_), .. })
}

/// What is said of a table by height that ends within the layers, of which the middles of the lowest and the highest
/// are given; nothing of one that does not.
pub(super) fn beyond(
    file: &CaseFile,
    (key, given): (&str, &Spanned<Prescribed>),
    table: &Table,
    (low, high): (f64, f64),
) -> Option<String> {
    let heights = table.heights_m();
    let (first, last) = (heights[0], heights[heights.len() - 1]);
    (has_heights(given) && (first > low || last < high)).then(|| {
        format!(
            "{}: {key} is given from {first} to {last} m, and constant beyond: layers have their middles from \
             {low:.1} to {high:.1} m",
            file.path.display()
        )
    })
}

/// A table whose values are in a range.
pub(super) fn table(
    file: &CaseFile,
    given: &Spanned<Prescribed>,
    by: By,
    (low, high): (f64, f64),
) -> Result<Table, Error> {
    let refuse = |problem: String| Err(file.refuse(given, problem));
    let table = match given.get_ref() {
        Prescribed::Constant(value) => Table::new(vec![0.0], vec![0.0], vec![*value]),
        Prescribed::Table { time_s, height_m, value } => {
            match (by, time_s, height_m) {
                (By::Time, _, Some(_)) => return refuse("this depends on time alone".into()),
                (By::Height, Some(_), _) => return refuse("this depends on height alone".into()),
                (_, None, None) => return refuse("a table needs time_s or height_m".into()),
                _ => {}
            }
            let one = || vec![0.0];
            let (times, heights) = (time_s.clone().unwrap_or_else(one), height_m.clone().unwrap_or_else(one));
            if let Some(below) = heights.iter().find(|&&height| height < 0.0) {
                return refuse(format!("the height {below} m is below the ground"));
            }
            let values = match (value, time_s.is_some() && height_m.is_some()) {
                (Rows::One(values), false) => values.clone(),
                (Rows::Many(rows), true) => {
                    if let Some(number) = rows.iter().position(|row| row.len() != heights.len()) {
                        let (got, wanted) = (rows[number].len(), heights.len());
                        return refuse(format!("row {} has {got} values for {wanted} heights", number + 1));
                    }
                    rows.concat()
                }
                (_, true) => return refuse("by time and height, value is a row of heights for each time".into()),
                (_, false) => return refuse("by time or height alone, value is one row".into()),
            };
            Table::new(times, heights, values)
        }
    };
    let table = table.map_err(|error| file.refuse(given, error))?;
    match table.values().iter().find(|value| !(low..=high).contains(*value)) {
        Some(value) => refuse(format!("{value} is not in [{low}, {high}]")),
        None => Ok(table),
    }
}
