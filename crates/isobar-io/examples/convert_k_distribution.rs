//! A k-distribution of ecCKD in Isobar's layout, with the same numbers.
//! `cargo run -p isobar-io --example convert_k_distribution -- INPUT OUTPUT`

use std::path::{Path, PathBuf};

use isobar_io::netcdf::{Dataset, file_hash};
use isobar_io::{KDistribution, KDistributionAttributes, read_k_distribution, write_k_distribution};

const REFERENCES: &str = "Hogan, R. J., and M. Matricardi, 2022: A tool for generating fast k-distribution gas-optics \
     models for weather and climate applications. J. Adv. Model. Earth Syst., 14, e2022MS003033, \
     doi:10.1029/2022MS003033";

/// That of ecRad, with which ecCKD's models come.
const LICENSE: &str = "(C) Copyright 2014- ECMWF. Licensed under the terms of the Apache Licence Version 2.0 which can \
     be obtained at http://www.apache.org/licenses/LICENSE-2.0. In applying this licence, ECMWF does not waive the \
     privileges and immunities granted to it by virtue of its status as an intergovernmental organisation nor does it \
     submit to any jurisdiction. See LICENSE and NOTICE beside this file.";

fn convert(input: &Path, output: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let KDistribution::Ecckd(model) = read_k_distribution(input)? else {
        return Err(format!("{}: RRTMGP's k-distributions are no sums of gases", input.display()).into());
    };
    let file = Dataset::open(input)?;
    let said = |name| file.attribute(name).unwrap_or_default();
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    let attributes = KDistributionAttributes {
        title: said("title"),
        source: [said("source"), said("source_id"), said("model_id")].join(", "),
        references: REFERENCES.into(),
        license: LICENSE.into(),
        history: format!("{name} (sha256:{}) in Isobar's layout: the same numbers by other names", file_hash(input)?),
    };
    Ok(write_k_distribution(output, &model, &attributes)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, output] = &paths[..] else { return Err("expected two arguments: INPUT OUTPUT".into()) };
    convert(input, output)
}
