//! The reference's gases, grids and states.

use std::path::PathBuf;

use isobar_golden::{find, json, npy, numbers, rows};
use isobar_launch::{Device, Precision as Number, Queue};
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::{ParOptions, read_par};
use isobar_spectra::{Absorber, Air, Constants, Gas, Grid, Isotopologue, Options, PartitionSum};

/// The constants of the reference, so that lines are compared and not constants.
pub(crate) const HAPI: Constants = Constants {
    second_radiation_cm_k: 1.438_802_849_664_225_7,
    boltzmann_j_per_k: 1.380_648_813e-23,
    light_m_per_s: 2.997_924_58e8,
    atomic_mass_kg: 1.660_538_73e-27,
};

pub(crate) const GASES: [(&str, u32); 5] = [("co2", 2), ("co", 5), ("h2o", 1), ("o3", 3), ("ch4", 6)];

pub(crate) struct Case {
    pub(crate) folder: PathBuf,
    pub(crate) gas: Gas,
    pub(crate) states: Vec<Air<f64>>,
    pub(crate) coarse: Grid,
    pub(crate) fine: Grid,
    /// Centres of the emissivities' channels.
    pub(crate) channels: Vec<f64>,
}

/// Partition sums of an isotopologue: those of the reference's table at the temperatures there.
pub(crate) fn partition(molecule: u32, isotopologue: u32) -> PartitionSum {
    let path = find("spectra").expect("the reference").join("partition_sums.txt");
    let text = std::fs::read_to_string(&path).expect("partition sums");
    let name = format!("Q_{molecule}_{isotopologue}");
    let header = text.lines().next().expect("a header").split_whitespace();
    // `#` and `T[K]` are two words, the temperature one column.
    let column = header.skip(1).position(|word| word == name).unwrap_or_else(|| panic!("{name}"));
    let table: Vec<(f64, f64)> = rows(&path).iter().map(|row| (row[0], row[column])).collect();
    PartitionSum::new(&name, &table).expect("a table")
}

pub(crate) fn mass(molecule: u32, isotopologue: u32) -> f64 {
    let path = find("spectra").expect("the reference").join("isotopologues.txt");
    let text = std::fs::read_to_string(path).expect("isotopologues");
    let row = text.lines().find(|line| line.starts_with(&format!("{molecule} {isotopologue} "))).expect("a row");
    row.split_whitespace().nth(2).expect("a mass").parse().expect("a number")
}

impl Case {
    pub(crate) fn new(gas: &str, molecule: u32) -> Option<Self> {
        let root = find("spectra")?;
        let spec = json(&root.join("spec.json"));
        let window = spec["windows"].as_array().expect("windows").iter().find(|w| w["name"] == gas).expect("a window");
        let grid = |kind: &str| {
            let value = |name: &str| window[kind][name].as_f64().expect("a number");
            Grid::regular(value("start"), value("end"), 1.0 / value("per_cm")).expect("a grid")
        };
        let path = root.join("lines").join(window["par"].as_str().expect("a name"));
        let (records, _) = read_par(&path, ParOptions::default()).expect("lines");
        let mut numbers_of: Vec<u32> = records.iter().map(|record| record.isotopologue).collect();
        numbers_of.sort_unstable();
        numbers_of.dedup();
        let isotopologues = numbers_of.iter().map(|&number| Isotopologue {
            name: format!("{gas} {number}"),
            mass_u: mass(molecule, number),
            partition: partition(molecule, number),
        });
        let lines = records.iter().map(|record| {
            let place = numbers_of.iter().position(|&number| number == record.isotopologue).expect("one of them");
            (record.line, place as u32)
        });
        let folder = root.join(gas);
        let states = rows(&folder.join("states.txt"));
        let air = |row: &Vec<f64>| Air { pressure_hpa: row[0], temperature_k: row[1], mole_fraction: row[2] };
        let name = gas.to_uppercase();
        Some(Self {
            gas: Gas::new(&name, lines.collect(), isotopologues.collect()).expect("a gas"),
            states: states.iter().map(air).collect(),
            coarse: grid("coarse"),
            fine: grid("fine"),
            channels: numbers(&window["channels"]),
            folder,
        })
    }

    /// The reference's spectra, one a state.
    pub(crate) fn golden(&self, name: &str) -> Vec<Vec<f64>> {
        let (shape, values) = npy(&self.folder.join(format!("{name}.npy")));
        values.chunks(shape[1..].iter().product()).map(<[f64]>::to_vec).collect()
    }

    pub(crate) fn compute<R: Precision + Number>(&self, grid: &Grid, options: Options) -> Vec<Vec<f64>> {
        let queue = Queue::parallel(Device::Cpu).expect("a CPU");
        let mut absorber = Absorber::<R>::new(queue, &self.gas, grid, options).expect("options");
        self.states.iter().map(|air| absorber.cross_sections(air).expect("a spectrum")).collect()
    }
}

pub(crate) fn cases() -> impl Iterator<Item = Case> {
    GASES.iter().map_while(|(gas, molecule)| Case::new(gas, *molecule))
}

/// The largest relative difference where the reference is not zero; where it is, so must be the result.
pub(crate) fn relative(got: &[f64], golden: &[f64]) -> f64 {
    assert_eq!(got.len(), golden.len());
    let each = got.iter().zip(golden).map(|(got, golden)| {
        if *golden == 0.0 {
            assert_eq!(*got, 0.0);
            return 0.0;
        }
        let error = (got / golden - 1.0).abs();
        assert!(error.is_finite(), "{got} {golden}");
        error
    });
    each.fold(0.0, f64::max)
}

/// The largest difference against the largest value within 16 points to either side.
pub(crate) fn against_local_maximum(got: &[f64], golden: &[f64]) -> f64 {
    let near = |i: usize| golden[i.saturating_sub(16)..(i + 17).min(golden.len())].iter().copied().fold(0.0, f64::max);
    let each = got.iter().zip(golden).enumerate();
    each.map(|(i, (got, golden))| (got - golden).abs() / near(i).max(f64::MIN_POSITIVE)).fold(0.0, f64::max)
}
