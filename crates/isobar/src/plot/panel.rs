//! Curves in panels side by side: axes with names and units, and a legend beside the curves.

use isobar_core::Real;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::figure::{Error, Figure};

/// Okabe and Ito's colours, which the colour-blind tell apart.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];
const FONT: &str = "sans-serif";
const HEIGHT: u32 = 520;
const LEGEND_WIDTH: u32 = 130;
/// More points than this get no marks of their own.
const MARKED: usize = 40;

/// The most curves of a panel.
pub(super) const CURVES: usize = COLOURS.len();

/// A set of axes with curves.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) curves: Vec<Curve>,
    /// Width \[pixels\], without the legend.
    pub(super) width: u32,
}

/// A name with its unit, and whether the scale is logarithmic where the values allow it.
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) logarithmic: bool,
}

/// A line through points, with a gap at those that are not finite or have no logarithm where the axis wants one.
pub(super) struct Curve {
    /// Its name in the legend, if it has one.
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// Draws panels from left to right.
pub(super) fn draw(panels: &[Panel]) -> Result<Figure, Error> {
    let mut svg = String::new();
    let width = panels.iter().map(Panel::full_width).sum();
    {
        let root = SVGBackend::with_string(&mut svg, (width, HEIGHT)).into_drawing_area();
        root.fill(&WHITE).map_err(failure)?;
        let mut rest = root;
        for panel in panels {
            let (area, others) = rest.split_horizontally(panel.full_width());
            panel.draw(&area)?;
            rest = others;
        }
        rest.present().map_err(failure)?;
    }
    Ok(Figure(svg))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Panel {
    fn has_legend(&self) -> bool {
        self.curves.iter().any(|curve| !curve.name.is_empty())
    }

    fn full_width(&self) -> u32 {
        self.width + if self.has_legend() { LEGEND_WIDTH } else { 0 }
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Error> {
        let (chart, legend) = area.split_horizontally(self.width);
        if self.has_legend() {
            self.draw_legend(&legend)?;
        }
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let finite = || points().filter(|(x, y)| x.is_finite() && y.is_finite());
        let x = self.x.range(finite().map(|point| point.0));
        let y = self.y.range(finite().map(|point| point.1));
        let (log_x, log_y) = (matches!(x, Extent::Logarithmic(_)), matches!(y, Extent::Logarithmic(_)));
        let is_there = |x: f64, y: f64| x.is_finite() && y.is_finite() && (x > 0.0 || !log_x) && (y > 0.0 || !log_y);
        match (x, y) {
            (Extent::Linear(x), Extent::Linear(y)) => self.draw_chart(&chart, x, y, &is_there),
            (Extent::Linear(x), Extent::Logarithmic(y)) => self.draw_chart(&chart, x, y.log_scale(), &is_there),
            (Extent::Logarithmic(x), Extent::Linear(y)) => self.draw_chart(&chart, x.log_scale(), y, &is_there),
            (Extent::Logarithmic(x), Extent::Logarithmic(y)) => {
                self.draw_chart(&chart, x.log_scale(), y.log_scale(), &is_there)
            }
        }
    }

    fn draw_chart<X, Y>(&self, area: &Area<'_>, x: X, y: Y, is_there: &dyn Fn(f64, f64) -> bool) -> Result<(), Error>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 18))
            .margin(12)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(72)
            .build_cartesian_2d(x, y)
            .map_err(failure)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.name)
            .y_desc(&self.y.name)
            .axis_desc_style((FONT, 15))
            .label_style((FONT, 13))
            .x_labels(6)
            .y_labels(8)
            .x_label_formatter(&|value| tick(*value))
            .y_label_formatter(&|value| tick(*value))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(222, 222, 222))
            .draw()
            .map_err(failure)?;
        for (curve, colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            let marked = curve.points.iter().filter(|(x, y)| is_there(*x, *y)).count() <= MARKED;
            for line in curve.points.split(|(x, y)| !is_there(*x, *y)).filter(|line| !line.is_empty()) {
                if marked || line.len() == 1 {
                    let mark = |&point: &(f64, f64)| Circle::new(point, 3, colour.filled());
                    chart.draw_series(line.iter().map(mark)).map_err(failure)?;
                }
                let series = LineSeries::new(line.iter().copied(), colour.stroke_width(2));
                chart.draw_series(series).map_err(failure)?;
            }
        }
        Ok(())
    }

    fn draw_legend(&self, area: &Area<'_>) -> Result<(), Error> {
        for (i, (curve, colour)) in self.curves.iter().zip(COLOURS.iter().cycle()).enumerate() {
            let y = 52 + 22 * i as i32;
            area.draw(&PathElement::new([(0, y), (22, y)], colour.stroke_width(2))).map_err(failure)?;
            area.draw(&Text::new(curve.name.clone(), (28, y - 6), (FONT, 13))).map_err(failure)?;
        }
        Ok(())
    }
}

/// What an axis spans.
enum Extent {
    Linear(std::ops::Range<f64>),
    Logarithmic(std::ops::Range<f64>),
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

fn failure(error: impl std::fmt::Display) -> Error {
    Error::Draw(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are drawn of a curve, each with its number of points, and the marks.
    fn drawn(logarithmic: bool, values: &[f64]) -> (Vec<usize>, usize) {
        let points = values.iter().enumerate().map(|(i, &y)| (i as f64, y)).collect();
        let y = Axis { name: "y".into(), logarithmic };
        let curves = vec![Curve { name: String::new(), points }];
        let svg = draw(&[Panel { title: String::new(), x: Axis::linear("x"), y, curves, width: 400 }]).unwrap().0;
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
}
