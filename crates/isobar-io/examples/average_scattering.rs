//! Tables of cloud optics for a k-distribution, by g-point, from ecRad's tables of scattering by droplets and ice, and
//! perhaps by rain and snow.
//! `cargo run -p isobar-io --example average_scattering -- K_DISTRIBUTION DROPLETS ICE [RAIN [SNOW]] OUTPUT`

use std::path::{Path, PathBuf};

use isobar_io::netcdf::{Dataset, file_hash};
use isobar_io::{
    KDistribution, KDistributionAttributes, read_k_distribution, read_scattering_table, write_cloud_tables,
};
use isobar_optics::CloudTables;

const REFERENCES: &str = "Hogan, R. J., and M. Matricardi, 2022: A tool for generating fast k-distribution gas-optics \
     models for weather and climate applications. J. Adv. Model. Earth Syst., 14, e2022MS003033, \
     doi:10.1029/2022MS003033; Edwards, J. M., and A. Slingo, 1996: Studies with a flexible new radiation code. I: \
     Choosing a configuration for a large-scale model. Quart. J. Roy. Meteor. Soc., 122, 689-719, \
     doi:10.1002/qj.49712253107";

/// That of ecRad, with which the tables of scattering come.
const LICENSE: &str = "(C) Copyright 2014- ECMWF. Licensed under the terms of the Apache Licence Version 2.0 which can \
     be obtained at http://www.apache.org/licenses/LICENSE-2.0. In applying this licence, ECMWF does not waive the \
     privileges and immunities granted to it by virtue of its status as an intergovernmental organisation nor does it \
     submit to any jurisdiction. See LICENSE and NOTICE beside this file.";

/// One line of a text of several.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn average(
    [gases, liquid, ice]: [&Path; 3],
    [rain, snow]: [Option<&Path>; 2],
    output: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let KDistribution::Ecckd(model) = read_k_distribution(gases)? else {
        return Err(format!("{}: RRTMGP's k-distributions have tables of clouds of their own", gases.display()).into());
    };
    let mut tables = CloudTables::averaged(&model, &read_scattering_table(liquid)?, &read_scattering_table(ice)?)?;
    if let Some(rain) = rain {
        tables = tables.with_rain(&model, &read_scattering_table(rain)?)?;
    }
    if let Some(snow) = snow {
        tables = tables.with_snow(&model, &read_scattering_table(snow)?)?;
    }
    let said = |path: &Path, name: &str| -> Result<Option<String>, isobar_io::Error> {
        Ok(Dataset::open(path)?.attribute(name).map(|text| line(&text)))
    };
    let named = |path: &Path| -> Result<String, isobar_io::Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(format!("{name} (sha256:{})", file_hash(path)?))
    };
    let files: Vec<&Path> = [liquid, ice].into_iter().chain(rain).chain(snow).collect();
    let (mut sources, mut references, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for &path in &files {
        let from = said(path, "source")?.or(said(path, "history")?).unwrap_or_default();
        let [title, institution] = ["title", "institution"].map(|name| said(path, name));
        sources.push(format!("{} ({}): {from}", title?.unwrap_or_default(), institution?.unwrap_or_default()));
        references.extend(said(path, "references")?);
        names.push(named(path)?);
    }
    references.push(REFERENCES.into());
    let attributes = KDistributionAttributes {
        title: format!("Optical properties of clouds at the {} g-points of a k-distribution", model.points),
        source: sources.join(". "),
        references: references.join("; "),
        license: LICENSE.into(),
        history: format!(
            "{} averaged to the g-points of {} as ecRad does by default, for thick clouds",
            names.join(" and "),
            named(gases)?
        ),
    };
    Ok(write_cloud_tables(output, &tables, &attributes)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [gases, liquid, ice, more @ .., output] = &paths[..] else {
        return Err("expected arguments: K_DISTRIBUTION DROPLETS ICE [RAIN [SNOW]] OUTPUT".into());
    };
    let more = match more {
        [] => [None, None],
        [rain] => [Some(rain.as_path()), None],
        [rain, snow] => [Some(rain.as_path()), Some(snow.as_path())],
        _ => return Err("expected six arguments at most".into()),
    };
    average([gases, liquid, ice], more, output)
}
