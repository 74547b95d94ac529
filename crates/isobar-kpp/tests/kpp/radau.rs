//! Another integrator to compare with: Radau IIA of order 5, as Hairer and Wanner have it (1996, Solving Ordinary
//! Differential Equations II, section IV.8), on matrices with all their zeros.
//!
//! It shares with what it checks the rate constants and the lists of reactions, and no tables, patterns or methods.

use isobar_kpp::Mechanism;

/// A complex number.
#[derive(Clone, Copy, Default, PartialEq)]
struct Complex(f64, f64);

impl Complex {
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }

    fn over(self, other: Self) -> Self {
        let size = other.0 * other.0 + other.1 * other.1;
        Self((self.0 * other.0 + self.1 * other.1) / size, (self.1 * other.0 - self.0 * other.1) / size)
    }
}

/// The factors of `shift I - J`, row by row: what is not 0 left of the diagonal, there, and right of it.
struct Factors(Vec<(Vec<Entry>, Complex, Vec<Entry>)>);

type Entry = (usize, Complex);

impl Factors {
    fn new(jacobian: &[Vec<f64>], shift: Complex) -> Self {
        let mut rows: Vec<(Vec<Entry>, Complex, Vec<Entry>)> = vec![];
        let mut row = vec![Complex::default(); jacobian.len()];
        for (i, entries) in jacobian.iter().enumerate() {
            for (j, &entry) in entries.iter().enumerate() {
                if entry != 0.0 {
                    row[j] = Complex(-entry, 0.0);
                }
            }
            row[i] = Complex(row[i].0 + shift.0, shift.1);
            let mut left = vec![];
            for k in 0..i {
                if row[k] != Complex::default() {
                    let (_, diagonal, right) = &rows[k];
                    let factor = std::mem::take(&mut row[k]).over(*diagonal);
                    left.push((k, factor));
                    for &(j, entry) in right {
                        row[j] = row[j].minus(factor.times(entry));
                    }
                }
            }
            let mut right = vec![];
            for (j, entry) in row.iter_mut().enumerate().skip(i + 1).filter(|(_, entry)| **entry != Complex::default())
            {
                right.push((j, std::mem::take(entry)));
            }
            rows.push((left, std::mem::take(&mut row[i]), right));
        }
        Self(rows)
    }

    fn solve(&self, x: &mut [Complex]) {
        for (i, (left, ..)) in self.0.iter().enumerate() {
            for &(k, entry) in left {
                x[i] = x[i].minus(entry.times(x[k]));
            }
        }
        for (i, (_, diagonal, right)) in self.0.iter().enumerate().rev() {
            for &(j, entry) in right {
                x[i] = x[i].minus(entry.times(x[j]));
            }
            x[i] = x[i].over(*diagonal);
        }
    }
}

/// What a cell's equations are.
pub(crate) struct Cell<'m> {
    pub(crate) mechanism: &'m Mechanism,
    /// What rates read, of one cell.
    pub(crate) inputs: Vec<f64>,
    /// All concentrations at the start; those of fixed species stay.
    pub(crate) all: Vec<f64>,
}

impl Cell<'_> {
    fn with(&self, y: &[f64]) -> Vec<f64> {
        let mut all = self.all.clone();
        all[..y.len()].copy_from_slice(y);
        all
    }

    fn rates(&self, t: f64, all: &[f64]) -> Vec<f64> {
        self.mechanism.program().rate_constants(all, &self.inputs, t)
    }

    /// dy/dt
    fn function(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let all = self.with(y);
        let mut change = vec![0.0; y.len()];
        for (reaction, rate) in self.mechanism.reactions().iter().zip(self.rates(t, &all)) {
            let speed = reaction
                .reactants
                .iter()
                .fold(rate, |speed, &(species, power)| (0..power).fold(speed, |speed, _| speed * all[species]));
            reaction.net.iter().for_each(|&(species, net)| change[species] += net * speed);
        }
        change
    }

    /// Derivatives of `function`, but for those of rate constants, which the iteration does without.
    fn jacobian(&self, t: f64, y: &[f64]) -> Vec<Vec<f64>> {
        let all = self.with(y);
        let mut matrix = vec![vec![0.0; y.len()]; y.len()];
        for (reaction, rate) in self.mechanism.reactions().iter().zip(self.rates(t, &all)) {
            for &(by, own) in reaction.reactants.iter().filter(|reactant| reactant.0 < y.len()) {
                let slope = reaction.reactants.iter().fold(rate * f64::from(own), |slope, &(species, power)| {
                    (0..power - u32::from(species == by)).fold(slope, |slope, _| slope * all[species])
                });
                reaction.net.iter().for_each(|&(species, net)| matrix[species][by] += net * slope);
            }
        }
        matrix
    }
}

/// Relative and absolute tolerance.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance(pub(crate) f64, pub(crate) f64);

/// From stages to what the matrix of the method makes diagonal, and back; its eigenvalues.
const BACK: [[f64; 3]; 3] = [
    [9.123_239_487_089_294e-2, -0.141_255_295_020_954_2, -3.002_919_410_514_742_4e-2],
    [0.241_717_932_707_107, 0.204_129_352_293_799_94, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
const TO: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_87, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];
const REAL: f64 = 3.637_834_252_744_496;
const PAIR: Complex = Complex(2.681_082_873_627_752, 3.050_430_199_247_411);
/// The most iterations of a step.
const MOST: usize = 12;

/// `sqrt(6)`
const ROOT: f64 = 2.449_489_742_783_178;
const NODES: [f64; 3] = [(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0];
const ERROR: [f64; 3] = [-(13.0 + 7.0 * ROOT) / 3.0, (7.0 * ROOT - 13.0) / 3.0, -1.0 / 3.0];

fn norm<'a>(x: impl Iterator<Item = &'a f64>, scale: &[f64]) -> f64 {
    let sum: f64 = x.zip(scale).map(|(x, scale)| (x / scale) * (x / scale)).sum();
    (sum / scale.len() as f64).sqrt()
}

fn transform(matrix: &[[f64; 3]; 3], x: &[Vec<f64>; 3]) -> [Vec<f64>; 3] {
    let row =
        |row: &[f64; 3]| (0..x[0].len()).map(|i| row[0] * x[0][i] + row[1] * x[1][i] + row[2] * x[2][i]).collect();
    [row(&matrix[0]), row(&matrix[1]), row(&matrix[2])]
}

/// Integrates a cell over an interval. `step` is the first step, and what the last one would be followed by.
pub(crate) fn integrate(
    cell: &Cell<'_>,
    y: &mut [f64],
    (start, end): (f64, f64),
    tolerance: Tolerance,
    step: &mut f64,
) {
    let (mut t, mut h) = (start, step.min(end - start));
    let mut failed = false;
    for _ in 0..200_000 {
        if end - t <= 1e-12 * end.abs() {
            return;
        }
        h = h.min(end - t);
        let scale: Vec<f64> = y.iter().map(|y| tolerance.1 + tolerance.0 * y.abs()).collect();
        let jacobian = cell.jacobian(t, y);
        let real = Factors::new(&jacobian, Complex(REAL / h, 0.0));
        let pair = Factors::new(&jacobian, Complex(PAIR.0 / h, PAIR.1 / h));
        let Some((z, iterations)) = stages(cell, (t, h, y), &scale, (&real, &pair), tolerance.0) else {
            (h, failed) = (0.3 * h, true);
            continue;
        };
        let sum: Vec<f64> = (0..y.len()).map(|i| (0..3).map(|s| ERROR[s] * z[s][i]).sum::<f64>() / h).collect();
        let estimate = |at: &[f64]| {
            let f = cell.function(t, at);
            let mut x: Vec<Complex> = f.iter().zip(&sum).map(|(f, sum)| Complex(f + sum, 0.0)).collect();
            real.solve(&mut x);
            x.into_iter().map(|x| x.0).collect::<Vec<f64>>()
        };
        let mut error = estimate(y);
        let mut size = norm(error.iter(), &scale);
        if size >= 1.0 && failed {
            let moved: Vec<f64> = y.iter().zip(&error).map(|(y, error)| y + error).collect();
            error = estimate(&moved);
            size = norm(error.iter(), &scale);
        }
        let safe = 0.9 * (2 * MOST + 1) as f64 / (iterations + 2 * MOST) as f64;
        let next = h / (size.max(1e-10).sqrt().sqrt() / safe).clamp(0.125, 5.0);
        if size < 1.0 {
            y.iter_mut().zip(&z[2]).for_each(|(y, z)| *y += z);
            t += h;
            // The last step may have been cut short.
            *step = if failed { next.min(h) } else { next };
            failed = false;
            h = *step;
        } else {
            (h, failed) = (next.min(0.9 * h), true);
        }
    }
    panic!("too many steps at {t}");
}

/// The three stages, less `y`, and how many iterations they took; none if these do not converge.
fn stages(
    cell: &Cell<'_>,
    (t, h, y): (f64, f64, &[f64]),
    scale: &[f64],
    (real, pair): (&Factors, &Factors),
    relative: f64,
) -> Option<([Vec<f64>; 3], usize)> {
    let zero = vec![0.0; y.len()];
    let mut z = [zero.clone(), zero.clone(), zero.clone()];
    let mut w = [zero.clone(), zero.clone(), zero];
    let mut last = f64::INFINITY;
    let enough = (10.0 * f64::EPSILON / relative).max(1e-3 * relative.sqrt().min(0.03));
    for iteration in 1..=MOST {
        let f = [0, 1, 2].map(|s| {
            let at: Vec<f64> = y.iter().zip(&z[s]).map(|(y, z)| y + z).collect();
            cell.function(t + NODES[s] * h, &at)
        });
        let f = transform(&TO, &f);
        let alpha = Complex(PAIR.0 / h, PAIR.1 / h);
        let mut first: Vec<Complex> = (0..y.len()).map(|i| Complex(f[0][i] - REAL / h * w[0][i], 0.0)).collect();
        let shifted = |i: usize| Complex(f[1][i], f[2][i]).minus(alpha.times(Complex(w[1][i], w[2][i])));
        let mut second: Vec<Complex> = (0..y.len()).map(shifted).collect();
        real.solve(&mut first);
        pair.solve(&mut second);
        let parts = |x: &[Complex], part: fn(&Complex) -> f64| x.iter().map(part).collect::<Vec<f64>>();
        let change = [parts(&first, |x| x.0), parts(&second, |x| x.0), parts(&second, |x| x.1)];
        for (w, change) in w.iter_mut().zip(&change) {
            w.iter_mut().zip(change).for_each(|(w, change)| *w += change);
        }
        z = transform(&BACK, &w);
        let size = change.iter().map(|change| norm(change.iter(), scale)).fold(0.0, f64::max);
        if !size.is_finite() {
            return None;
        }
        let rate = size / last;
        if size == 0.0 || (iteration > 1 && rate < 1.0 && rate / (1.0 - rate) * size <= enough) {
            return Some((z, iteration));
        }
        if iteration > 2 && rate >= 1.0 {
            // Roundings are left where nothing else is.
            return (size <= 1e-2).then_some((z, iteration));
        }
        last = size;
    }
    None
}
