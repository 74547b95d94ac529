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

/// A line through points; points that are not finite are left out.
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
        let finite =
            || self.curves.iter().flat_map(|curve| &curve.points).filter(|(x, y)| x.is_finite() && y.is_finite());
        let x = self.x.range(finite().map(|point| point.0));
        let y = self.y.range(finite().map(|point| point.1));
        match (x, y) {
            (Extent::Linear(x), Extent::Linear(y)) => self.draw_chart(&chart, x, y),
            (Extent::Linear(x), Extent::Logarithmic(y)) => self.draw_chart(&chart, x, y.log_scale()),
            (Extent::Logarithmic(x), Extent::Linear(y)) => self.draw_chart(&chart, x.log_scale(), y),
            (Extent::Logarithmic(x), Extent::Logarithmic(y)) => self.draw_chart(&chart, x.log_scale(), y.log_scale()),
        }
    }

    fn draw_chart<X, Y>(&self, area: &Area<'_>, x: X, y: Y) -> Result<(), Error>
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
            let points: Vec<_> = curve.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
            if points.len() <= MARKED {
                let mark = |&point: &(f64, f64)| Circle::new(point, 3, colour.filled());
                chart.draw_series(points.iter().map(mark)).map_err(failure)?;
            }
            chart.draw_series(LineSeries::new(points, colour.stroke_width(2))).map_err(failure)?;
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

    /// A little more than all values.
    fn range(&self, values: impl Iterator<Item = f64>) -> Extent {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low > high {
            return Extent::Linear(0.0..1.0);
        }
        if self.logarithmic && low > 0.0 {
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
