//! Curves of any numbers: speeds that were measured, counts of differences.

use super::figure::{Error, Figure};
use super::panel::{self, Axis, Curve, Panel};

/// Panels, each with a pair of axes and some curves; two side by side.
#[derive(Default)]
pub struct Chart(Vec<Panel>);

/// The name of an axis with its unit, and whether its scale is logarithmic.
pub struct Scale<'a> {
    /// Such as `columns a second`.
    pub name: &'a str,
    /// Values that are not positive leave gaps in the curves of a logarithmic scale.
    pub logarithmic: bool,
}

impl Chart {
    /// No panels yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a panel with curves, which have a name and points `(x, y)` each.
    pub fn panel(&mut self, title: &str, x: Scale<'_>, y: Scale<'_>, curves: Vec<(String, Vec<(f64, f64)>)>) {
        let [x, y] = [x, y].map(|scale| Axis { name: scale.name.into(), logarithmic: scale.logarithmic });
        let curves = curves.into_iter().map(|(name, points)| Curve { name, points }).collect();
        self.0.push(Panel { title: title.into(), x, y, curves, wide: false });
    }

    /// Draws the panels.
    ///
    /// # Errors
    /// [`Error::Draw`] if the drawing fails.
    pub fn svg(&self) -> Result<Figure, Error> {
        panel::draw(&self.0)
    }
}
