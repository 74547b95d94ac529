//! Turbulent energy of a tile: sources beside the sweep upward of everything else, then transport from the top down and
//! up again.

use core::mem::replace;

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::physical::Physical;
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::layer::Layer;
use crate::physics::potential_temperature::{deviation, virtual_deviation};
use crate::physics::shin_hong::energy::{Against, Source, at_surface, doubled, produced};
use crate::physics::shin_hong::length::{Lengths, Mean};
use crate::physics::shin_hong::partition;
use crate::physics::shin_hong::scaled::local_ratio;
use crate::physics::shin_hong::transport::{Above, Driven, Row, countergradient, eliminate, entrained};
use crate::schedule::energy_memory as memory;
use crate::schedule::interface::Interface;
use crate::schedule::tile::{AT_A_TIME, Tile, at_a_time, each_level};
use crate::shin_hong_constants::{ENTRAINED_ENERGY, LEAST_DOUBLE_ENERGY, LEAST_DOUBLE_ENERGY_OF_LENGTHS};

/// What the sweep upward has of turbulent energy.
pub(crate) struct Rising<R, const W: usize> {
    pub(crate) mean: Mean<[R; W]>,
    /// The energy at the next interface, which a GPU reads beside the one before.
    next: [R; W],
}

impl<R: Real, const W: usize> Rising<R, W> {
    /// Of schemes without turbulent energy.
    pub(crate) fn nothing() -> Self {
        Self { mean: Mean::<[R; W]>::zeros(), next: [R::ZERO; W] }
    }

    /// Before the first interface.
    #[inline(always)]
    pub(crate) fn start<const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) -> Self {
        let energy = stored(batch, tile, 0);
        let mut rising = Self::nothing();
        for lane in 0..W {
            rising.mean.set(lane, Mean::start(doubled(energy[lane])));
        }
        if W == 1 {
            rising.next = stored(batch, tile, 1);
        }
        rising
    }

    /// The energy at the interface above layer `level`.
    #[inline(always)]
    fn above<const F: u8>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W, F>, level: usize) -> [R; W] {
        if W > 1 {
            return stored(batch, tile, level + 1);
        }
        // Beyond the uppermost layer it is any other one, and not used.
        let next = stored(batch, tile, (level + 2).min(batch.layers() - 1));
        replace(&mut self.next, next)
    }
}

/// The energy of a level before the step.
#[inline(always)]
fn stored<R: Real, const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>, level: usize) -> [R; W] {
    tile.read(&batch.columns.turbulent_energy_m2_per_s2, tile.offset(level, batch.strides()))
}

/// Keeps the sources at the interface above layer `level`.
#[inline(always)]
pub(crate) fn keep_source<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    level: usize,
    [lower, upper]: [&Layer<[R; W]>; 2],
    at: &Interface<[R; W], [u32; W]>,
    rising: &mut Rising<R, W>,
) {
    let energy = rising.above(batch, tile, level);
    let mut against = Against::<[R; W]>::zeros();
    if tile.any(&at.below) {
        for lane in 0..W {
            let (mixing, scaled) = (boundary_layer.mixing.lane(lane), boundary_layer.scaled.lane(lane));
            let diffusivity = at.diffusivity.lane(lane);
            let explicit = boundary_layer.mixed[lane] & at.below[lane] != 0;
            let found = Against::new(&mixing, &scaled, &diffusivity, at.entrained[lane], at.nonlocal[lane]);
            against.set(lane, if explicit { found } else { Against::default() });
        }
    }
    let mut sources = Source::<[R; W]>::zeros();
    for lane in 0..W {
        let (lower, upper) = (lower.lane(lane), upper.lane(lane));
        let (diffusivity, against, doubled) = (at.diffusivity.lane(lane), against.lane(lane), doubled(energy[lane]));
        let reference = boundary_layer.lowest.reference[lane];
        let source = Source::new([&lower, &upper], reference, &diffusivity, &against, doubled, &batch.parameters);
        sources.set(lane, source);
        let turbulent = (level as u32) + 2 <= boundary_layer.layer[lane];
        rising.mean.set(lane, rising.mean.lane(lane).with(doubled, lower.top, turbulent));
    }
    memory::keep_source(batch, tile, level + 1, &sources);
}

/// What transport downward reads of a layer: its air, its tendencies, and at its lower interface energy, diffusivity of
/// heat and sources, of which the surface has none.
#[derive(Clone, Copy)]
struct Read<R, const W: usize> {
    temperature: [R; W],
    exner: [R; W],
    vapour: [R; W],
    heating: [R; W],
    moistening: [R; W],
    energy: [R; W],
    diffusivity: [R; W],
    source: Source<[R; W]>,
}

impl<R: Real, const W: usize> Read<R, W> {
    #[inline(always)]
    fn layer<const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>, level: usize) -> Self {
        let (air, results) = (&batch.columns, &batch.results);
        let row = tile.offset(level, batch.strides());
        let result = tile.offset(level, batch.result_strides::<W>());
        Self {
            temperature: tile.read(&air.temperature_k, row),
            exner: tile.read(&air.exner, row),
            vapour: tile.read(&air.vapour_kg_per_kg, row),
            heating: tile.read_back(&results.theta_tendency_k_per_s, result),
            moistening: tile.read_back(&results.vapour_tendency_kg_per_kg_s, result),
            energy: stored(batch, tile, level),
            diffusivity: tile.read_back(&results.diffusivity_heat_m2_per_s, result),
            source: if level > 0 { memory::take_source(batch, tile, level) } else { Source::<[R; W]>::zeros() },
        }
    }
}

/// A layer, as transport downward sees it.
#[derive(Clone, Copy)]
struct Passed<R, const W: usize> {
    thickness: [R; W],
    virtual_theta: [R; W],
    /// The energy before the step, twice, at its lower interface.
    energy: [R; W],
    /// Upward flux of virtual potential temperature through its lower interface, as the step made it: of temperature,
    /// of vapour and of both \[K m/s\].
    heat: [R; W],
    vapour: [R; W],
    both: [R; W],
}

impl<R: Real, const W: usize> Passed<R, W> {
    fn nothing() -> Self {
        let none = [R::ZERO; W];
        Self { thickness: none, virtual_theta: [R::ONE; W], energy: none, heat: none, vapour: none, both: none }
    }

    /// The layer below this one.
    #[inline(always)]
    fn next(&self, air: &Read<R, W>, thickness: [R; W], physical: &Physical<R>) -> Self {
        let mut next = Self { thickness, ..*self };
        for lane in 0..W {
            let warmth = deviation(air.temperature[lane], air.exner[lane], R::ZERO);
            next.virtual_theta[lane] = virtual_deviation(warmth, air.vapour[lane], R::ZERO, physical);
            next.energy[lane] = air.energy[lane] + air.energy[lane];
            next.heat[lane] += air.heating[lane] * air.exner[lane] * thickness[lane];
            next.vapour[lane] += air.moistening[lane] * thickness[lane];
            next.both[lane] = next.heat[lane] + next.vapour[lane] * physical.virtual_share * warmth;
        }
        next
    }
}

/// The energy after the step, and its mixing length, go to the results. The number is finite if all are.
#[inline(always)]
pub(crate) fn advance<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    mean: &Mean<[R; W]>,
) -> [R; W] {
    let coriolis = tile.read_column(&batch.columns.coriolis_per_s);
    let mut lengths = Lengths::<[R; W]>::zeros();
    for lane in 0..W {
        let (mean, ground, mixed) = (mean.lane(lane), boundary_layer.ground.lane(lane), boundary_layer.mixed[lane]);
        let scales = boundary_layer.scales.lane(lane);
        let found = Lengths::new(&mean, &ground, &scales, coriolis[lane], mixed != 0, &batch.parameters);
        lengths.set(lane, found);
    }
    downward(batch, tile, boundary_layer, &lengths);
    upward(batch, tile, boundary_layer)
}

/// The energy that entrainment carries through the top, twice.
#[inline(always)]
fn entrained_energy<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
) -> [R; W] {
    let (mut flux, last) = ([R::ZERO; W], batch.layers() as u32 - 1);
    for lane in 0..W {
        let top = boundary_layer.layer[lane];
        let below = top.saturating_sub(2);
        let below = if below > last - 2 { last - 2 } else { below };
        let energy = |level: u32| {
            let at = tile.offset_of_lane(level as usize, lane, batch.strides());
            doubled(tile.value(&batch.columns.turbulent_energy_m2_per_s2, at))
        };
        let difference = energy(below + 2) - energy(below);
        let velocity = boundary_layer.scaled.entrainment[lane];
        flux[lane] = (velocity + velocity) * (R::from_f64(ENTRAINED_ENERGY) * difference);
    }
    flux
}

/// Production, dissipation and elimination from the top down.
#[inline(always)]
fn downward<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    lengths: &Lengths<[R; W]>,
) {
    let (parameters, last) = (&batch.parameters, batch.layers() - 1);
    let (mixing, distance) = (&boundary_layer.mixing, &boundary_layer.scaled.distance);
    let at_top = entrained_energy(batch, tile, boundary_layer);
    let thickness =
        |level: usize| -> [R; W] { tile.read(&batch.columns.thickness_m, tile.offset(level, batch.strides())) };
    let none = [R::ZERO; W];
    let uppermost = Read::layer(batch, tile, last);
    let mut here = Passed::nothing().next(&uppermost, thickness(last), &parameters.physical);
    let (mut source, mut heat) = (uppermost.source, uppermost.diffusivity);
    // The thicknesses of the layer below and of that under it, which a GPU reads a layer ahead, as it reads all else.
    let (mut thickness_below, mut thickness_ahead, mut ahead) = (thickness(last - 1), none, uppermost);
    if W == 1 {
        (thickness_ahead, ahead) = (thickness(last.saturating_sub(2)), Read::layer(batch, tile, last - 1));
    }
    let mut above = Above::<[R; W]>::zeros();
    // The shares of lengths in their limits, of the interface and of that above, and the countergradient flux.
    let (mut share, mut share_above, mut flux) = (none, none, none);
    let mut per_both = none;
    for lane in 0..W {
        above.per_pivot[lane] = R::ONE;
    }
    let mut level = last;
    while level >= 1 {
        // Interfaces count like the layers above them: number 1 of layers is the surface's, 0 here.
        let number = level as u32 + 1;
        // At the lowest interface, where nothing is below: that of any layer, which no diffusivity multiplies.
        let (air, lowest) = if W == 1 {
            let next = Read::layer(batch, tile, level.saturating_sub(2));
            let next_thickness = thickness(level.saturating_sub(3));
            (replace(&mut ahead, next), replace(&mut thickness_ahead, next_thickness))
        } else {
            (Read::layer(batch, tile, level - 1), thickness(level.saturating_sub(2)))
        };
        let below = here.next(&air, thickness_below, &parameters.physical);
        let (heat_below, source_below) = (air.diffusivity, air.source);
        let (mut rows, mut length) = (Row::<[R; W]>::zeros(), none);
        let (mut turbulent, mut flux_below) = ([0; W], none);
        for lane in 0..W {
            turbulent[lane] = u32::from(number <= boundary_layer.layer[lane] + 1) & boundary_layer.mixed[lane];
        }
        let mut part = [R::ONE; W];
        if tile.any(&turbulent) {
            for lane in 0..W {
                let mixing = mixing.lane(lane);
                let centre = source.height[lane] - R::from_f64(0.5) * below.thickness[lane];
                let of_grid = partition::momentum(local_ratio(centre, &mixing, distance[lane]));
                part[lane] = if turbulent[lane] != 0 { of_grid } else { R::ONE };
                let (ends, energies) = ([below.both[lane], here.both[lane]], [below.energy[lane], here.energy[lane]]);
                let theta = below.virtual_theta[lane];
                let convective = boundary_layer.scales.convective[lane];
                let of_thermals = countergradient(&mixing, convective, theta, ends, energies, parameters);
                let inside = number <= boundary_layer.layer[lane] && turbulent[lane] != 0;
                flux_below[lane] = if inside { of_thermals } else { R::ZERO };
            }
        }
        for lane in 0..W {
            let (column, mixing, top) = (lengths.lane(lane), mixing.lane(lane), boundary_layer.layer[lane]);
            let at = source.lane(lane);
            let both = here.thickness[lane] + below.thickness[lane];
            if level == last {
                per_both[lane] = R::ONE.plain_quotient(both);
                let first = if number <= top { column.inside(at.height) } else { Lengths::above(both) };
                share[lane] = first.plain_quotient(at.limit);
            }
            let both_below = below.thickness[lane] + lowest[lane];
            let under = source_below.lane(lane);
            let first_below = if number - 1 <= top { column.inside(under.height) } else { Lengths::above(both_below) };
            let limit_below = if level > 1 { under.limit } else { R::ONE };
            let share_below = first_below.plain_quotient(limit_below);

            let first = if number <= top { column.inside(at.height) } else { Lengths::above(both) };
            let smooth = (number >= 3) & (number < top);
            let shares = [share_below, share[lane], share_above[lane]];
            let doubled = here.energy[lane].at_least(R::from_f64(LEAST_DOUBLE_ENERGY_OF_LENGTHS));
            length[lane] = column.at(&at, first, shares, doubled, smooth);
            let made = produced(doubled, &at, length[lane], distance[lane], parameters.step);

            let per_below = R::ONE.plain_quotient(both_below);
            let exchange = (heat[lane] * per_both[lane] + heat_below[lane] * per_below) * part[lane];
            let half = R::from_f64(0.5);
            let entrained_above = entrained(at.height + half * here.thickness[lane], &mixing);
            let entrained_below = entrained(at.height - half * below.thickness[lane], &mixing);
            let driven = Driven {
                above: flux[lane] * above.exchange[lane] * here.thickness[lane] + at_top[lane] * entrained_above,
                below: flux_below[lane] * exchange * below.thickness[lane] + at_top[lane] * entrained_below,
            };
            let inside = (boundary_layer.mixed[lane] != 0) & (number < top);
            let driven = if inside { driven } else { Driven::default() };
            let (left, row) = eliminate(&above.lane(lane), exchange, &driven, made, per_both[lane], parameters);
            above.set(lane, left);
            rows.set(lane, row);
            (share_above[lane], share[lane]) = (share[lane], share_below);
            per_both[lane] = per_below;
        }
        tile.write_once(&batch.results.mixing_length_m, tile.offset(level, batch.result_strides::<W>()), length);
        memory::keep_energy(batch, tile, level, &rows);
        (here, source, heat, flux) = (below, source_below, heat_below, flux_below);
        thickness_below = lowest;
        level -= 1;
    }
}

/// Writes the energy of a level, and adds it to a sum.
///
/// No closure: on a CPU it was not compiled with the kernel's vectors, and a twentieth of the scheme's time.
#[inline(always)]
fn write_energy<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    energy: &[R; W],
    sum: &mut [R; W],
) {
    let mut result = *energy;
    for lane in 0..W {
        result[lane] = R::from_f64(0.5) * energy[lane].at_least(R::from_f64(LEAST_DOUBLE_ENERGY));
        sum[lane] += result[lane];
    }
    let at = tile.offset(level, batch.result_strides::<W>());
    tile.write_once(&batch.results.turbulent_energy_m2_per_s2, at, result);
}

/// Substitution from the surface up.
#[inline(always)]
fn upward<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
) -> [R; W] {
    let (mut energy, mut sum) = ([R::ZERO; W], [R::ZERO; W]);
    for lane in 0..W {
        energy[lane] = at_surface(boundary_layer.ground.friction_velocity[lane]);
    }
    tile.write_once(&batch.results.mixing_length_m, tile.offset(0, batch.result_strides::<W>()), [R::ZERO; W]);
    write_energy(batch, tile, 0, &energy, &mut sum);
    let mut rows = [Row::<[R; W]>::zeros(); AT_A_TIME];
    let (mut level, last) = (1, batch.layers() - 1);
    while level <= last {
        each_level!(I < at_a_time::<R, W>() => {
            rows[I] = memory::take_energy(batch, tile, (level + I).min(last));
        });
        each_level!(I < at_a_time::<R, W>() => {
            if level <= last {
                for lane in 0..W {
                    energy[lane] = rows[I].factor[lane].mul_add(energy[lane], rows[I].value[lane]);
                }
                write_energy(batch, tile, level, &energy, &mut sum);
                level += 1;
            }
        });
    }
    sum
}
