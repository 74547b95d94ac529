//! Variables of the groups of a netCDF-4 file, beside those of its root.

use std::path::{Path, PathBuf};

use netcdf_reader::{NcDimension, NcGroup, NcVariable};

use super::store::Store;

/// An open file.
pub(super) struct Opened {
    pub(super) path: PathBuf,
    pub(super) store: Store,
    /// Variables of groups: what they are called here, and their paths.
    paths: Vec<(String, String)>,
    /// Dimensions of one name and several sizes, and which group has which.
    clashes: Vec<(String, String)>,
}

impl Opened {
    /// A file with its dimensions and variables. Those of groups go by their names where no other has these, and else
    /// by their paths (`/group/variable`).
    pub(super) fn new(path: &Path, store: Store) -> netcdf_reader::Result<(Self, Vec<NcDimension>, Vec<NcVariable>)> {
        let root = store.root()?;
        let mut variables = root.variables.clone();
        let in_root = root.dimensions.iter().map(|dimension| (dimension.clone(), "/".to_owned()));
        let mut found = Dimensions { all: in_root.collect(), clashes: Vec::new() };
        let mut in_groups = Vec::new();
        for group in &root.groups {
            collect(group, "", &mut found, &mut in_groups);
        }
        let Dimensions { all, clashes } = found;
        let dimensions = all.into_iter().map(|(dimension, _)| dimension).collect();
        let names: Vec<String> = in_groups.iter().map(|(_, variable)| variable.name.clone()).collect();
        let is_alone = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let in_root: Vec<String> = variables.iter().map(|variable| variable.name.clone()).collect();
        let mut paths = Vec::new();
        for (path, mut variable) in in_groups {
            if in_root.contains(&variable.name) || !is_alone(&variable.name) {
                variable.name.clone_from(&path);
            }
            paths.push((variable.name.clone(), path));
            variables.push(variable);
        }
        Ok((Self { path: path.to_owned(), store, paths, clashes }, dimensions, variables))
    }

    /// In words which groups have dimensions of this name and another size, if any do.
    pub(super) fn clash(&self, dimension: &str) -> Option<&str> {
        self.clashes.iter().find(|(name, _)| name == dimension).map(|(_, text)| text.as_str())
    }

    /// Where a variable is in the file.
    pub(super) fn path_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.paths.iter().find(|(known, _)| known == name).map_or(name, |(_, path)| path)
    }

    /// What a variable is called here that goes by a name or a path, with a slash before it or without.
    pub(super) fn name_of(&self, path: &str) -> Option<&str> {
        let wanted = path.trim_start_matches('/');
        let found = self.paths.iter().find(|(_, path)| path.trim_start_matches('/') == wanted);
        found.map(|(name, _)| name.as_str())
    }

    /// A variable as the file has it, by the name that it has here.
    pub(super) fn variable(&self, name: &str) -> netcdf_reader::Result<NcVariable> {
        let found = self.store.variable(self.path_of(name))?.clone();
        Ok(NcVariable { name: name.to_owned(), ..found })
    }
}

/// The dimensions of a file.
struct Dimensions {
    /// The first of each name, with its group.
    all: Vec<(NcDimension, String)>,
    /// Names that others of another size have, and which group has which.
    clashes: Vec<(String, String)>,
}

/// Adds the variables of a group and of those in it, with their paths, and its dimensions that are not known yet.
fn collect(group: &NcGroup, above: &str, found: &mut Dimensions, variables: &mut Vec<(String, NcVariable)>) {
    let path = format!("{above}/{}", group.name);
    for dimension in &group.dimensions {
        let name = &dimension.name;
        match found.all.iter().find(|(known, _)| known.name == *name) {
            None => found.all.push((dimension.clone(), path.clone())),
            Some((known, of)) if known.size != dimension.size => {
                let text = format!("{name} is {} in {of} and {} in {path}", known.size, dimension.size);
                found.clashes.push((name.clone(), text));
            }
            Some(_) => {}
        }
    }
    variables.extend(group.variables.iter().map(|one| (format!("{path}/{}", one.name), one.clone())));
    group.groups.iter().for_each(|inner| collect(inner, &path, found, variables));
}

/// The name of a variable without its groups.
pub(super) fn plain(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
