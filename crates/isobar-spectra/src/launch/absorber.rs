//! A gas on a device, over a grid.

use std::ops::Range;

use isobar_core::{Column, Field, Real};
use isobar_launch::{Buffer, Error, Queue};

use super::extents::Extents;
use super::options::{Method, Options, Wings};
use super::ptx::PTX;
use crate::constants::{ATMOSPHERE_HPA, SQRT_LN_2};
use crate::grid::Whole;
use crate::kernel::{FillNodes, PrepareLines, PushDown, SumExact, SumTiles};
use crate::limits::{CELLS_PER_CUT, MOST_SHIFT_PER_CM_ATM, STRONGEST_LINES};
use crate::lists::{Gas, lightest_u};
use crate::physics::carbon_dioxide_wing::Chi;
use crate::physics::chebyshev::{NODES, POSITIONS, weights};
use crate::physics::line::{Air, Line, doppler_width_per_cm};
use crate::physics::voigt::FAR;
use crate::schedule::TILE;
use crate::schedule::exact::ROWS;
use crate::schedule::lines::{Lines, PART, SHAPE, WING};
use crate::schedule::prepare::COLUMNS;
use crate::schedule::tree::Tree;
use crate::{Grid, SpectraError};

isobar_launch::compiled_here! {
    /// A precision in which spectra are computed: `f32` (line distances and sums are in double precision all the same)
    /// or `f64`.
    pub trait Precision {
        fn enqueue(absorber: &mut Absorber<Self>, air: &Air<f64>, ratios: &[f64]) = enqueue;
    }
}

/// A gas's lines on the device of a queue, ready for spectra over one grid at any pressure and temperature.
pub struct Absorber<R: Precision> {
    queue: Queue,
    gas: String,
    options: Options,
    grid: Grid,
    tree: Tree,
    scale: f64,
    /// Lines on the device; the first ones have no intensity.
    lines: usize,
    /// What a line's number on the device is behind that in the whole list.
    lines_before: isize,
    /// Positions of the lines that reach the grid \[cm^-1\].
    positions: Vec<f64>,
    /// The gas without its lines.
    partitions: Gas,
    list: Buffer<f64>,
    isotopologues: Buffer<u32>,
    masses_u: Buffer<f64>,
    ratios: Buffer<f64>,
    wavenumbers: Buffer<f64>,
    halves: Buffer<f64>,
    at_points: Buffer<f64>,
    centres: Buffer<[f64; 2]>,
    /// Of no line without a tree.
    extents: Extents,
    shapes: Buffer<[R; SHAPE]>,
    wings: Buffer<[R; WING]>,
    mixing: Buffer<R>,
    /// The mass of the gas's lightest isotopologue, whether the list has it or not \[u\].
    lightest_u: f64,
    /// The largest shift of a line \[cm^-1/atm\].
    most_shift_per_cm_atm: f64,
    nodes: Buffer<f64>,
    cross_sections: Buffer<f64>,
    statuses: Buffer<u32>,
    line_statuses: Buffer<u32>,
}

impl<R: Precision> Absorber<R> {
    /// Brings lines and grid to the queue's device. Lines that reach no point of the grid are left behind.
    ///
    /// # Errors
    /// Options that exclude each other, or a tree over a grid without a step; what the device answers.
    pub fn new(queue: Queue, gas: &Gas, grid: &Grid, options: Options) -> Result<Self, SpectraError> {
        options.check()?;
        if options.wings == Wings::CarbonDioxide && gas.name() != "CO2" {
            return Err(SpectraError::Options(format!("weakened wings are those of CO2, not of {}", gas.name())));
        }
        for &ptx in PTX {
            queue.load(ptx)?;
        }
        let tree = tree(grid, &options)?;
        let (first, last) = grid.ends_per_cm();
        let position = |line: &Line<f64>| line.wavenumber_per_cm;
        let begin = gas.lines().partition_point(|line| position(line) + options.cut_per_cm < first);
        let end = gas.lines().partition_point(|line| position(line) - options.cut_per_cm < last).max(begin);
        // Sums are by groups of numbers in the whole list: lines of no intensity stand for the rest of the first group.
        let reaching = &gas.lines()[begin..end];
        let missing = if reaching.is_empty() { 0 } else { (gas.lines_before() + begin) % PART };
        let nothing = reaching.first().map(|first| Line { intensity: 0.0, ..*first });
        let lines: Vec<Line<f64>> = nothing.into_iter().cycle().take(missing).chain(reaching.iter().copied()).collect();
        let mut isotopologue_of = vec![0; missing];
        isotopologue_of.extend_from_slice(&gas.isotopologue_of()[begin..end]);
        let mut list = vec![0.0; COLUMNS * lines.len()];
        for (row, values) in list.chunks_mut(lines.len().max(1)).enumerate() {
            values.iter_mut().zip(&lines).for_each(|(value, line)| *value = columns(line)[row]);
        }
        let masses: Vec<f64> = gas.isotopologues().iter().map(|one| one.mass_u).collect();
        let points = grid.wavenumbers_per_cm().len();
        let cells = tree.all_cells();
        let is_plain = options.method == Method::Exact && !options.extra();
        let shift = |line: &Line<f64>| line.air_shift_per_cm_atm.abs().max(line.self_shift_per_cm_atm.abs());
        let half = |place: f64| POSITIONS.map(|node| weights((node + place) / 2.0)).concat();
        let at_point = |point: usize| weights(point as f64 / (TILE / 2) as f64 - 1.0);
        Ok(Self {
            gas: gas.name().to_owned(),
            options,
            tree,
            scale: scale(reaching),
            lines: lines.len(),
            lines_before: (gas.lines_before() + begin) as isize - missing as isize,
            list: queue.upload(&list)?,
            isotopologues: queue.upload(&isotopologue_of)?,
            masses_u: queue.upload(&masses)?,
            ratios: queue.zeros(masses.len())?,
            wavenumbers: queue.upload(grid.wavenumbers_per_cm())?,
            halves: queue.upload(&[half(-1.0), half(1.0)].concat())?,
            at_points: queue.upload(&(0..TILE).map(at_point).collect::<Vec<_>>().concat())?,
            centres: queue.zeros(lines.len())?,
            extents: Extents::new(&queue, if tree.levels > 0 { &lines } else { &[] })?,
            shapes: queue.zeros(lines.len())?,
            wings: queue.zeros(if is_plain { lines.len() } else { 0 })?,
            lightest_u: masses.iter().copied().chain(lightest_u(gas.name())).fold(f64::INFINITY, f64::min),
            most_shift_per_cm_atm: reaching.iter().map(shift).fold(MOST_SHIFT_PER_CM_ATM, f64::max),
            // Without line mixing, zeros that are read where wings are weakened.
            mixing: queue.zeros(lines.len())?,
            nodes: queue.zeros(NODES * cells)?,
            cross_sections: queue.zeros(points)?,
            statuses: queue.zeros(points.div_ceil(TILE).max(NODES * cells))?,
            line_statuses: queue.zeros(lines.len())?,
            grid: grid.clone(),
            positions: reaching.iter().map(position).collect(),
            partitions: gas.without_lines(),
            queue,
        })
    }

    /// The absorption cross-section at each point \[cm^2/molecule\], per molecule of the gas, all isotopologues in
    /// their abundance.
    ///
    /// # Errors
    /// Air that is none, a temperature outside of a partition sum's table, lines without finite numbers, and what the
    /// device answers.
    pub fn cross_sections(&mut self, air: &Air<f64>) -> Result<Vec<f64>, SpectraError> {
        self.enqueue(air)?;
        let bad = self.queue.to_host(&self.line_statuses)?.iter().position(|&status| status != 0);
        if let Some(line) = bad {
            let Air { pressure_hpa, temperature_k, .. } = *air;
            let line = line.saturating_add_signed(self.lines_before + 1);
            return Err(SpectraError::NotFinite { gas: self.gas.clone(), line, pressure_hpa, temperature_k });
        }
        Ok(self.queue.to_host(&self.cross_sections)?)
    }

    /// Gives the kernels of a spectrum to the queue, without waiting for them: for measurements.
    ///
    /// # Errors
    /// As [`Absorber::cross_sections`].
    pub fn enqueue(&mut self, air: &Air<f64>) -> Result<(), SpectraError> {
        check_air(air)?;
        let ratios = self.partitions.partition_ratios(air.temperature_k)?;
        if self.lines > 0 {
            R::enqueue(self, air, &ratios)?;
        }
        Ok(())
    }

    /// The queue.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Lines that reach the grid.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.positions.len()
    }

    /// Do the far wings go by short forms?
    fn is_plain(&self) -> bool {
        self.options.method == Method::Exact && !self.options.extra()
    }

    /// See [`SumExact::far_per_cm`]: `x` is at least the limit for the widest Doppler core and the largest shift that a
    /// line may have anywhere in the whole grid: parts of a list and a grid have the same stretches.
    fn far_per_cm(&self, air: &Air<f64>) -> [f64; 2] {
        let reach = self.grid.whole().ends_per_cm.1 + self.options.cut_per_cm;
        let last = if reach.is_finite() { reach } else { self.positions.last().copied().unwrap_or(0.0) };
        let width = doppler_width_per_cm(last, air.temperature_k, self.lightest_u, &self.options.constants);
        let shift = air.pressure_hpa / ATMOSPHERE_HPA * self.most_shift_per_cm_atm;
        let [.., near, far] = FAR[usize::from(R::NAME == "f64")];
        // A millionth more than all roundings.
        [near, far].map(|(limit, _)| 1.000_001 * (Real::sqrt(limit) * width / SQRT_LN_2 + shift))
    }

    /// Lines times points: what the exact method computes at most.
    #[must_use]
    pub fn line_points(&self) -> f64 {
        let nu = self.grid.wavenumbers_per_cm();
        let cut = self.options.cut_per_cm;
        let count = |position: &f64| {
            nu.partition_point(|&x| x <= position + cut) - nu.partition_point(|&x| x <= position - cut)
        };
        self.positions.iter().map(|position| count(position) as f64).sum()
    }

    /// The smallest Doppler half width \[cm^-1\] of the gas within the grid at a temperature, if the grid's points are
    /// farther apart: lines may then fall between them.
    #[must_use]
    pub fn too_coarse(&self, temperature_k: f64) -> Option<f64> {
        self.partitions.too_coarse(&self.grid, temperature_k, &self.options.constants)
    }
}

/// A line's numbers in the order of the list's rows.
fn columns(line: &Line<f64>) -> [f64; COLUMNS] {
    [
        line.wavenumber_per_cm,
        line.intensity,
        line.air_width_per_cm_atm,
        line.self_width_per_cm_atm,
        line.lower_energy_per_cm,
        line.air_exponent,
        line.self_exponent,
        line.air_shift_per_cm_atm,
        line.self_shift_per_cm_atm,
        line.mixing_per_atm,
        line.mixing_exponent,
    ]
}

/// A power of two that keeps intensities and wings 1e-20 times weaker within f32's numbers: the same for all lists
/// whose strongest line is one that gases have, so that parts of a list have it, too; otherwise what brings it near
/// 2^40.
fn scale(lines: &[Line<f64>]) -> f64 {
    let strongest = lines.iter().map(|line| line.intensity).fold(0.0, f64::max);
    if !strongest.is_normal() || STRONGEST_LINES.contains(&strongest) {
        return Real::powi(2.0, 110);
    }
    let exponent = (strongest.to_bits() >> 52) as i32 - 1023;
    Real::powi(2.0, 40 - exponent)
}

/// Parts of a grid, each of as many points as wanted or somewhat more: whole cells of the tree.
///
/// # Errors
/// A tree over a grid without a step.
pub fn parts(grid: &Grid, options: &Options, points: usize) -> Result<Vec<Range<usize>>, SpectraError> {
    let all = grid.wavenumbers_per_cm().len();
    let cell = cell_points(&tree(grid, options)?);
    let step = points.div_ceil(cell).max(1).saturating_mul(cell);
    Ok((0..all).step_by(step).map(|first| first..all.min(first.saturating_add(step))).collect())
}

/// The points of a largest cell, or of a block of the exact method.
fn cell_points(tree: &Tree) -> usize {
    if tree.levels == 0 { ROWS * TILE } else { TILE << (tree.levels - 1) }
}

fn tree(grid: &Grid, options: &Options) -> Result<Tree, SpectraError> {
    let Whole { before, points, ends_per_cm: (first_per_cm, _) } = grid.whole();
    let step_per_cm = match (options.method, grid.step_per_cm()) {
        (Method::Exact, _) => 0.0,
        (Method::Tree, Some(step)) => step,
        (Method::Tree, None) => {
            let why = "a tree of cells needs a grid with one step; this grid has points of any distance";
            return Err(SpectraError::Options(why.to_owned()));
        }
    };
    let mut tree = Tree { leaves: points.div_ceil(TILE), ..Tree::default() };
    if options.method == Method::Tree {
        let has_kinks = options.wings == Wings::CarbonDioxide;
        tree = Tree { first_per_cm, step_per_cm, levels: 1, has_kinks, ..tree };
        let width = |levels: usize| step_per_cm * (TILE << (levels - 1)) as f64;
        while tree.cells(tree.levels - 1) > 2 && width(tree.levels + 1) <= options.cut_per_cm / CELLS_PER_CUT {
            tree.levels += 1;
        }
    }
    let cell = cell_points(&tree);
    if before % cell != 0 {
        return Err(SpectraError::value(
            "the first point of a part of a grid",
            before,
            format!("a multiple of {cell}"),
        ));
    }
    Ok(Tree { leaves: grid.wavenumbers_per_cm().len().div_ceil(TILE), leaves_before: before / TILE, ..tree })
}

/// Is it air?
pub(super) fn check_air(air: &Air<f64>) -> Result<(), SpectraError> {
    let Air { pressure_hpa, temperature_k, mole_fraction } = *air;
    if !(0.0..=1e8).contains(&pressure_hpa) {
        return Err(SpectraError::value("the pressure [hPa]", pressure_hpa, "0 to 1e8"));
    }
    if !(1.0..=1e6).contains(&temperature_k) {
        return Err(SpectraError::value("the temperature [K]", temperature_k, "1 to 1e6"));
    }
    if !(0.0..=1.0).contains(&mole_fraction) {
        return Err(SpectraError::value("the mole fraction", mole_fraction, "0 to 1"));
    }
    Ok(())
}

fn enqueue<R: Precision>(absorber: &mut Absorber<R>, air: &Air<f64>, ratios: &[f64]) -> Result<(), Error> {
    if absorber.options.extra() {
        spectrum::<R, true>(absorber, air, ratios)
    } else {
        spectrum::<R, false>(absorber, air, ratios)
    }
}

fn spectrum<R: Precision, const EXTRA: bool>(
    absorber: &mut Absorber<R>,
    air: &Air<f64>,
    ratios: &[f64],
) -> Result<(), Error> {
    let (is_plain, far_per_cm) = (absorber.is_plain(), absorber.far_per_cm(air));
    let Absorber { queue, options, tree, .. } = absorber;
    let (lines, tree) = (absorber.lines, *tree);
    queue.upload_into(ratios, &mut absorber.ratios)?;
    let prepare = PrepareLines::<R> {
        list: absorber.list.item_fastest(COLUMNS, lines),
        isotopologues: absorber.isotopologues.column(),
        partition_ratios: absorber.ratios.column(),
        masses_u: absorber.masses_u.column(),
        air: *air,
        constants: options.constants,
        scale: absorber.scale,
        cut_per_cm: options.cut_per_cm,
        without_pedestal: options.without_pedestal,
        mixing: options.mixing,
        centres_per_cm: absorber.centres.item_fastest_mut(1, lines),
        shapes: absorber.shapes.item_fastest_mut(1, lines),
        wings: absorber.wings.item_fastest_mut(1, if is_plain { lines } else { 0 }),
        wants_wings: is_plain,
        mixing_of_lines: absorber.mixing.item_fastest_mut(1, lines),
    };
    queue.launch(&prepare, &mut absorber.line_statuses)?;
    if tree.levels > 0 {
        absorber.extents.fill(queue, air)?;
    }
    let chi = match options.wings {
        Wings::Voigt => Chi::none(),
        Wings::CarbonDioxide => Chi::new(R::from_f64(air.temperature_k)),
    };
    let views = Lines {
        centres_per_cm: absorber.centres.column(),
        extents_per_cm: absorber.extents.buffer.column(),
        shapes: absorber.shapes.column(),
        mixing: absorber.mixing.column(),
        cut_per_cm: options.cut_per_cm,
        chi,
    };
    let points = absorber.grid.wavenumbers_per_cm().len();
    if is_plain {
        let sum = SumExact::<R> {
            lines: views,
            wings: absorber.wings.column(),
            far_per_cm,
            wavenumbers_per_cm: absorber.wavenumbers.column(),
            unscale: 1.0 / absorber.scale,
            cross_sections: absorber.cross_sections.item_fastest_mut(1, points),
        };
        return queue.launch(&sum, &mut absorber.statuses);
    }
    let cells = tree.all_cells();
    if tree.levels > 0 {
        let nodes = absorber.nodes.level_fastest_mut(NODES, cells);
        queue.launch(&FillNodes::<R, EXTRA> { lines: views, tree, nodes }, &mut absorber.statuses)?;
        for level in (0..tree.levels - 1).rev() {
            let halves: Column<'_, f64> = absorber.halves.column();
            queue.launch(&PushDown { tree, level, halves, nodes }, &mut absorber.statuses)?;
        }
    }
    let nodes = if tree.levels > 0 { absorber.nodes.level_fastest(NODES, cells) } else { Field::empty() };
    let sum = SumTiles::<R, EXTRA> {
        lines: views,
        wavenumbers_per_cm: absorber.wavenumbers.column(),
        tree,
        nodes,
        at_points: absorber.at_points.column(),
        unscale: 1.0 / absorber.scale,
        cross_sections: absorber.cross_sections.item_fastest_mut(1, points),
    };
    queue.launch(&sum, &mut absorber.statuses)
}
