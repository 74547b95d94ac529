//! Along which dimensions items run, where their names do not say that.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use netcdf_reader::NcVariable;

use super::vertical::is_in;
use super::{Dataset, Dimension, VariableSpec, attribute, find};
use crate::calendar::units::are_of_times;

impl Dataset {
    /// The variables that may be meant by one of these specifications.
    pub(crate) fn candidates<'a>(&self, specs: impl Iterator<Item = VariableSpec<'a>>) -> BTreeSet<String> {
        let of = |spec: VariableSpec<'a>| match self.names.iter().find(|(ours, _)| ours == spec.name) {
            Some((_, theirs)) => vec![theirs.clone()],
            None => find::candidates(&self.variables, &spec).into_iter().map(|one| one.name.clone()).collect(),
        };
        specs.flat_map(of).collect()
    }

    /// Names and sizes of the dimensions of variables in one of these units, or of all, that run along the vertical,
    /// but for the vertical ones, and of all also those of bands and the like: in the order of the variable that has
    /// most of them; of these variables alone, where they are given. Nothing where there is no such variable. Bounds of
    /// coordinates have a dimension of their own.
    pub(crate) fn dimensions_beside_vertical(
        &self,
        units: Option<&[&str]>,
        of: Option<&BTreeSet<String>>,
    ) -> Option<Vec<(String, usize)>> {
        let bounds: Vec<String> =
            self.variables.iter().filter_map(|variable| attribute::of(variable, "bounds")).collect();
        let is_wanted = |variable: &&NcVariable| {
            !bounds.contains(&variable.name)
                && !["_bnds", "_bounds"].iter().any(|ending| variable.name.ends_with(ending))
        };
        let is_vertical = |name: &str| self.role(name).is_some_and(Dimension::is_vertical);
        let is_of_items = |name: &str| units.is_some() || self.role(name).is_none_or(Dimension::is_of_items);
        let beside = |variable: &NcVariable| -> Option<Vec<(String, usize)>> {
            let (vertical, beside): (Vec<_>, Vec<_>) =
                variable.dimensions.iter().partition(|dimension| is_vertical(&dimension.name));
            (!vertical.is_empty()).then(|| {
                let named = beside.into_iter().filter(|dimension| is_of_items(&dimension.name));
                named.map(|dimension| (dimension.name.clone(), dimension.size as usize)).collect()
            })
        };
        let in_units = |variable: &&NcVariable| units.is_none_or(|units| is_in(variable, units));
        let is_known = |variable: &&NcVariable| of.is_none_or(|names| names.contains(&variable.name));
        let wanted = self.variables.iter().filter(in_units).filter(is_known).filter(is_wanted);
        let mut all: Vec<_> = wanted.filter_map(beside).collect();
        if all.is_empty() {
            return None;
        }
        all.sort_by_key(|beside| Reverse(beside.len()));
        let mut found: Vec<(String, usize)> = Vec::new();
        for dimension in all.into_iter().flatten() {
            if !found.contains(&dimension) {
                found.push(dimension);
            }
        }
        Some(found)
    }

    /// Whether variables that run along the vertical have a dimension, too.
    pub(crate) fn is_beside_vertical(&self, dimension: &str) -> bool {
        let is_vertical = |name: &str| self.role(name).is_some_and(Dimension::is_vertical);
        self.variables.iter().any(|variable| {
            let names = || variable.dimensions.iter().map(|one| &one.name);
            names().any(|name| name == dimension) && names().any(|name| is_vertical(name))
        })
    }

    /// After how many of the dimensions of items that of layers comes, in the variables that have all of them.
    pub(crate) fn vertical_position(&self, items: &[String]) -> usize {
        let is_vertical = |name: &str| self.role(name).is_some_and(Dimension::is_vertical);
        let position = |variable: &NcVariable| {
            let dimensions = &variable.dimensions;
            let count = dimensions.iter().filter(|one| items.contains(&one.name)).count();
            let vertical = dimensions.iter().position(|one| is_vertical(&one.name))?;
            let before = dimensions[..vertical].iter().filter(|one| items.contains(&one.name)).count();
            (count == items.len()).then_some(before)
        };
        self.variables_in(&["K", "Pa"]).find_map(position).unwrap_or(0)
    }

    /// Takes dimensions for those along which items run: [`Dimension::Other`] in this order.
    pub(crate) fn take_for_items(&mut self, names: Vec<String>) {
        self.others = names;
    }

    /// Takes the dimension for that of times whose coordinate says that it is, by its standard name, its axis, a unit
    /// since a date, or as `t` in a unit of time, where no name does; the first way first.
    pub(crate) fn take_times(&mut self) {
        if self.has_dimension(Dimension::Time) {
            return;
        }
        let says = |one: &NcVariable, name: &str, text: &str| attribute::of(one, name).is_some_and(|own| own == text);
        let since = |one: &NcVariable| attribute::of(one, "units").is_some_and(|units| are_of_times(&units));
        let is_t = |one: &NcVariable| one.name.eq_ignore_ascii_case("t") && is_in(one, &["s"]);
        let ways: [&dyn Fn(&NcVariable) -> bool; 4] =
            [&|one| says(one, "standard_name", "time"), &|one| says(one, "axis", "T"), &since, &is_t];
        let is_coordinate = |one: &&NcVariable| one.dimensions.len() == 1 && one.dimensions[0].name == one.name;
        let coordinates = || self.variables.iter().filter(is_coordinate).filter(|one| self.role(&one.name).is_none());
        self.times = ways.iter().find_map(|way| coordinates().find(|one| way(one)).map(|one| one.name.clone()));
    }

    /// Names and sizes of the dimensions that were taken for those of items.
    pub(crate) fn of_items(&self) -> Vec<(String, usize)> {
        let size =
            |name: &String| self.dimensions.iter().find(|other| other.name == *name).map_or(1, |d| d.size as usize);
        self.others.iter().map(|name| (name.clone(), size(name))).collect()
    }
}
