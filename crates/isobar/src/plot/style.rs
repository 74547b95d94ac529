//! What panels and legends look alike in: colours, the sizes of text, and the area they are drawn in.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::figure::Error;

/// Okabe and Ito's colours, which the colour-blind tell apart.
pub(super) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

pub(super) const FONT: &str = "sans-serif";
/// Text of ticks and legends \[pixels\].
pub(super) const TEXT_SIZE: u32 = 13;
/// Width left of the vertical axis \[pixels\].
pub(super) const LABEL_AREA: u32 = 66;

/// A part of a figure.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(super) fn failure(error: impl std::fmt::Display) -> Error {
    Error::Draw(error.to_string())
}
