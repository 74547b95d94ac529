//! Variables of the groups of a netCDF-4 file, beside those of its root.

use std::path::{Path, PathBuf};

use netcdf_reader::{NcDimension, NcFile, NcGroup, NcVariable};

/// An open file.
pub(super) struct Opened {
    pub(super) path: PathBuf,
    pub(super) file: NcFile,
    /// Variables of groups: what they are called here, and their paths.
    paths: Vec<(String, String)>,
}

impl Opened {
    /// A file with its dimensions and variables. Those of groups go by their names where no other has these, and else
    /// by their paths (`/group/variable`).
    pub(super) fn new(path: &Path, file: NcFile) -> netcdf_reader::Result<(Self, Vec<NcDimension>, Vec<NcVariable>)> {
        let (mut dimensions, mut variables) = (file.dimensions()?.to_vec(), file.variables()?.to_vec());
        let mut in_groups = Vec::new();
        for group in &file.root_group()?.groups {
            collect(group, "", &mut dimensions, &mut in_groups);
        }
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
        Ok((Self { path: path.to_owned(), file, paths }, dimensions, variables))
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
        let found = self.file.variable(self.path_of(name))?.clone();
        Ok(NcVariable { name: name.to_owned(), ..found })
    }
}

/// Adds the variables of a group and of those in it, with their paths, and its dimensions that are not known yet.
fn collect(group: &NcGroup, above: &str, dimensions: &mut Vec<NcDimension>, variables: &mut Vec<(String, NcVariable)>) {
    let path = format!("{above}/{}", group.name);
    for dimension in &group.dimensions {
        if dimensions.iter().all(|known| known.name != dimension.name) {
            dimensions.push(dimension.clone());
        }
    }
    variables.extend(group.variables.iter().map(|one| (format!("{path}/{}", one.name), one.clone())));
    group.groups.iter().for_each(|inner| collect(inner, &path, dimensions, variables));
}

/// The name of a variable without its groups.
pub(super) fn plain(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
