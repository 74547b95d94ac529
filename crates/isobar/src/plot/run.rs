//! A run of the column model: profiles through the day, the day of surface and boundary layer, species.

use isobar_column::Quantity;
use isobar_column::stages::quantity as q;
use isobar_core::Real;
use isobar_ega::planck::brightness_temperature;
use isobar_kpp::Mechanism;

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, above, draw as draw_panels};
use super::spread;
use crate::run::{Outcome, Precision, Records, Satellite, Setup, View};

/// Up to this height, boundary layers are shown \[km\].
const SHOWN_KM: f64 = 3.0;
/// Nobody looks for less of a species, and a logarithmic scale has no zero \[nmol mol^-1\].
const LEAST: f64 = 1e-7;
/// Times of profiles.
const PROFILES: usize = 7;
/// Columns of the day.
const COLUMNS: usize = 4;

/// The column of profiles and spectra.
fn column(columns: usize) -> usize {
    columns / 2
}

/// The columns, of `columns`, that figures show, in ascending order.
#[must_use]
pub fn columns(columns: usize) -> Vec<usize> {
    let mut shown = spread(columns, COLUMNS);
    shown.push(column(columns));
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// The names of the figures of [`draw`], in their order.
#[must_use]
pub fn names(setup: &Setup) -> Vec<&'static str> {
    let mut names = vec!["profiles", "day"];
    names.extend(setup.mechanism().is_some().then_some("chemistry"));
    names.extend(setup.satellite().is_some().then_some("spectra"));
    names
}

/// Draws a run: profiles, the day, chemistry where there is some, and what a satellite sees where there is one.
///
/// The results have to be those of [`columns`], or of more.
///
/// # Errors
/// [`Error::NoColumn`] if the results of a column are not there, [`Error::Draw`] if the drawing fails.
pub fn draw<R: Precision>(outcome: &Outcome<R>) -> Result<Vec<Figure>, Error> {
    let setup = &*outcome.setup;
    if let Some(column) = columns(setup.columns()).into_iter().find(|column| !outcome.columns.contains(column)) {
        return Err(Error::NoColumn(column));
    }
    let column = column(setup.columns());
    let figures = Figures { setup, records: &outcome.records, shown: &outcome.columns, column };
    let mut drawn = vec![figures.profiles()?, figures.day()?];
    if let Some(mechanism) = setup.mechanism() {
        drawn.push(figures.chemistry(mechanism)?);
    }
    if let (Some(satellite), Some(radiance)) = (setup.satellite(), &outcome.radiance) {
        let place = outcome.columns.iter().position(|&shown| shown == column).expect("it is among those shown");
        let seen: Vec<f64> = radiance.iter().skip(place).step_by(outcome.columns.len()).copied().collect();
        drawn.push(spectra(satellite, &outcome.records.times, &seen)?);
    }
    Ok(drawn)
}

/// What a satellite sees of a column, `[(time * views + view) * channels + channel]`: its views of the ground, and of
/// the limb at the last time.
fn spectra(satellite: &Satellite, times: &[f64], radiance: &[f64]) -> Result<Figure, Error> {
    let (nu, views) = (satellite.wavenumbers_per_cm(), satellite.views());
    let mut channels: Vec<usize> = (0..nu.len()).collect();
    channels.sort_by(|&a, &b| nu[a].total_cmp(&nu[b]));
    let curve = |name: String, (time, view): (usize, usize), value: &dyn Fn(f64, f64) -> f64| {
        let at = |channel: usize| radiance[(time * views.len() + view) * nu.len() + channel];
        Curve { name, points: channels.iter().map(|&c| (nu[c], value(at(c), nu[c]))).collect() }
    };
    let hours = |time: usize| times[satellite.records()[time]] / 3600.0;
    let of_kind = |wanted: fn(&View) -> Option<f64>| -> Vec<(usize, f64)> {
        views.iter().enumerate().filter_map(|(view, kind)| Some((view, wanted(kind)?))).collect()
    };
    let nadir = of_kind(|view| if let View::Nadir(angle) = view { Some(*angle) } else { None });
    let limb = of_kind(|view| if let View::Limb(tangent) = view { Some(*tangent) } else { None });
    let panel = |title: String, y: &str, logarithmic: bool, curves: Vec<Curve>| Panel {
        title,
        x: Axis::linear("wavenumber [cm⁻¹]"),
        y: Axis { name: y.into(), logarithmic },
        curves,
        wide: false,
    };
    let mut panels = Vec::new();
    for &(view, angle) in nadir.iter().take(2) {
        let shown = spread(satellite.records().len(), CURVES).into_iter();
        let curves = shown.map(|time| curve(format!("{:.1} h", hours(time)), (time, view), &brightness_temperature));
        let title = format!("The ground, {angle}° from straight down");
        panels.push(panel(title, "brightness temperature [K]", false, curves.collect()));
    }
    if !limb.is_empty() {
        let last = satellite.records().len() - 1;
        let shown = spread(limb.len(), CURVES).into_iter().map(|i| limb[i]);
        let curves = shown.map(|(view, km)| curve(format!("{km} km"), (last, view), &|radiance, _| radiance));
        let title = format!("The limb at {:.1} h, by tangent height", hours(last));
        panels.push(panel(title, "radiance [W/(m² sr cm⁻¹)]", true, curves.collect()));
    }
    draw_panels(&panels)
}

struct Figures<'a, R> {
    setup: &'a Setup,
    records: &'a Records<R>,
    /// The columns that the records have.
    shown: &'a [usize],
    /// The column of profiles.
    column: usize,
}

impl<R: Precision> Figures<'_, R> {
    /// Hours of the day at a record.
    fn hours(&self, record: usize) -> f64 {
        self.records.times[record] / 3600.0
    }

    fn value(&self, quantity: Quantity, record: usize, row: usize, column: usize) -> f64 {
        let values = self.records.at(quantity, record).unwrap_or_default();
        let place = self.shown.iter().position(|&shown| shown == column).expect("it is among those shown");
        values.get(row * self.shown.len() + place).map_or(f64::NAN, |value| value.value())
    }

    /// Heights of the layers' middles and lower interfaces \[km\], at the last record.
    fn heights(&self) -> (Vec<f64>, Vec<f64>) {
        let last = self.records.times.len() - 1;
        let (mut middles, mut lower, mut height) = (Vec::new(), Vec::new(), 0.0);
        for layer in 0..self.setup.layers() {
            let thickness = 1e-3 * self.value(q::THICKNESS, last, layer, self.column);
            lower.push(height);
            middles.push(height + 0.5 * thickness);
            height += thickness;
        }
        (middles, lower)
    }

    /// Profiles of the column at some times, the first one left out where nothing is known of it yet.
    fn panel(
        &self,
        (title, axis): (&str, &str),
        heights: &[f64],
        top: f64,
        value: impl Fn(usize, usize) -> f64,
        from: usize,
    ) -> Panel {
        let times = self.records.times.len();
        let shown: Vec<usize> = spread(times - from.min(times - 1), PROFILES.min(CURVES));
        let curve = |record: usize| Curve {
            name: format!("{:.1} h", self.hours(record)),
            points: (0..heights.len())
                .filter(|&layer| heights[layer] <= top)
                .map(|layer| (value(record, layer), heights[layer]))
                .collect(),
        };
        Panel {
            title: title.into(),
            x: Axis::linear(axis),
            y: Axis::linear("height [km]"),
            curves: shown.into_iter().map(|record| curve(record + from.min(times - 1))).collect(),
            wide: false,
        }
    }

    fn profiles(&self) -> Result<Figure, Error> {
        let (middles, lower) = self.heights();
        let of =
            |quantity: Quantity| move |record: usize, layer: usize| self.value(quantity, record, layer, self.column);
        let grams = |record: usize, layer: usize| 1e3 * self.value(q::VAPOUR, record, layer, self.column);
        let speed = |record: usize, layer: usize| {
            let [u, v] = [q::WIND_EAST, q::WIND_NORTH].map(|wind| self.value(wind, record, layer, self.column));
            Real::sqrt(u * u + v * v)
        };
        let mut panels = vec![
            self.panel(
                ("Potential temperature", "potential temperature [K]"),
                &middles,
                SHOWN_KM,
                of(q::POTENTIAL_TEMPERATURE),
                0,
            ),
            self.panel(("Mixing of heat", "diffusivity [m² s⁻¹]"), &lower, SHOWN_KM, of(q::DIFFUSIVITY_HEAT), 1),
            self.panel(("Wind", "speed [m s⁻¹]"), &middles, SHOWN_KM, speed, 0),
        ];
        let layers = 0..middles.len();
        if (0..self.records.times.len()).any(|record| layers.clone().any(|layer| grams(record, layer) != 0.0)) {
            let title = ("Water vapour", "mixing ratio [g kg⁻¹]");
            panels.insert(2, self.panel(title, &middles, SHOWN_KM, grams, 0));
        }
        // Not without a long wave.
        if self.records.at(q::HEATING, 0).is_some() {
            let title = ("Long-wave radiation", "heating rate [K day⁻¹]");
            panels.push(self.panel(title, &middles, f64::INFINITY, of(q::HEATING), 1));
        }
        draw_panels(&panels)
    }

    /// A value a column through the day.
    fn series(&self, title: &str, axis: &str, quantities: &[(Quantity, &str)], columns: usize) -> Panel {
        let curve = |column: usize, &(quantity, name): &(Quantity, &str)| Curve {
            name: format!("{name}column {column}"),
            points: (1..self.records.times.len())
                .map(|record| (self.hours(record), self.value(quantity, record, 0, column)))
                .collect(),
        };
        let columns = spread(self.setup.columns(), columns);
        let curves = columns.iter().flat_map(|&column| quantities.iter().map(move |quantity| curve(column, quantity)));
        Panel {
            title: title.into(),
            x: Axis::linear("time [h]"),
            y: Axis::linear(axis),
            curves: curves.collect(),
            wide: false,
        }
    }

    fn day(&self) -> Result<Figure, Error> {
        let one = |quantity: Quantity| [(quantity, "")];
        let mut panels = vec![
            self.series("Boundary layer", "height [m]", &one(q::BOUNDARY_LAYER_HEIGHT), COLUMNS),
            self.series("Ground", "temperature [K]", &one(q::SURFACE_TEMPERATURE), COLUMNS),
            self.series("Sensible heat", "upward flux [W m⁻²]", &one(q::SENSIBLE_HEAT_FLUX), COLUMNS),
            self.series("Momentum", "friction velocity [m s⁻¹]", &one(q::FRICTION_VELOCITY), COLUMNS),
        ];
        // Of the mechanism's rates.
        if self.setup.mechanism().is_some() {
            panels.push(self.series("Photolysis", "factor [1]", &one(q::PHOTOLYSIS_FACTOR), COLUMNS));
        }
        draw_panels(&panels)
    }

    /// The species that the mechanism monitors, or the first ones.
    fn chemistry(&self, mechanism: &Mechanism) -> Result<Figure, Error> {
        let names = self.setup.tracers();
        let place = |name: &String| names.iter().position(|known| known.eq_ignore_ascii_case(name));
        let mut species: Vec<usize> = mechanism.monitor().iter().filter_map(place).collect();
        if species.is_empty() {
            species = (0..names.len()).collect();
        }
        species.truncate(CURVES);
        let value = |record: usize, layer: usize, number: usize| {
            1e9 * self.value(q::TRACERS, record, layer * names.len() + number, self.column)
        };
        let (middles, _) = self.heights();
        // The uppermost layer below a height, or the lowest.
        let below = |km: f64| middles.iter().take_while(|&&middle| middle < km).count().saturating_sub(1);
        let series = |layer: usize| Panel {
            title: format!("Species at {:.2} km", middles[layer]),
            x: Axis::linear("time [h]"),
            y: Axis { name: "mole fraction [nmol mol⁻¹]".into(), logarithmic: true },
            curves: species
                .iter()
                .map(|&number| Curve {
                    name: names[number].to_owned(),
                    points: (0..self.records.times.len())
                        .map(|record| (self.hours(record), above(LEAST, value(record, layer, number))))
                        .collect(),
                })
                .collect(),
            wide: false,
        };
        let mut panels = vec![series(0), series(below(1.0)), series(below(25.0))];
        for wanted in ["O3", "NO", "NO2"] {
            if let Some(number) = names.iter().position(|name| *name == wanted) {
                let title = format!("{wanted} through the day");
                let of = |record: usize, layer: usize| value(record, layer, number);
                panels.push(self.panel((&title, "mole fraction [nmol mol⁻¹]"), &middles, SHOWN_KM, of, 0));
            }
        }
        draw_panels(&panels)
    }
}
