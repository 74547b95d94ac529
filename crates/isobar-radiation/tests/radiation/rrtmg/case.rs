//! The reference's sets, a batch of one column each.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use isobar_radiation::rrtmg::{IceOptics, KDistribution, LiquidOptics, TableData};
use isobar_radiation::{ColumnViews, Columns, Device, Fluxes, Options, Precision, Radiation, Spectra};

/// The reference, if it is there.
pub(crate) fn reference() -> Option<PathBuf> {
    isobar_golden::find("rrtmg_lw")
}

/// The reference's tables.
pub(crate) fn tables<R: Real>() -> TableData<R> {
    TableData::new(k_distribution())
}

/// The reference's k-distribution.
pub(crate) fn spectra<R: Real>() -> Spectra<R> {
    Spectra::default().with_rrtmg(k_distribution()).expect("it is the only one")
}

/// The reference's coefficients.
pub(crate) fn k_distribution() -> &'static KDistribution {
    static COEFFICIENTS: OnceLock<KDistribution> = OnceLock::new();
    COEFFICIENTS.get_or_init(|| {
        let dir = reference().expect("the caller has found it");
        isobar_io::read_rrtmg_lw(&dir.join("coeff/RRTMG_LW_DATA_DBL")).expect("the file is there")
    })
}

/// The fluxes of columns that are good, with the reference's tables.
pub(crate) fn fluxes<R: Precision>(columns: &Columns<R>, options: &Options) -> Fluxes<R> {
    let radiation = Radiation::<R>::new().with_rrtmg(k_distribution()).unwrap().on(&[Device::Thread]);
    radiation.run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Views of columns whose sizes are right.
pub(crate) fn views<R: Real>(columns: &Columns<R>) -> ColumnViews<'_, R> {
    ColumnViews::try_from(columns).unwrap_or_else(|error| panic!("{error}"))
}

/// Gases and halocarbons in the reference's order.
const GASES: [&str; 7] = ["h2o", "co2", "o3", "n2o", "co", "ch4", "o2"];
const HALOCARBONS: [&str; 4] = ["ccl4", "cfc11", "cfc12", "cfc22"];

/// A set of columns with different numbers of layers.
pub(crate) struct Set {
    dir: PathBuf,
    layers: Vec<usize>,
}

/// One column of a set.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) columns: Columns<f64>,
    pub(crate) options: Options,
    /// Its number, and where its layers and levels begin in the set's arrays.
    pub(crate) column: usize,
    first_layer: usize,
    layers: usize,
}

/// An array of the set: width of a row, and values.
type Array = (usize, Vec<f64>);

impl Set {
    pub(crate) fn new(dir: &Path, name: &str) -> Self {
        let dir = dir.join(name);
        let layers = integers(&dir.join("nlay.npy"));
        Self { dir, layers }
    }

    /// An array and the width of its rows.
    pub(crate) fn array(&self, name: &str) -> Array {
        let (shape, values) = numbers(&self.dir.join(format!("{name}.npy")));
        (shape[1..].iter().product(), values)
    }

    fn optional(&self, name: &str) -> Option<Array> {
        self.dir.join(format!("{name}.npy")).exists().then(|| self.array(name))
    }

    /// The columns.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let mut first_layer = 0;
        let mut cases = Vec::new();
        for (column, &layers) in self.layers.iter().enumerate() {
            let name = format!("{} column {column}", self.dir.file_name().expect("a name").display());
            let options = Options::of_rrtmg();
            let mut case = Case { name, columns: Columns::default(), options, column, first_layer, layers };
            self.fill(&mut case);
            cases.push(case);
            first_layer += layers;
        }
        cases
    }

    fn fill(&self, case: &mut Case) {
        let mut options = Options::of_rrtmg();
        let layers = |name: &str| case.layers(&self.array(name));
        let pascals = |values: Vec<f64>| values.into_iter().map(|p| p * 100.0).collect();
        let mut columns = Columns::<f64> {
            pressure_pa: pascals(layers("in_play")),
            level_pressure_pa: pascals(case.levels(&self.array("in_plev"))),
            temperature_k: layers("in_tlay"),
            level_temperature_k: case.levels(&self.array("in_tlev")),
            surface_temperature_k: case.once(&self.array("in_tsfc")),
            emissivity: case.once(&self.array("in_emis")),
            ..Columns::default()
        };
        if let Some(dry) = self.optional("in_coldry") {
            columns.dry_column_per_cm2 = case.layers(&dry);
            columns.broadening_column_per_cm2 = layers("in_wbrodl");
            let (gases, halocarbons) = (layers("in_wkl"), layers("in_wx"));
            columns.each_real(&mut |declared, values| {
                if let Some(gas) = GASES.iter().position(|&name| name == declared.name) {
                    *values = gases.iter().skip(gas).step_by(7).copied().collect();
                }
                if let Some(gas) = HALOCARBONS.iter().position(|&name| name == declared.name) {
                    *values = halocarbons.iter().skip(gas).step_by(4).copied().collect();
                }
            });
        } else {
            columns.each_real(&mut |declared, values| {
                if GASES.contains(&declared.name) || HALOCARBONS.contains(&declared.name) {
                    *values = layers(&format!("in_vmr_{}", declared.name));
                }
            });
        }
        if let Some(aerosol) = self.optional("in_tauaer") {
            columns.aerosol_absorption_longwave = case.layers(&aerosol);
        }
        if let Some(flags) = self.optional("in_flags") {
            let flags = case.once(&flags);
            options.rrtmg.ice = [IceOptics::OneCoefficient, IceOptics::EbertCurry, IceOptics::Spheres, IceOptics::Fu]
                [flags[1] as usize];
            options.rrtmg.liquid = [LiquidOptics::OneCoefficient, LiquidOptics::HuStamnes][flags[2] as usize];
            let given = flags[0] == 0.0;
            columns = Columns {
                cloud_fraction: layers("in_cldfrac"),
                ice_path_g_per_m2: layers("in_ciwp"),
                liquid_path_g_per_m2: layers("in_clwp"),
                ice_size_um: layers("in_reice"),
                liquid_radius_um: layers("in_reliq"),
                cloud_absorption_longwave: if given { layers("in_tauc_band") } else { Vec::new() },
                cloud_share: share(&layers("in_ciwpmc"), &layers("in_clwpmc"), &layers("in_ciwp"), &layers("in_clwp")),
                cloud_mask: mask(&layers("in_cldfmc"), 140),
                ..columns
            };
        }
        (case.columns, case.options) = (columns, options);
    }
}

/// The part of a layer's water that each g-point's cloud has.
fn share(ice_mc: &[f64], liquid_mc: &[f64], ice: &[f64], liquid: &[f64]) -> Vec<f64> {
    let share = |i: usize| {
        let layer = i / 140;
        let (some, whole) =
            if ice[layer] > liquid[layer] { (ice_mc[i], ice[layer]) } else { (liquid_mc[i], liquid[layer]) };
        if whole > 0.0 { some / whole } else { 1.0 }
    };
    (0..ice_mc.len()).map(share).collect()
}

/// Flags of `(layer, point)` as bits.
pub(crate) fn mask(flags: &[f64], points: usize) -> Vec<u32> {
    let words = points.div_ceil(32);
    let mut mask = vec![0; flags.len() / points * words];
    for (i, _) in flags.iter().enumerate().filter(|(_, flag)| **flag != 0.0) {
        let (layer, point) = (i / points, i % points);
        mask[layer * words + point / 32] |= 1 << (point % 32);
    }
    mask
}

impl Case {
    /// The column's rows of an array of layers.
    pub(crate) fn layers(&self, (width, values): &Array) -> Vec<f64> {
        values[self.first_layer * width..(self.first_layer + self.layers) * width].to_vec()
    }

    /// Its rows of an array of levels.
    pub(crate) fn levels(&self, (width, values): &Array) -> Vec<f64> {
        let first = self.first_layer + self.column;
        values[first * width..(first + self.layers + 1) * width].to_vec()
    }

    /// Its row of an array of columns.
    pub(crate) fn once(&self, (width, values): &Array) -> Vec<f64> {
        values[self.column * width..(self.column + 1) * width].to_vec()
    }

    /// The fluxes.
    pub(crate) fn fluxes<R: Precision>(&self) -> Fluxes<R> {
        let fluxes = fluxes(&self.columns.rounded(), &self.options);
        assert_eq!(fluxes.status, [0], "{}", self.name);
        fluxes
    }
}

/// Shape and values of a NumPy file, whatever its numbers are.
pub(crate) fn numbers(path: &Path) -> (Vec<usize>, Vec<f64>) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let header_bytes = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + header_bytes]).expect("a header");
    let data = &bytes[10 + header_bytes..];
    let shape = header.split_once("'shape': (").and_then(|(_, rest)| rest.split_once(')')).expect("a shape").0;
    let shape = shape.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    let values = if header.contains("u1") {
        data.iter().map(|&x| f64::from(x)).collect()
    } else if header.contains("i4") {
        let word = |x: &[u8]| f64::from(i32::from_le_bytes(x.try_into().expect("four bytes")));
        data.chunks_exact(4).map(word).collect()
    } else {
        return isobar_golden::npy(path);
    };
    (shape, values)
}

fn integers(path: &Path) -> Vec<usize> {
    numbers(path).1.into_iter().map(|x| x as usize).collect()
}

/// The largest error of a column and where it is, as `error(got, expected)` has it.
pub(crate) fn worst(got: &[f64], expected: &[f64], error: impl Fn(f64, f64) -> f64) -> (f64, usize) {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).enumerate().fold((0.0, 0), |worst, (i, (&a, &b))| {
        let this = if a == b { 0.0 } else { error(a, b) };
        if this > worst.0 || this.is_nan() { (this, i) } else { worst }
    })
}

/// The relative error.
pub(crate) fn relative(got: f64, expected: f64) -> f64 {
    (got - expected).abs() / expected.abs().max(1e-300)
}
