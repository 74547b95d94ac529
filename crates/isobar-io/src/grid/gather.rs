//! Values of a variable in the columns that are wanted.

use netcdf_reader::{NcSliceInfo, NcSliceInfoElem, NcType, NcVariable};

use super::source::{Node, Role, Source};
use crate::error::Error;

/// What runs along the dimensions of a variable, which part of each was read, and the values.
type Part<'a> = (&'a [Option<Role>], &'a [(usize, usize)], &'a [f64]);

impl Source {
    /// Whether a variable has values at levels.
    pub(super) fn has_levels(&self, variable: &NcVariable) -> bool {
        let vertical = |role| matches!(role, Some(Role::Level | Role::Boundary));
        variable.dimensions.iter().any(|dimension| dimension.size > 1 && vertical(self.role(&dimension.name)))
    }

    /// The values of a variable in columns (ascending), `[column][level]`, in a unit; one value where it has no levels.
    pub(super) fn gather(&self, variable: &NcVariable, unit: &str, nodes: &[Node]) -> Result<Vec<Vec<f64>>, Error> {
        let conversion = self.conversion(variable, unit)?;
        self.gather_by(variable, |value| conversion.apply(value), nodes)
    }

    pub(super) fn gather_by(
        &self,
        variable: &NcVariable,
        convert: impl Fn(f64) -> f64,
        nodes: &[Node],
    ) -> Result<Vec<Vec<f64>>, Error> {
        let name = &variable.name;
        if matches!(variable.dtype, NcType::Char | NcType::String) {
            return Err(self.invalid(format!("{name} is text, expected numbers")));
        }
        let mesh = self.mesh()?;
        let (rows, columns) = mesh.size();
        let times = self.clock()?.0.len();
        let mut roles = Vec::new();
        for dimension in &variable.dimensions {
            let role = self.role(&dimension.name);
            let expected = match role {
                Some(Role::Time) => times,
                Some(Role::Row) => rows,
                Some(Role::Column) => columns,
                // A dimension of size 1 says nothing.
                None => 1,
                Some(Role::Level | Role::Boundary) => dimension.size as usize,
            };
            if dimension.size as usize != expected {
                let text = format!("{name} has dimension {} = {}; expected {expected}", dimension.name, dimension.size);
                return Err(self.invalid(text));
            }
            roles.push(role);
        }
        for (role, size, called) in [(Role::Row, rows, "latitudes"), (Role::Column, columns, "longitudes")] {
            if size > 1 && !roles.contains(&Some(role)) {
                return Err(self.invalid(format!("{name} has no dimension of the {called}")));
            }
        }
        let ends = |pick: &dyn Fn(&Node) -> usize| {
            let (low, high) = nodes.iter().map(pick).fold((usize::MAX, 0), |(low, high), i| (low.min(i), high.max(i)));
            (low, high + 1)
        };
        let (of_rows, of_columns) = (ends(&|node| node.row), ends(&|node| node.column));
        let varies = roles.contains(&Some(Role::Time));
        let mut gathered = Vec::with_capacity(nodes.len());
        for of_time in nodes.chunk_by(|a, b| !varies || a.time == b.time) {
            let range = |(role, dimension): (&Option<Role>, &netcdf_reader::NcDimension)| match role {
                Some(Role::Time) => (of_time[0].time, of_time[0].time + 1),
                Some(Role::Row) => of_rows,
                Some(Role::Column) => of_columns,
                _ => (0, dimension.size as usize),
            };
            let ranges: Vec<(usize, usize)> = roles.iter().zip(&variable.dimensions).map(range).collect();
            self.check_size(variable, ranges.iter().map(|(start, end)| (end - start) as u64))?;
            let selections = ranges.iter().map(|&(start, end)| NcSliceInfoElem::Slice {
                start: start as u64,
                end: end as u64,
                step: 1,
            });
            let selection = NcSliceInfo { selections: selections.collect() };
            let array = self.file.read_variable_slice_unpacked_masked(name, &selection);
            let array = array.map_err(|cause| self.invalid(format!("{name}: cannot be read: {cause}")))?;
            let expected: usize = ranges.iter().map(|(start, end)| end - start).product();
            let values: Vec<f64> = array.iter().copied().collect();
            if values.len() != expected {
                return Err(self.invalid(format!("{name} has {} of {expected} values", values.len())));
            }
            for node in of_time {
                gathered.push(self.column(variable, (&roles, &ranges, &values), node, &convert)?);
            }
        }
        Ok(gathered)
    }

    /// One column of what was read.
    fn column(
        &self,
        variable: &NcVariable,
        (roles, ranges, values): Part<'_>,
        node: &Node,
        convert: &impl Fn(f64) -> f64,
    ) -> Result<Vec<f64>, Error> {
        let (mut start, mut stride, mut level_stride, mut levels) = (0, 1, 0, 1);
        for (role, (low, high)) in roles.iter().zip(ranges).rev() {
            match role {
                Some(Role::Row) => start += (node.row - low) * stride,
                Some(Role::Column) => start += (node.column - low) * stride,
                Some(Role::Level | Role::Boundary) => (level_stride, levels) = (stride, high - low),
                Some(Role::Time) | None => {}
            }
            stride *= high - low;
        }
        let one = |level: usize| {
            let value = convert(values[start + level * level_stride]);
            if value.is_finite() {
                return Ok(value);
            }
            let Node { time, row, column } = node;
            let text = format!(
                "{}: the value at time {time}, level {level}, row {row}, column {column} (counted from 0) is missing",
                variable.name
            );
            Err(self.invalid(text))
        };
        (0..levels).map(one).collect()
    }
}
