//! The legend below a panel: names after one another, as many in a line as there is room for.

use plotters::prelude::*;

use super::figure::Error;
use super::style::{Area, FONT, LABEL_AREA, TEXT_SIZE, failure};

const LINE_HEIGHT: u32 = 20;
/// A sample of the curve, and the room after it \[pixels\].
const SAMPLE: u32 = 22;
const AFTER_SAMPLE: u32 = 6;
/// Between two entries.
const GAP: u32 = 16;
/// Below the last line.
const MARGIN: u32 = 12;
/// The width of a letter, at most, for sans-serif fonts on average \[hundredths of the text's size\].
const LETTER: u32 = 55;

/// A curve's name, with its colour if it is drawn.
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) colour: Option<RGBColor>,
}

impl Entry {
    fn sample(&self) -> u32 {
        if self.colour.is_some() { SAMPLE + AFTER_SAMPLE } else { 0 }
    }

    fn width(&self) -> u32 {
        self.sample() + self.text.chars().count() as u32 * TEXT_SIZE * LETTER / 100
    }
}

/// Height below a panel of this width \[pixels\].
pub(super) fn height(entries: &[Entry], width: u32) -> u32 {
    places(entries, width).last().map_or(0, |&(_, y)| y + LINE_HEIGHT + MARGIN)
}

pub(super) fn draw(area: &Area<'_>, entries: &[Entry]) -> Result<(), Error> {
    let (width, _) = area.dim_in_pixel();
    for (entry, (x, y)) in entries.iter().zip(places(entries, width)) {
        let (x, y) = (x as i32, y as i32);
        if let Some(colour) = entry.colour {
            let (from, to) = ((x, y + 10), (x + SAMPLE as i32, y + 10));
            area.draw(&PathElement::new([from, to], colour.stroke_width(2))).map_err(failure)?;
        }
        let place = (x + entry.sample() as i32, y + 4);
        area.draw(&Text::new(entry.text.as_str(), place, (FONT, TEXT_SIZE))).map_err(failure)?;
    }
    Ok(())
}

/// The upper left corner of each entry.
fn places(entries: &[Entry], width: u32) -> Vec<(u32, u32)> {
    let (mut x, mut y) = (LABEL_AREA, 0);
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        if x > LABEL_AREA && x + entry.width() > width {
            (x, y) = (LABEL_AREA, y + LINE_HEIGHT);
        }
        places.push((x, y));
        x += entry.width() + GAP;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_the_width() {
        let names = ["O3", "before, column 12", "1410 cm⁻¹ at 68.0 km: 0 everywhere", "NO", "N2O5", "after, column 3"];
        let entry = |name: &&str| Entry { text: (*name).into(), colour: Some(BLACK) };
        let entries: Vec<Entry> = names.iter().cycle().take(20).map(entry).collect();
        let places = places(&entries, 390);
        for (entry, (x, y)) in entries.iter().zip(&places) {
            assert!(x + entry.width() <= 390, "{}", entry.text);
            assert!(y + LINE_HEIGHT <= height(&entries, 390));
        }
        assert!(places.windows(2).all(|pair| pair[0] < pair[1] || pair[0].1 < pair[1].1));
    }
}
