//! An example of each command, which `--help` and the man pages show. A test reads them as the command line does.

/// Words of a shell, a backslash at the end of a line that goes on.
pub(crate) const EXAMPLES: &[&str] = &[
    "isobar forward --ctl data/limb/limb.ctl --atm data/limb/atm.tab \\
      --obs data/limb/obs.tab --out rad.tab --plot rad.svg RAYDZ=0.2",
    "isobar kernel --ctl data/retrieval/retrieval.ctl \\
      --atm data/retrieval/atm_apr.tab --obs data/retrieval/obs_meas.tab \\
      --out kernel.tab --plot kernel.svg",
    "isobar retrieve --ctl data/retrieval/retrieval.ctl --dir data/retrieval \\
      --out retrieved --plot retrieved.svg",
    "isobar raytrace --ctl data/limb/limb.ctl --atm data/limb/atm.tab \\
      --obs data/limb/obs.tab --out path.tab --plot path.svg",
    "isobar adding data/adding/profiles.nc -o radiances.nc --levels",
    "isobar adding data/adding/ocean.nc -o reflectances.nc --plot ocean.svg",
    "isobar pbl data/pbl/columns.nc -o tendencies.nc --dt 60 --steps 60",
    "isobar longwave data/radiation/columns.nc -o fluxes.nc --gas co2=560e-6",
    "isobar shortwave data/radiation/columns.nc -o fluxes.nc --clear-sky",
    "isobar radiation data/radiation/columns.nc -o fluxes.nc --plot fluxes.svg",
    "isobar check data/radiation/columns.nc",
    "isobar chem --mechanism data/mechanisms/chapman_nox.kpp \\
      --cells data/chemistry/cells.nc -o concentrations.nc --hours 24 --dt 600",
    "isobar chem explain data/chemistry/cells.nc --index 0 \\
      --mechanism data/mechanisms/chapman_nox.kpp --dt 600",
    "isobar run data/column/case.toml -o day.nc --plot day.svg",
    "isobar kpp info data/mechanisms/chapman_nox.kpp --list",
    "isobar tables info --ctl data/limb/limb.ctl",
    "isobar tables convert --ctl data/limb/limb.ctl --base own --format nc",
    "isobar tables thin --ctl data/limb/limb.ctl --atm data/limb/atm.tab \\
      --obs data/limb/obs.tab --base thin --rtol 0.001 TBLINTERP=1",
    "isobar lbl --ctl data/limb/limb.ctl --atm data/limb/atm.tab \\
      --obs data/limb/obs.tab --lines data/spectra/made-up.par \\
      --partition 1.1=data/spectra/made-up-q.txt \\
      --partition 2.1=data/spectra/made-up-q.txt \\
      --partition 3.1=data/spectra/made-up-q.txt --out rad.tab",
    "isobar spectra info data/spectra/made-up.par --plot list.svg",
    "isobar spectra absorption --lines data/spectra/made-up.par \\
      --partition 1.1=data/spectra/made-up-q.txt \\
      --partition 2.1=data/spectra/made-up-q.txt \\
      --partition 3.1=data/spectra/made-up-q.txt \\
      --range 790:794 \\
      --state 500,250,CO2=4e-4 -o k.nc --plot k.svg",
    "isobar spectra tables --lines data/spectra/made-up.par \\
      --partition 2.1=data/spectra/made-up-q.txt --gas CO2 --nu 792 --base own",
    "isobar spectra kdist --ctl data/limb/limb.ctl --atm data/limb/atm.tab \\
      --lines data/spectra/made-up.par \\
      --partition 1.1=data/spectra/made-up-q.txt \\
      --partition 2.1=data/spectra/made-up-q.txt \\
      --partition 3.1=data/spectra/made-up-q.txt \\
      --bands 780:804 -o own.nc",
    "isobar jurassic atmfmt --ctl data/limb/limb.ctl --in data/limb/atm.tab -o atm.nc",
    "isobar jurassic obsfmt --ctl data/limb/limb.ctl --in data/limb/obs.tab -o obs.nc",
    "isobar jurassic interpolate --ctl data/limb/limb.ctl --atm data/limb/atm.tab \\
      --at data/nadir/atm.tab -o between.tab",
    "isobar jurassic limb --ctl data/limb/limb.ctl --obsz 780 --z0 5 --z1 60 -o obs.tab",
    "isobar jurassic nadir --ctl data/nadir/nadir.ctl -o obs.tab",
    "isobar jurassic zenith --ctl data/nadir/nadir.ctl -o obs.tab",
    "isobar jurassic matfmt --ctl data/retrieval/retrieval.ctl \\
      --in data/retrieval/kernel.tab -o kernel.nc",
    "isobar jurassic atmosphere-from --ctl data/limb/limb.ctl --in wrfout_d01.nc \\
      --at 7.5,50.9 -o atm.tab",
    "isobar jurassic climatology --ctl data/limb/limb.ctl -o atm.tab",
    "isobar jurassic hydrostatic --ctl data/limb/limb.ctl --in data/limb/atm.tab \\
      -o atm.tab HYDZ=20",
    "isobar jurassic occultation --ctl data/limb/limb.ctl -o obs.tab",
    "isobar jurassic validate --reference rfm_reference --base tables/tria",
    "isobar jurassic filter --kind triangle --center 792 -o 792.filt",
    "isobar jurassic obs2spec --ctl data/limb/limb.ctl --obs data/limb/rad.tab -o spectra.tab",
    "isobar jurassic time2jsec 2020-01-31T06:00:00",
    "isobar jurassic jsec2time 0",
    "isobar jurassic planck 250 792",
    "isobar jurassic brightness 0.05 792",
    "isobar data fetch rrtmgp",
    "isobar devices --check",
    "isobar completions bash >~/.local/share/bash-completion/completions/isobar",
    "isobar man ~/.local/share/man/man1",
];

#[cfg(test)]
mod tests {
    use super::EXAMPLES;
    use crate::program::examples::example;

    fn without_example(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        if !command.has_subcommands() && example(path, EXAMPLES).is_none() {
            found.push(path.to_owned());
        }
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            without_example(below, &format!("{path} {}", below.get_name()), found);
        }
    }

    #[test]
    fn every_command_has_an_example() {
        let mut found = Vec::new();
        without_example(&crate::cli::command(), "isobar", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn examples_are_understood() {
        for example in EXAMPLES {
            let words = example.replace("\\\n", " ");
            let words = words.split_whitespace().take_while(|word| !word.starts_with('>'));
            if let Err(error) = crate::cli::command().try_get_matches_from(words) {
                panic!("{example}: {error}");
            }
            assert!(example.lines().all(|line| line.len() < 98), "{example}: clap would fold this");
        }
    }
}
