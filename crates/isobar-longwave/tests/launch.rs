//! Longwave radiation in pieces and by threads, with masks generated where columns are computed, and the reference's
//! columns.

use std::sync::Arc;

use isobar_core::Real;
use isobar_launch::{Device, with_threads};
use isobar_longwave::launch::{Longwave, LongwaveError, Precision};
use isobar_longwave::{
    Batch, Columns, Decorrelation, Generator, KDistribution, Options, Outputs, Overlap, Solver, Subcolumns, TableData,
    Transmittance, analytic,
};

const LAYERS: usize = 9;

fn tables<R: Real>() -> Arc<TableData<R>> {
    Arc::new(TableData::new(&analytic::k_distribution()))
}

/// What one thread computes, with masks from the host's generator.
fn expected<R: Real>(columns: &Columns<R>, options: &Options) -> Outputs<R> {
    let mut batch = Batch::new(tables(), columns.clone(), options.clone()).unwrap();
    batch.compute();
    batch.into_outputs()
}

fn check<R: Precision>(cloudy: bool, options: &Options) {
    let columns = analytic::columns::<R>(41, LAYERS, cloudy);
    let expected = expected(&columns, options);
    let cpu = || Longwave::<R>::new(&[Device::Cpu], tables());
    let run = || cpu().run(&columns, options, &|_| {}).unwrap();
    assert!(with_threads(3, run).unwrap() == expected, "{options:?}");
    // Whole and in chunks, into results whose memory is kept, whatever is left there; then another shape.
    let mut results = Outputs::default();
    for model in [cpu(), cpu().columns_per_chunk(32)] {
        for _ in 0..2 {
            model.run_into(&columns, options, &mut results, &|_| {}).unwrap();
            assert!(results == expected, "chunks, {options:?}");
            results.fields_mut().into_iter().flatten().for_each(|value| *value = R::NAN);
            results.status.fill(9);
        }
        let other = analytic::columns::<R>(5, LAYERS + 1, cloudy);
        model.run_into(&other, options, &mut results, &|_| {}).unwrap();
        assert!(results == self::expected(&other, options));
    }
}

#[test]
fn threads_and_chunks_change_no_bit() {
    let all = Options { derivative: true, band_fluxes: true, ..Options::default() };
    check::<f32>(false, &Options { slants: 3, ..all.clone() });
    check::<f64>(false, &all);
    let subcolumns = Subcolumns {
        overlap: Overlap::ExponentialRandom,
        decorrelation: Decorrelation::Latitude { day: 40 },
        ..Subcolumns::default()
    };
    check::<f32>(true, &Options { subcolumns, ..all.clone() });
    check::<f64>(true, &all);
    let subcolumns = Subcolumns { generator: Generator::Mersenne, ..Subcolumns::default() };
    check::<f32>(true, &Options { subcolumns, slants: 2, ..all.clone() });
    let table = Options { transmittance: Transmittance::Table, ..all };
    check::<f64>(true, &Options { solver: Solver::MaximumRandom, ..table });
}

#[test]
fn the_references_columns_go_through_the_launcher() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let k = KDistribution::from_rrtmg_file(dir.join("coeff/RRTMG_LW_DATA_DBL")).expect("the file is there");
    let dir = dir.join("std_atm");
    let read = |name: &str| isobar_golden::npy(&dir.join(format!("{name}.npy"))).1;
    // The second column, of 60 layers, after the first, of 51; columns of gases, the gas the fastest index.
    let (first, layers) = (51, 60);
    let rows = |name: &str, width: usize| read(name)[first * width..(first + layers) * width].to_vec();
    let level_rows = |name: &str| read(name)[first + 1..first + 1 + layers + 1].to_vec();
    let pascals = |values: Vec<f64>| values.into_iter().map(|p| p * 100.0).collect::<Vec<_>>();
    let gases = rows("in_wkl", read("in_wkl").len() / read("in_play").len());
    let halocarbons = rows("in_wx", 4);
    let width = gases.len() / layers;
    let columns = Columns::<f64> {
        pressure: pascals(rows("in_play", 1)),
        level_pressure: pascals(level_rows("in_plev")),
        temperature: rows("in_tlay", 1),
        level_temperature: level_rows("in_tlev"),
        gases: std::array::from_fn(|gas| gases.iter().skip(gas).step_by(width).copied().collect()),
        halocarbons: std::array::from_fn(|gas| halocarbons.iter().skip(gas).step_by(4).copied().collect()),
        dry_column: rows("in_coldry", 1),
        broadening_column: rows("in_wbrodl", 1),
        surface_temperature: vec![read("in_tsfc")[1]],
        emissivity: read("in_emis")[16..32].to_vec(),
        ..Columns::default()
    };
    let options = Options { transmittance: Transmittance::Table, ..Options::default() };
    let results = Longwave::new(&[Device::Cpu], Arc::new(TableData::new(&k))).run(&columns, &options, &|_| {}).unwrap();
    for (got, name) in [(&results.up, "out_flux_up"), (&results.down, "out_flux_dn")] {
        for (got, expected) in got.iter().zip(level_rows(name)) {
            assert!((got - expected).abs() < 1e-9, "{name}: {got} {expected}");
        }
    }
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::atomic::AtomicUsize::new(0);
    let store = |done| last.store(done, std::sync::atomic::Ordering::Relaxed);
    let columns = analytic::columns::<f32>(11, 2, false);
    Longwave::<f32>::new(&[Device::Cpu], tables()).run(&columns, &Options::default(), &store).unwrap();
    assert_eq!(last.into_inner(), 11);
}

#[test]
fn what_does_not_fit_is_refused() {
    let model = Longwave::<f64>::new(&[Device::Cpu], tables());
    let columns = analytic::columns::<f64>(7, LAYERS, true);
    let refused = |columns: &Columns<f64>, options: &Options| {
        let Err(LongwaveError::Columns(error)) = model.run(columns, options, &|_| {}) else { panic!("accepted") };
        error.to_string()
    };
    let mut bad = columns.clone();
    bad.temperature[2 * 7 + 4] = 500.0;
    bad.gases[0][3] = -0.5;
    assert_eq!(refused(&bad, &Options::default()), "h2o at column 3, level 0 is -0.5, which is not in [0, 1] mol/mol");
    assert!(refused(&columns, &Options { slants: 5, ..Options::default() }).contains("5 slants"));
    let few = analytic::columns::<f64>(7, 3, true);
    assert!(refused(&few, &Options::default()).contains("too few to seed KISS"));
}
