//! Curves in panels, in rows that fit a page: axes with names and units, and a legend below.

use isobar_core::Real;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::figure::{Error, Figure};
use super::legend;
use super::style::{Area, COLOURS, FONT, LABEL_AREA, TEXT_SIZE, failure};

/// Width of a figure \[pixels\]: text of 13 pixels has 8 points where the figure is 17 cm wide.
const WIDTH: u32 = 780;
/// Width of a figure of one panel.
const ALONE: u32 = 560;
/// Height of a panel without its legend: three rows fill a page.
const HEIGHT: u32 = 340;
const CAPTION_SIZE: u32 = 16;
const AXIS_SIZE: u32 = 14;
/// More points than this get no marks of their own.
const MARKED: usize = 40;

/// The most curves of a panel.
pub(crate) const CURVES: usize = COLOURS.len();

/// A set of axes with curves.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) curves: Vec<Curve>,
    /// Whether it has a row of the figure for itself.
    pub(super) wide: bool,
}

/// A name with its unit, and whether the scale is logarithmic where the values allow it.
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) logarithmic: bool,
}

/// A line through points, with a gap at those that are not finite or have no logarithm where the axis wants one. A
/// curve that is 0 everywhere is named in the legend only.
pub(super) struct Curve {
    /// Its name in the legend, if it has one.
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// Draws panels in rows, from left to right and downward.
pub(super) fn draw(panels: &[Panel]) -> Result<Figure, Error> {
    let rows = rows(panels);
    let width = if panels.len() == 1 { ALONE } else { WIDTH };
    let heights: Vec<u32> = rows.iter().map(|row| HEIGHT + legend_height(row, width)).collect();
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width, heights.iter().sum())).into_drawing_area();
        root.fill(&WHITE).map_err(failure)?;
        let mut rest = root;
        for (row, height) in rows.iter().zip(heights) {
            let (mut area, below) = rest.split_vertically(height);
            for panel in *row {
                let (left, right) = area.split_horizontally(panel_width(row, width));
                panel.draw(&left)?;
                area = right;
            }
            rest = below;
        }
        rest.present().map_err(failure)?;
    }
    Ok(Figure(svg))
}

/// The panels of each row: one, which is as wide as the figure, or two.
fn rows(panels: &[Panel]) -> Vec<&[Panel]> {
    let mut rows = Vec::new();
    let mut rest = panels;
    while let [first, ..] = rest {
        let pair = !first.wide && rest.get(1).is_some_and(|next| !next.wide);
        let (row, others) = rest.split_at(if pair { 2 } else { 1 });
        rows.push(row);
        rest = others;
    }
    rows
}

/// Width of each panel of a row \[pixels\].
fn panel_width(row: &[Panel], width: u32) -> u32 {
    width / row.len() as u32
}

/// Height of the largest legend of a row \[pixels\].
fn legend_height(row: &[Panel], width: u32) -> u32 {
    row.iter().map(|panel| legend::height(&panel.entries(), panel_width(row, width))).max().unwrap_or(0)
}

impl Panel {
    /// The curves that are drawn, with their colours.
    fn drawn(&self) -> impl Iterator<Item = (&Curve, RGBColor)> + Clone {
        let colours = COLOURS.iter().copied().cycle();
        self.curves.iter().zip(colours).filter(|(curve, _)| !curve.is_zero())
    }

    /// What the legend says: the curves, then the names of those that are 0.
    fn entries(&self) -> Vec<legend::Entry> {
        let named = |curve: &&Curve| !curve.name.is_empty();
        let drawn = self.drawn().filter(|(curve, _)| named(curve));
        let mut entries: Vec<_> =
            drawn.map(|(curve, colour)| legend::Entry { text: curve.name.clone(), colour: Some(colour) }).collect();
        let zero = self.curves.iter().filter(|curve| curve.is_zero()).filter(named);
        entries.extend(zero.map(|curve| legend::Entry { text: format!("{}: 0 everywhere", curve.name), colour: None }));
        entries
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Error> {
        let (chart, below) = area.split_vertically(HEIGHT);
        legend::draw(&below, &self.entries())?;
        let finite = || self.drawn().flat_map(|(curve, _)| &curve.points).filter(|point| is_finite(point));
        let (x, x_scale) = self.x.range(finite().map(|point| point.0)).drawn();
        let (y, y_scale) = self.y.range(finite().map(|point| point.1)).drawn();
        let scales = (x_scale, y_scale);
        let (log_x, log_y) = (matches!(x, Extent::Logarithmic(_)), matches!(y, Extent::Logarithmic(_)));
        let is_there = |x: f64, y: f64| x.is_finite() && y.is_finite() && (x > 0.0 || !log_x) && (y > 0.0 || !log_y);
        match (x, y) {
            (Extent::Linear(x), Extent::Linear(y)) => self.draw_chart(&chart, (x, y), scales, &is_there),
            (Extent::Linear(x), Extent::Logarithmic(y)) => {
                self.draw_chart(&chart, (x, y.log_scale()), scales, &is_there)
            }
            (Extent::Logarithmic(x), Extent::Linear(y)) => {
                self.draw_chart(&chart, (x.log_scale(), y), scales, &is_there)
            }
            (Extent::Logarithmic(x), Extent::Logarithmic(y)) => {
                self.draw_chart(&chart, (x.log_scale(), y.log_scale()), scales, &is_there)
            }
        }
    }

    fn draw_chart<X, Y>(
        &self,
        area: &Area<'_>,
        (x, y): (X, Y),
        (x_scale, y_scale): (f64, f64),
        is_there: &dyn Fn(f64, f64) -> bool,
    ) -> Result<(), Error>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, CAPTION_SIZE))
            .margin(10)
            .margin_right(22)
            .x_label_area_size(46)
            .y_label_area_size(LABEL_AREA)
            .build_cartesian_2d(x, y)
            .map_err(failure)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.name)
            .y_desc(&self.y.name)
            .axis_desc_style((FONT, AXIS_SIZE))
            .label_style((FONT, TEXT_SIZE))
            .x_labels(5)
            .y_labels(8)
            .x_label_formatter(&|value| scaled_tick(*value, x_scale))
            .y_label_formatter(&|value| scaled_tick(*value, y_scale))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(222, 222, 222))
            .draw()
            .map_err(failure)?;
        for (curve, colour) in self.drawn() {
            let marked = curve.points.iter().filter(|(x, y)| is_there(*x, *y)).count() <= MARKED;
            for line in curve.points.split(|(x, y)| !is_there(*x, *y)).filter(|line| !line.is_empty()) {
                let line: Vec<(f64, f64)> = line.iter().map(|(x, y)| (x * x_scale, y * y_scale)).collect();
                // A point between two gaps would be seen nowhere.
                if marked || line.len() == 1 {
                    let mark = |&point: &(f64, f64)| Circle::new(point, 3, colour.filled());
                    chart.draw_series(line.iter().map(mark)).map_err(failure)?;
                }
                let series = LineSeries::new(line, colour.stroke_width(2));
                chart.draw_series(series).map_err(failure)?;
            }
        }
        Ok(())
    }
}

impl Curve {
    /// Whether one coordinate is 0 at all points that it has.
    fn is_zero(&self) -> bool {
        let finite = || self.points.iter().filter(|point| is_finite(point));
        finite().count() > 1 && (finite().all(|point| point.0 == 0.0) || finite().all(|point| point.1 == 0.0))
    }
}

/// The value, or a gap where it is less than the least that is shown.
#[cfg(feature = "kpp")]
pub(super) fn above(least: f64, value: f64) -> f64 {
    if value >= least { value } else { f64::NAN }
}

fn is_finite(point: &(f64, f64)) -> bool {
    point.0.is_finite() && point.1.is_finite()
}

/// What an axis spans.
enum Extent {
    Linear(std::ops::Range<f64>),
    Logarithmic(std::ops::Range<f64>),
}

impl Extent {
    /// What is drawn, and by what values are multiplied for it: plotters leaves out ticks of a logarithmic axis that
    /// are less than the epsilon of a double.
    fn drawn(self) -> (Self, f64) {
        match self {
            Self::Logarithmic(range) if range.start < 1e-12 => {
                let decades = (log10(range.end) - log10(range.start)).round();
                (Self::Logarithmic(1.0..Real::powi(10.0, decades as i32)), 1.0 / range.start)
            }
            other => (other, 1.0),
        }
    }
}

impl Axis {
    pub(super) fn linear(name: impl Into<String>) -> Self {
        Self { name: name.into(), logarithmic: false }
    }

    /// A little more than all values, or than all that have a logarithm.
    fn range(&self, values: impl Iterator<Item = f64> + Clone) -> Extent {
        let ends = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.clone().fold(none, ends);
        if low > high {
            return Extent::Linear(0.0..1.0);
        }
        if self.logarithmic && high > 0.0 {
            let (low, high) = values.filter(|x| *x > 0.0).fold(none, ends);
            // Whole decades, so that the ends carry a number.
            let decade = |x: f64| Real::powi(10.0, x as i32);
            return Extent::Logarithmic(decade(log10(low).floor())..decade((log10(high) + 1e-9).ceil()));
        }
        let margin = match 0.04 * (high - low) {
            0.0 => 0.05 * high.abs().max(1e-30),
            margin => margin,
        };
        Extent::Linear(low - margin..high + margin)
    }
}

/// The number at a tick of an axis whose values were multiplied.
fn scaled_tick(value: f64, scale: f64) -> String {
    if scale == 1.0 { tick(value) } else { format!("{:.0e}", value / scale) }
}

/// The number at a tick, short.
fn tick(value: f64) -> String {
    let size = value.abs();
    if size < 1e-12 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&size) {
        // Twelve digits, without the zeros at the end.
        let rounded = format!("{value:.12}");
        let digits = rounded.trim_end_matches('0').trim_end_matches('.');
        digits.parse::<f64>().map_or(rounded.clone(), |value| format!("{}", (value * 1e9).round() / 1e9))
    } else {
        let rounded = format!("{value:.2e}");
        rounded.replace(".00e", "e").replace("0e", "e")
    }
}

fn log10(x: f64) -> f64 {
    Real::ln(x) / core::f64::consts::LN_10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are drawn of a curve, each with its number of points, and the marks.
    fn drawn(logarithmic: bool, values: &[f64]) -> (Vec<usize>, usize) {
        let points = values.iter().enumerate().map(|(i, &y)| (i as f64, y)).collect();
        let y = Axis { name: "y".into(), logarithmic };
        let curves = vec![Curve { name: String::new(), points }];
        let svg = draw(&[Panel { title: String::new(), x: Axis::linear("x"), y, curves, wide: false }]).unwrap().0;
        assert!(!svg.contains("NaN"));
        let lines = svg.split("<polyline").skip(1).filter_map(|rest| rest.split('>').next());
        let lines = lines.filter(|line| line.contains("#0072B2"));
        let length =
            |line: &str| line.split("points=\"").nth(1).unwrap().split('"').next().unwrap().split(',').count() - 1;
        (lines.map(length).filter(|&points| points > 1).collect(), svg.matches("<circle").count())
    }

    #[test]
    fn lines_break_where_a_value_or_its_logarithm_is_not_there() {
        let values = [1.0, 10.0, 100.0, 0.0, -1e-24, f64::NAN, 5.0, 6.0];
        assert_eq!(drawn(true, &values), (vec![3, 2], 5));
        assert_eq!(drawn(false, &values), (vec![5, 2], 7));
        // Nothing has a logarithm.
        assert_eq!(drawn(true, &[0.0, -1.0]), (vec![2], 2));
        // A point on its own among many is seen.
        let mut many = vec![1.0; 100];
        (many[50], many[52]) = (0.0, 0.0);
        assert_eq!(drawn(true, &many), (vec![50, 47], 1));
    }

    fn panel(points: Vec<(f64, f64)>) -> Panel {
        Panel {
            title: "t".into(),
            x: Axis::linear("x [1]"),
            y: Axis { name: "y [1]".into(), logarithmic: true },
            curves: vec![Curve { name: "c".into(), points }],
            wide: false,
        }
    }

    fn lines(panel: Panel) -> usize {
        draw(&[panel]).unwrap().svg().matches("<polyline fill=\"none\" opacity=\"1\" stroke=\"#0072B2\"").count()
    }

    #[test]
    fn a_gap_breaks_a_line_and_zero_is_named_only() {
        let points = |value: fn(usize) -> f64| (0..9).map(|i| (i as f64, value(i))).collect();
        // The sample of the legend is a line, too.
        assert_eq!(lines(panel(points(|i| 1.0 + i as f64))), 2);
        assert_eq!(lines(panel(points(|i| if i == 4 { f64::NAN } else { 1.0 }))), 3);
        let zero = draw(&[panel(points(|_| 0.0))]).unwrap();
        assert!(zero.svg().contains("c: 0 everywhere"));
        assert_eq!(lines(panel(points(|_| 0.0))), 0);
    }

    #[test]
    fn an_axis_of_small_numbers_has_ticks() {
        let svg = draw(&[panel(vec![(0.0, 2e-24), (1.0, 3e-21)])]).unwrap().0;
        assert!(["1e-24", "1e-22", "1e-20"].iter().all(|label| svg.contains(label)), "{svg}");
    }

    #[test]
    fn panels_go_by_two_unless_they_are_wide() {
        let of = |wide: bool| Panel { wide, ..panel(vec![]) };
        let panels = [of(true), of(false), of(false), of(false), of(true), of(false)];
        let sizes: Vec<usize> = rows(&panels).iter().map(|row| row.len()).collect();
        assert_eq!(sizes, [1, 2, 1, 1, 1]);
    }
}
