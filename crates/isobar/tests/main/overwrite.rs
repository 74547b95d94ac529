//! Nothing that is read is overwritten, and no output by another: under whatever name, before anything is computed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{data, said};
use tempfile::TempDir;

/// A copy of the data.
struct Data(TempDir);

impl Data {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&data(), folder.path());
        fs::create_dir(folder.path().join("results")).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Refused with both names, and nothing changed.
    fn refused(&self, command: &str, parts: &[&str]) {
        let before = content(self.0.path());
        let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
        let output = isobar.args(command.split(' ')).current_dir(self.0.path()).output().unwrap();
        let text = said(&output);
        let errors: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("isobar: "))
            .filter(|line| !["isobar: warning: ", "isobar: note: "].iter().any(|begin| line.starts_with(begin)))
            .collect();
        assert!(output.status.code() == Some(1) && errors.len() == 1, "{command}: {text}");
        for part in parts {
            assert!(errors[0].contains(part), "{command}: {part:?} is not in {text}");
        }
        assert!(content(self.0.path()) == before, "{command}: files have changed");
    }

    /// The output as the input, as a hard and a symbolic link to it, and below another name of its folder.
    fn protects(&self, command: &str, input: &str, what: &str) {
        let link = |name: &str| format!("results/{name}.{}", input.rsplit('.').next().unwrap());
        let (hard, soft) = (link("hard"), link("soft"));
        fs::hard_link(self.path(input), self.path(&hard)).unwrap();
        symlink(self.path(input), self.path(&soft)).unwrap();
        for out in [input, &hard, &soft, &format!("results/../{input}")] {
            self.refused(
                &format!("{command} {out}"),
                &[&format!("isobar: {out}: "), &format!("would overwrite {what}")],
            );
        }
        fs::remove_file(self.path(&hard)).unwrap();
        fs::remove_file(self.path(&soft)).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// All files below a folder.
fn content(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => all.extend(content(&path)),
            false => all.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    all
}

const LIMB: &str = "--ctl limb/limb.ctl --atm limb/atm.tab --obs limb/obs.tab";
const CHEM: &str = "chem --mechanism mechanisms/chapman_nox.kpp --cells chemistry/cells.nc --hours 1 --dt 900";

#[test]
fn infrared_commands_keep_their_case() {
    let data = Data::new();
    for command in ["forward", "raytrace"] {
        for (input, what) in [
            ("limb/limb.ctl", "the control file, limb/limb.ctl"),
            ("limb/atm.tab", "the atmosphere, limb/atm.tab"),
            ("limb/obs.tab", "the observation, limb/obs.tab"),
            ("tables/demo_792.0000_CO2.bin", "an emissivity table, "),
            ("tables/demo_792.0000.filt", "a filter, "),
        ] {
            data.protects(&format!("{command} {LIMB} --out"), input, what);
            data.protects(&format!("{command} {LIMB} --out results/out.tab --plot"), input, what);
        }
        let same = "the plot and the output, results/out.tab, would be the same file";
        data.refused(&format!("{command} {LIMB} --out results/out.tab --plot results/../results/out.tab"), &[same]);
    }
    data.protects(&format!("kernel {LIMB} RETT_ZMIN[0]=10 RETT_ZMAX[0]=20 --out"), "limb/atm.tab", "the atmosphere, ");
    let table = "tables/demo_792.0000_CO2.bin";
    data.protects(&format!("tables convert {table}"), table, "the table, ");
}

#[test]
fn retrievals_keep_what_they_start_from() {
    let data = Data::new();
    fs::create_dir(data.path("one")).unwrap();
    fs::copy(data.path("limb/atm.tab"), data.path("one/atm_apr.tab")).unwrap();
    fs::copy(data.path("limb/rad.tab"), data.path("one/obs_meas.tab")).unwrap();
    let retrieve = "retrieve --ctl limb/limb.ctl RETT_ZMIN=10 RETT_ZMAX=20 ERR_TEMP=5";
    data.protects(&format!("{retrieve} --dir one --plot"), "one/obs_meas.tab", "the measurement, ");
    data.refused(&format!("{retrieve} --dir one --plot one/costs.tab"), &["a result of one and the plot, "]);
    data.refused(&format!("{retrieve} --dir one --dir one/../one"), &["a result of one/../one and a result of one, "]);
    // What one retrieval writes is what the other one reads.
    fs::create_dir(data.path("two")).unwrap();
    fs::copy(data.path("limb/rad.tab"), data.path("two/obs_meas.tab")).unwrap();
    fs::write(data.path("one/atm_final.tab"), fs::read(data.path("limb/atm.tab")).unwrap()).unwrap();
    symlink(data.path("one/atm_final.tab"), data.path("two/atm_apr.tab")).unwrap();
    data.refused(
        &format!("{retrieve} --dir one --dir two"),
        &["a result of one would overwrite what was known before, "],
    );
}

#[test]
fn columns_and_cells_are_kept() {
    let data = Data::new();
    use isobar::radiation::rrtmg::analytic;
    fs::write(data.path("results/k.kd"), analytic::rrtmg_file(&analytic::k_distribution())).unwrap();
    for (command, input, what) in [
        ("adding adding/profiles.nc", "adding/profiles.nc", "the profiles, "),
        ("pbl pbl/columns.nc --dt 60", "pbl/columns.nc", "the columns, "),
        ("longwave radiation/columns.nc", "radiation/columns.nc", "the columns, "),
        ("longwave radiation/columns.nc", "radiation/ecckd-longwave-32-clouds.nc", "a table, "),
        ("longwave radiation/columns.nc --kdist results/k.kd", "results/k.kd", "a table, "),
        ("shortwave radiation/columns.nc", "radiation/ecckd-shortwave-32.nc", "a table, "),
        (
            "radiation radiation/columns.nc --compare pbl/tendencies.nc",
            "pbl/tendencies.nc",
            "what the results are compared with, ",
        ),
        (CHEM, "chemistry/cells.nc", "the cells, "),
        (CHEM, "mechanisms/chapman_nox.kpp", "the mechanism, "),
    ] {
        data.protects(&format!("{command} --device cpu -o"), input, what);
        data.protects(&format!("{command} --device cpu -o results/out.nc --plot"), input, what);
        let same = "the plot and the output, results/out.nc, would be the same file";
        data.refused(&format!("{command} --device cpu -o results/out.nc --plot results/out.nc"), &[same]);
    }
}

#[test]
fn chemistry_keeps_included_files_and_its_own() {
    let data = Data::new();
    fs::write(data.path("results/m.eqn"), "#EQUATIONS <R1> A = B : 1e-3;").unwrap();
    fs::write(data.path("results/m.kpp"), "#DEFVAR A = IGNORE; B = IGNORE; #INCLUDE m.eqn").unwrap();
    let including = CHEM.replace("mechanisms/chapman_nox.kpp", "results/m.kpp");
    data.refused(&format!("{including} -o results/m.eqn"), &["would overwrite the mechanism, ", "m.eqn"]);
    for (options, part) in [
        ("-o results/out.nc --restart results/out.nc", "the restart file and the output, results/out.nc, "),
        ("-o results/out.nc --restart chemistry/cells.nc", "the restart file would overwrite the cells, "),
        ("-o results/out.nc --plot results/out.restart.nc", "the restart file and the plot, "),
        ("-o results/out.nc --plot results/out.cell7.json", "the file of a cell that fails and the plot, "),
        ("-o results/m.eqn --resume results/m.eqn", "the output would overwrite the restart file, "),
    ] {
        data.refused(&format!("{CHEM} {options}"), &[part]);
    }
    fs::rename(data.path("chemistry/cells.nc"), data.path("results/out.cell1.json")).unwrap();
    let cells = CHEM.replace("chemistry/cells.nc", "results/out.cell1.json");
    let part = "the file of a cell that fails would overwrite the cells, ";
    data.refused(&format!("{cells} -o results/out.nc"), &[part]);
}

#[test]
fn a_case_keeps_its_files() {
    let data = Data::new();
    let run = "run column/case.toml --device cpu";
    let inputs = [
        ("column/case.toml", "the case, "),
        ("radiation/ecckd-shortwave-32-clouds.nc", "a file of the case, "),
        ("column/ozone_nox.kpp", "a file of the case, "),
    ];
    for (input, what) in inputs {
        data.protects(&format!("{run} -o"), input, what);
        data.refused(
            &format!("{run} -o results/out.nc --restart {input}"),
            &["the restart file would overwrite ", what],
        );
    }
    for (options, part) in [
        ("-o results/out.nc --restart results/out.nc", "the restart file and the output, "),
        ("-o results/out-day.svg --plot results/out.svg", "the output and the figure, "),
        ("-o results/out.nc --restart results/out-day.svg --plot results/out.svg", "the restart file and the figure, "),
        ("-o pbl/tendencies.nc --resume pbl/tendencies.nc", "the output would overwrite the restart file, "),
    ] {
        data.refused(&format!("{run} {options}"), &[part]);
    }
    fs::hard_link(data.path("column/case.toml"), data.path("results/out-day.svg")).unwrap();
    data.refused(
        &format!("{run} -o results/out.nc --plot results/out.svg"),
        &["the figure would overwrite a file of "],
    );
}

#[test]
fn devices_are_never_in_the_way() {
    let data = Data::new();
    let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
    let command = format!("forward {LIMB} --device cpu --quiet --out /dev/null --plot /dev/null");
    let output = isobar.args(command.split(' ')).current_dir(data.path(".")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}
