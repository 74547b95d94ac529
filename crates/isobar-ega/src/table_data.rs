//! Tables of all gases and channels packed for a core.

use std::borrow::Cow;
use std::collections::HashMap;

use isobar_core::{Column, Real};

use crate::column_runs::{ColumnPool, ColumnRuns};
use crate::curve::CurveHead;
use crate::interpolation::Interpolation;
use crate::limits::JURASSIC_LEAST_PRESSURES;
use crate::table::{Curve, EmissivityTable, PressureLevel, TableError};
use crate::tables::{GridHead, LevelHead, NO_GRID, TableHead, Tables};

/// The head of a gas that is transparent in a channel.
const NO_TABLE: TableHead = TableHead { grid: NO_GRID, stride: 0, first_curve: 0, first_emissivity: 0 };

/// The arrays behind [`Tables`].
///
/// A curve is contiguous in memory: along a path a core moves slowly on a curve, so that a cache line of 32 nodes
/// serves it for long. (With the channel fastest neighbouring channels would share lines only where their curves begin
/// at the same column density, which those of different line strengths do not; see docs/design.md.)
#[derive(Clone, Debug, Default)]
pub struct TableData {
    tables: Vec<TableHead>,
    grids: Vec<GridHead>,
    levels: Vec<LevelHead>,
    temperatures_k: Vec<f64>,
    curves: Vec<CurveHead>,
    column_per_cm2: Vec<f32>,
    inverse_width_cm2: Vec<f64>,
    inverse_width_cm2_f32: Vec<f32>,
    emissivity: Vec<f32>,
    interpolation: Interpolation,
}

impl TableData {
    /// Packs `tables`, `gas * channels + channel`; `None` means that the gas is transparent there.
    ///
    /// With `jurassic` a table of fewer than 30 pressures is left out, as JURASSIC does without a word.
    ///
    /// # Errors
    /// A table whose axes are not monotone or whose values are out of range, with its place.
    pub fn new(tables: &[Option<EmissivityTable>], channels: usize, jurassic: bool) -> Result<Self, TableError> {
        Self::packed(tables, channels, jurassic, Interpolation::Linear)
    }

    /// Packs tables for an interpolation: curves of logarithms for that in logarithms. Of a curve, nodes that single
    /// precision does not tell apart from those before, and with logarithms those without emissivity, are left out.
    ///
    /// # Errors
    /// As [`TableData::new`]; for an interpolation in logarithms, a curve without any emissivity.
    pub fn packed(
        tables: &[Option<EmissivityTable>],
        channels: usize,
        jurassic: bool,
        interpolation: Interpolation,
    ) -> Result<Self, TableError> {
        let usable = |table: &&EmissivityTable| {
            let least = if jurassic { JURASSIC_LEAST_PRESSURES } else { 1 };
            table.pressures.len() >= least && table.pressures.iter().all(|level| !level.curves.is_empty())
        };
        let tables: Vec<Option<Ascending<'_>>> = tables
            .iter()
            .map(|table| table.as_ref().filter(usable).map(|table| Ascending::new(table, interpolation)).transpose())
            .collect::<Result<_, _>>()?;
        let mut runs = ColumnRuns::of(interpolation);
        tables.iter().flatten().flat_map(Ascending::curves).for_each(|curve| runs.add(&curve.columns));
        let mut pool = runs.pool();
        if pool.columns.len() > i32::MAX as usize {
            return Err(TableError::TooManyColumns(pool.columns.len()));
        }
        let mut data = Self { interpolation, ..Self::default() };
        let mut grids = HashMap::new();
        for row in tables.chunks(channels.max(1)) {
            let heads: Vec<u32> =
                row.iter().map(|table| table.as_ref().map_or(NO_GRID, |table| data.grid(table, &mut grids))).collect();
            data.add_gas(row, &heads, &pool)?;
        }
        data.column_per_cm2 = core::mem::take(&mut pool.columns);
        let inverse = |u: &[f32]| if u[1] > u[0] { 1.0 / (f64::from(u[1]) - f64::from(u[0])) } else { 1.0 };
        data.inverse_width_cm2 = match interpolation {
            Interpolation::Linear => data.column_per_cm2.windows(2).map(inverse).chain([1.0]).collect(),
            Interpolation::Logarithmic => data.column_per_cm2.iter().map(|&u| Real::exp(-f64::from(u))).collect(),
        };
        data.inverse_width_cm2.extend(data.inverse_width_cm2.is_empty().then_some(1.0));
        data.inverse_width_cm2_f32 = data.inverse_width_cm2.iter().map(|&x| x as f32).collect();
        // A view has at least one element.
        data.grids.extend(data.grids.is_empty().then_some(GridHead { first_level: 0, levels: 1 }));
        if data.levels.is_empty() {
            data.levels.push(LevelHead {
                pressure_hpa: 1.0,
                first_temperature: 0,
                temperatures: 1,
                first_node: 0,
                unused: 0,
            });
            data.temperatures_k.push(1.0);
        }
        data.curves.extend(data.curves.is_empty().then_some(CurveHead::default()));
        data.column_per_cm2.extend(data.column_per_cm2.is_empty().then_some(0.0));
        data.emissivity.extend(data.emissivity.is_empty().then_some(0.0));
        if data.tables.is_empty() {
            data.tables.push(NO_TABLE);
        }
        Ok(data)
    }

    /// The number of the table's grid, a new one unless an equal one is known.
    fn grid(&mut self, table: &Ascending<'_>, known: &mut HashMap<Vec<u64>, u32>) -> u32 {
        let mut key = Vec::new();
        for (pressure, curves) in &table.levels {
            key.push(pressure.to_bits());
            key.push(curves.len() as u64);
            key.extend(curves.iter().map(|curve| curve.temperature_k.to_bits()));
        }
        if let Some(&grid) = known.get(&key) {
            return grid;
        }
        let grid = self.grids.len() as u32;
        known.insert(key, grid);
        self.grids.push(GridHead { first_level: self.levels.len() as u32, levels: table.levels.len() as u32 });
        let mut first_node = 0;
        for (pressure, curves) in &table.levels {
            self.levels.push(LevelHead {
                pressure_hpa: *pressure,
                first_temperature: self.temperatures_k.len() as u32,
                temperatures: curves.len() as u32,
                first_node,
                unused: 0,
            });
            first_node += curves.len() as u32;
            self.temperatures_k.extend(curves.iter().map(|curve| curve.temperature_k));
        }
        grid
    }

    /// Adds the curves of one gas. Where all its channels share a grid, their heads are interleaved: those of
    /// all channels at one node of the grid, which a CPU's thread reads together, are neighbours.
    fn add_gas(&mut self, row: &[Option<Ascending<'_>>], grids: &[u32], pool: &ColumnPool) -> Result<(), TableError> {
        let shared = grids.iter().all(|&grid| grid == grids[0]) && grids[0] != NO_GRID;
        let mut first = self.curves.len();
        let nodes = |table: &Ascending<'_>| table.curves().count();
        let total: usize = row.iter().flatten().map(nodes).sum();
        self.curves.resize(first + total, CurveHead::default());
        for (channel, (table, &grid)) in row.iter().zip(grids).enumerate() {
            let Some(table) = table else {
                self.tables.push(NO_TABLE);
                continue;
            };
            let (start, stride) = if shared { (first + channel, row.len()) } else { (first, 1) };
            let first_emissivity = self.emissivity.len();
            for (node, curve) in table.curves().enumerate() {
                let (column, inverse_log_step) = pool.find(&curve.columns);
                self.emissivity.push(f32::NEG_INFINITY);
                let emissivity = self.emissivity.len() - first_emissivity;
                self.curves[start + node * stride] = CurveHead {
                    emissivity: u32::try_from(emissivity).map_err(|_| TableError::TooLarge)?,
                    column: column as u32,
                    len: curve.emissivities.len() as u32,
                    inverse_log_step,
                };
                self.emissivity.extend_from_slice(&curve.emissivities);
                self.emissivity.push(f32::INFINITY);
            }
            self.tables.push(TableHead {
                grid,
                stride: stride as u32,
                first_curve: start as u64,
                first_emissivity: first_emissivity as u64,
            });
            if !shared {
                first += nodes(table);
            }
        }
        Ok(())
    }

    /// The interpolation for which they are packed.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// A view for a core on this host.
    #[must_use]
    pub fn view(&self) -> Tables<'_> {
        Tables {
            tables: Column::from(self.tables.as_slice()),
            grids: Column::from(self.grids.as_slice()),
            levels: Column::from(self.levels.as_slice()),
            temperatures_k: Column::from(self.temperatures_k.as_slice()),
            curves: Column::from(self.curves.as_slice()),
            column_per_cm2: Column::from(self.column_per_cm2.as_slice()),
            inverse_width_cm2: Column::from(self.inverse_width_cm2.as_slice()),
            inverse_width_cm2_f32: Column::from(self.inverse_width_cm2_f32.as_slice()),
            emissivity: Column::from(self.emissivity.as_slice()),
        }
    }

    /// The arrays in the order of the fields of [`Tables`], for a device.
    #[must_use]
    pub fn parts(&self) -> TableParts<'_> {
        TableParts {
            tables: &self.tables,
            grids: &self.grids,
            levels: &self.levels,
            temperatures_k: &self.temperatures_k,
            curves: &self.curves,
            column_per_cm2: &self.column_per_cm2,
            inverse_width_cm2: &self.inverse_width_cm2,
            inverse_width_cm2_f32: &self.inverse_width_cm2_f32,
            emissivity: &self.emissivity,
        }
    }
}

/// The arrays of a [`TableData`], to upload.
#[derive(Clone, Copy, Debug)]
pub struct TableParts<'a> {
    /// See [`Tables::tables`].
    pub tables: &'a [TableHead],
    /// See [`Tables::grids`].
    pub grids: &'a [GridHead],
    /// See [`Tables::levels`].
    pub levels: &'a [LevelHead],
    /// See [`Tables::temperatures_k`].
    pub temperatures_k: &'a [f64],
    /// See [`Tables::curves`].
    pub curves: &'a [CurveHead],
    /// See [`Tables::column_per_cm2`].
    pub column_per_cm2: &'a [f32],
    /// See [`Tables::inverse_width_cm2`].
    pub inverse_width_cm2: &'a [f64],
    /// See [`Tables::inverse_width_cm2_f32`].
    pub inverse_width_cm2_f32: &'a [f32],
    /// See [`Tables::emissivity`].
    pub emissivity: &'a [f32],
}

impl TableParts<'_> {
    /// The memory that they take, on a device as on the host \[bytes\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.tables)
            + size_of_val(self.grids)
            + size_of_val(self.levels)
            + size_of_val(self.temperatures_k)
            + size_of_val(self.curves)
            + size_of_val(self.column_per_cm2)
            + size_of_val(self.inverse_width_cm2)
            + size_of_val(self.inverse_width_cm2_f32)
            + size_of_val(self.emissivity)
    }
}

/// A checked table with its pressures ascending, whatever their order in the file, and its curves as they are packed.
struct Ascending<'a> {
    levels: Vec<(f64, Vec<Packed<'a>>)>,
}

/// A curve, or its logarithms.
struct Packed<'a> {
    temperature_k: f64,
    columns: Cow<'a, [f32]>,
    emissivities: Cow<'a, [f32]>,
}

impl<'a> Ascending<'a> {
    fn new(table: &'a EmissivityTable, interpolation: Interpolation) -> Result<Self, TableError> {
        table.validate()?;
        let level = |level: &'a PressureLevel| {
            let curves = level.curves.iter().map(|curve| Packed::new(curve, level.pressure_hpa, interpolation));
            Ok((level.pressure_hpa, curves.collect::<Result<_, TableError>>()?))
        };
        let mut levels: Vec<_> = table.pressures.iter().map(level).collect::<Result<_, TableError>>()?;
        if levels.len() > 1 && levels[1].0 < levels[0].0 {
            levels.reverse();
        }
        Ok(Self { levels })
    }

    fn curves(&self) -> impl Iterator<Item = &Packed<'a>> {
        self.levels.iter().flat_map(|(_, curves)| curves.iter())
    }
}

impl<'a> Packed<'a> {
    fn new(curve: &'a Curve, pressure_hpa: f64, interpolation: Interpolation) -> Result<Self, TableError> {
        let temperature_k = curve.temperature_k;
        if interpolation == Interpolation::Linear && curve.logarithms.is_empty() {
            let (columns, emissivities) = (&curve.column_per_cm2[..], &curve.emissivity[..]);
            return Ok(Self { temperature_k, columns: columns.into(), emissivities: emissivities.into() });
        }
        let (mut columns, mut emissivities) = (Vec::new(), Vec::new());
        let mut push = |column: f32, emissivity: f32| {
            let ascends = |values: &[f32], x: f32| values.last().is_none_or(|&last| x > last);
            if emissivity > f32::NEG_INFINITY && ascends(&columns, column) && ascends(&emissivities, emissivity) {
                columns.push(column);
                emissivities.push(emissivity);
            }
        };
        match interpolation {
            Interpolation::Linear => {
                curve.column_per_cm2.iter().zip(&curve.emissivity).for_each(|(&column, &e)| push(column, e));
            }
            Interpolation::Logarithmic => {
                curve.to_logarithms().iter().for_each(|&[column, emissivity]| push(column, emissivity));
            }
        }
        if columns.is_empty() {
            let place = format!(" at {pressure_hpa} hPa, {temperature_k} K");
            let (axis, range) = ("emissivity", "(0, 1], for an interpolation in logarithms");
            return Err(TableError::Range { axis, index: 0, value: 0.0, range, place });
        }
        Ok(Self { temperature_k, columns: columns.into(), emissivities: emissivities.into() })
    }
}
