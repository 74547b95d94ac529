//! Runs of the command on the cases in `data/`: the guide's figures are made of them, and other machines repeat them.

/// A run of the command, from the repository's root, and which of its figures the guide has.
pub(crate) struct Run {
    /// What comes before the output.
    pub(crate) arguments: &'static [&'static str],
    /// The option that names the output, and the ending of its name.
    pub(crate) output: (&'static str, &'static str),
    /// What the figures' names begin with.
    pub(crate) name: &'static str,
    /// What the command adds to that, for each figure that is kept.
    pub(crate) kept: &'static [&'static str],
}

/// Those whose figures the guide has.
pub(crate) const DRAWN: &[Run] = &[
    Run {
        arguments: &["radiation", "data/radiation/columns.nc"],
        output: ("-o", "nc"),
        name: "radiation",
        kept: &[""],
    },
    // Two columns: the 64 of case.toml take a minute without optimisation.
    Run {
        arguments: &["run", "data/column/cloudy.toml"],
        output: ("-o", "nc"),
        name: "column",
        kept: &["-profiles", "-day", "-chemistry"],
    },
    suite("gabls1", &["run", "data/column/gabls1.toml"]),
    suite("gabls3", &["run", "data/column/gabls3.toml"]),
    suite("gabls4", &["run", "data/column/gabls4.toml"]),
    Run {
        arguments: &["pbl", "data/pbl/columns.nc", "--dt", "60", "--steps", "60"],
        output: ("-o", "nc"),
        name: "boundary-layer",
        kept: &[""],
    },
    Run { arguments: CHEMISTRY, output: ("-o", "nc"), name: "chemistry", kept: &[""] },
    Run {
        arguments: &["adding", "data/adding/profiles.nc", "--levels"],
        output: ("-o", "nc"),
        name: "adding",
        kept: &[""],
    },
    Run { arguments: &["adding", "data/adding/ocean.nc"], output: ("-o", "nc"), name: "ocean", kept: &[""] },
    Run { arguments: &["adding", "data/adding/land.nc"], output: ("-o", "nc"), name: "land", kept: &[""] },
    Run { arguments: PATHS, output: ("--out", "tab"), name: "path", kept: &[""] },
    Run { arguments: SPECTRA, output: ("-o", "nc"), name: "spectra", kept: &[""] },
    Run { arguments: LIMB, output: ("--out", "tab"), name: "limb", kept: &[""] },
    Run { arguments: KERNEL, output: ("--out", "tab"), name: "jacobian", kept: &[""] },
    Run { arguments: RETRIEVAL, output: ("--out", "files"), name: "retrieval", kept: &[""] },
];

const CHEMISTRY: &[&str] = &[
    "chem",
    "--mechanism",
    "data/mechanisms/chapman_nox.kpp",
    "--cells",
    "data/chemistry/cells.nc",
    "--hours",
    "24",
    "--dt",
    "600",
    "--method",
    "ros3",
];
const PATHS: &[&str] =
    &["raytrace", "--ctl", "data/limb/limb.ctl", "--atm", "data/limb/atm.tab", "--obs", "data/limb/obs.tab"];
const SPECTRA: &[&str] = &[
    "spectra",
    "absorption",
    "--lines",
    "data/spectra/made-up.par",
    "--partition",
    "1.1=data/spectra/made-up-q.txt",
    "--partition",
    "2.1=data/spectra/made-up-q.txt",
    "--partition",
    "3.1=data/spectra/made-up-q.txt",
    "--range",
    "790:794",
    "--state",
    "500,250,CO2=4e-4,H2O=1e-3",
];
const LIMB: &[&str] =
    &["forward", "--ctl", "data/limb/limb.ctl", "--atm", "data/limb/atm.tab", "--obs", "data/limb/obs.tab"];
const KERNEL: &[&str] = &[
    "kernel",
    "--ctl",
    "data/retrieval/retrieval.ctl",
    "--atm",
    "data/retrieval/atm_apr.tab",
    "--obs",
    "data/retrieval/obs_meas.tab",
];

const RETRIEVAL: &[&str] = &["retrieve", "--ctl", "data/retrieval/retrieval.ctl", "--dir", "data/retrieval"];

impl Run {
    /// The options for the device. Paths have none: they are always traced on the CPU.
    pub(crate) fn device(&self) -> &'static [&'static str] {
        if self.arguments[0] == "raytrace" { &[] } else { &["--device", "cpu"] }
    }
}

/// A case of the boundary-layer suite.
const fn suite(name: &'static str, arguments: &'static [&'static str]) -> Run {
    Run { arguments, output: ("-o", "nc"), name, kept: &["-profiles", "-day"] }
}

/// A run of which the guide has no figure.
const fn plain(name: &'static str, arguments: &'static [&'static str]) -> Run {
    Run { arguments, output: ("-o", "nc"), name, kept: &[] }
}

/// What other machines repeat besides: the other precision, spectrum, methods and readers.
pub(crate) const FURTHER: &[Run] = &[
    plain("radiation-f32", &["radiation", "data/radiation/columns.nc", "--precision", "f32"]),
    plain("longwave", &["longwave", "data/radiation/columns.nc"]),
    plain("shortwave", &["shortwave", "data/radiation/columns.nc", "--precision", "f32"]),
    plain("boundary-layer-f32", &["pbl", "data/pbl/columns.nc", "--dt", "60", "--steps", "60", "--precision", "f32"]),
    plain("adding-f32", &["adding", "data/adding/profiles.nc", "--levels", "--precision", "f32"]),
    plain("chemistry-rodas4", RODAS4),
    Run { arguments: NADIR, output: ("--out", "tab"), name: "nadir", kept: &[] },
    Run { arguments: LIMB_F32, output: ("--out", "tab"), name: "limb-f32", kept: &[] },
];

const RODAS4: &[&str] = &[
    "chem",
    "--mechanism",
    "data/mechanisms/chapman_nox.kpp",
    "--cells",
    "data/chemistry/cells.nc",
    "--hours",
    "24",
    "--dt",
    "600",
    "--method",
    "rodas4",
    "--rates",
    "stage",
];
const NADIR: &[&str] =
    &["forward", "--ctl", "data/nadir/nadir.ctl", "--atm", "data/nadir/atm.tab", "--obs", "data/nadir/obs.tab"];
const LIMB_F32: &[&str] = &[
    "forward",
    "--ctl",
    "data/limb/limb.ctl",
    "--atm",
    "data/limb/atm.tab",
    "--obs",
    "data/limb/obs.tab",
    "--precision",
    "f32",
];
