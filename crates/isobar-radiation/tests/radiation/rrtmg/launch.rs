//! Longwave radiation by threads, in chunks, without memory, in any layout, and the reference's columns.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::fields::{self, Extents, LAYER, OwnedInputs, OwnedOutputs};
use isobar_core::{Field, Status};
use isobar_launch::with_threads;
use isobar_radiation::rrtmg::{self, Decorrelation, Transmittance};
use isobar_radiation::{
    Angles, BadItems, CloudSolver, ColumnViews, Columns, Device, Fluxes, LONGWAVE_BAND, Model, Options, Overlap,
    Precision, Radiation, RunError, SHORTWAVE_BAND, analytic,
};

const LAYERS: usize = 9;

fn on<R: Precision>(device: Device) -> Model<Radiation<R>> {
    Radiation::new().with_rrtmg(&rrtmg::analytic::k_distribution()).unwrap().on(&[device])
}

/// What one thread computes.
fn expected<R: Precision>(columns: &Columns<R>, options: &Options) -> Fluxes<R> {
    on(Device::Thread).run(columns, options).unwrap()
}

fn check<R: Precision>(cloudy: bool, options: &Options) {
    let columns = analytic::columns::<R>(41, LAYERS, cloudy);
    let expected = expected(&columns, options);
    let run = || on::<R>(Device::Cpu).run(&columns, options).unwrap();
    assert!(with_threads(3, run).unwrap() == expected, "{options:?}");
    // Whole, in chunks and with little memory, into results whose memory is kept, whatever is left there; then another
    // shape.
    let mut results = Fluxes::default();
    for model in [
        on(Device::Cpu),
        on(Device::Cpu).items_per_chunk(32),
        // 64 columns of all results are more, 32 are not.
        on(Device::Cpu).items_per_chunk(64).largest_allocation(15_000 * size_of::<R>()),
        on(Device::Cpu).largest_allocation(30_000),
    ] {
        for _ in 0..2 {
            model.run_into(&columns, options, &mut results).unwrap();
            assert!(results == expected, "chunks, {options:?}");
            results.each_real(&mut |_, values| values.fill(R::NAN));
            results.status.fill(9);
        }
        let other = analytic::columns::<R>(5, LAYERS + 1, cloudy);
        model.run_into(&other, options, &mut results).unwrap();
        assert!(results == self::expected(&other, options));
    }
}

#[test]
fn threads_chunks_and_memory_change_no_bit() {
    let all = Options { derivative: true, band_fluxes: true, ..Options::of_rrtmg() };
    check::<f32>(false, &Options { angles: Angles::Gauss(3), ..all.clone() });
    check::<f64>(false, &all);
    let rrtmg = rrtmg::Options { decorrelation: Decorrelation::Latitude { day: 40 }, ..rrtmg::Options::default() };
    let overlap = Overlap::ExponentialRandom;
    check::<f32>(true, &Options { overlap, rrtmg, angles: Angles::Gauss(2), ..all.clone() });
    check::<f64>(true, &all);
    let rrtmg = rrtmg::Options { transmittance: Transmittance::Table, ..rrtmg::Options::default() };
    let (cloud_solver, overlap) = (CloudSolver::Fractions, Overlap::MaximumRandom);
    check::<f64>(true, &Options { cloud_solver, overlap, rrtmg, ..all });
}

/// Levels and columns in another order.
fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    (0..columns).flat_map(|column| values.iter().skip(column).step_by(columns).copied()).collect()
}

fn top_first(values: &[f64], columns: usize) -> Vec<f64> {
    values.chunks(columns).rev().flatten().copied().collect()
}

#[test]
fn every_layout_gives_the_same_bits() {
    let (count, options) = (37, Options::of_rrtmg());
    let columns = analytic::columns::<f64>(count, LAYERS, true);
    let expected = on(Device::Cpu).run(&columns, &options).unwrap();
    let (temperature, pressure) = (transposed(&columns.temperature_k, count), transposed(&columns.pressure_pa, count));
    let (levels, fraction) = (top_first(&columns.level_pressure_pa, count), top_first(&columns.cloud_fraction, count));
    let views = ColumnViews {
        temperature_k: Field::level_fastest(&temperature, LAYERS, count),
        pressure_pa: Field::level_fastest(&pressure, LAYERS, count),
        level_pressure_pa: Field::item_fastest(&levels, LAYERS + 1, count).levels_reversed(),
        cloud_fraction: Field::item_fastest(&fraction, LAYERS, count).levels_reversed(),
        ..(&columns).try_into().unwrap()
    };
    for model in [on(Device::Thread), on(Device::Cpu), on(Device::Cpu).items_per_chunk(32)] {
        assert!(model.run(views, &options).unwrap() == expected);
    }
}

#[test]
fn a_batch_stays_where_it_is_from_run_to_run() {
    let columns = analytic::columns::<f32>(41, LAYERS, true);
    let expected = expected(&columns, &Options::of_rrtmg());
    let model =
        Radiation::new().with_rrtmg(&rrtmg::analytic::k_distribution()).unwrap().on(&[Device::Cpu, Device::Thread]);
    let mut resident = model.resident(&columns, &Options::of_rrtmg()).unwrap();
    let mut results = Fluxes::default();
    for _ in 0..2 {
        resident.compute(&Options::of_rrtmg()).unwrap();
    }
    resident.results_into(&mut results).unwrap();
    assert!(results == expected);
}

#[test]
fn the_references_columns_go_through_the_model() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let k = isobar_io::read_rrtmg_lw(&dir.join("coeff/RRTMG_LW_DATA_DBL")).expect("the file is there");
    let dir = dir.join("std_atm");
    let read = |name: &str| isobar_golden::npy(&dir.join(format!("{name}.npy"))).1;
    // The second column, of 60 layers, after the first, of 51; columns of gases, the gas the fastest index.
    let (first, layers) = (51, 60);
    let rows = |name: &str, width: usize| read(name)[first * width..(first + layers) * width].to_vec();
    let level_rows = |name: &str| read(name)[first + 1..first + 1 + layers + 1].to_vec();
    let pascals = |values: Vec<f64>| values.into_iter().map(|p| p * 100.0).collect::<Vec<_>>();
    let width = read("in_wkl").len() / read("in_play").len();
    let (gases, halocarbons) = (rows("in_wkl", width), rows("in_wx", 4));
    let mut columns = Columns::<f64> {
        pressure_pa: pascals(rows("in_play", 1)),
        level_pressure_pa: pascals(level_rows("in_plev")),
        temperature_k: rows("in_tlay", 1),
        level_temperature_k: level_rows("in_tlev"),
        dry_column_per_cm2: rows("in_coldry", 1),
        broadening_column_per_cm2: rows("in_wbrodl", 1),
        surface_temperature_k: vec![read("in_tsfc")[1]],
        emissivity: read("in_emis")[16..32].to_vec(),
        ..Columns::default()
    };
    let mut number = 0;
    columns.each_real(&mut |declared, values| {
        if rrtmg::GASES.contains(&declared.name) {
            let (all, first, step) = if number < 7 { (&gases, number, width) } else { (&halocarbons, number - 7, 4) };
            *values = all.iter().skip(first).step_by(step).copied().collect();
            number += 1;
        }
    });
    let rrtmg = rrtmg::Options { transmittance: Transmittance::Table, ..rrtmg::Options::default() };
    let options = Options { rrtmg, ..Options::of_rrtmg() };
    let results = Radiation::<f64>::new().with_rrtmg(&k).unwrap().on(&[Device::Cpu]).run(&columns, &options).unwrap();
    for (got, name) in
        [(&results.longwave_up_w_per_m2, "out_flux_up"), (&results.longwave_down_w_per_m2, "out_flux_dn")]
    {
        for (got, expected) in got.iter().zip(level_rows(name)) {
            assert!((got - expected).abs() < 1e-9, "{name}: {got} {expected}");
        }
    }
}

#[test]
fn progress_reaches_the_end() {
    let last = Arc::new(AtomicUsize::new(0));
    let store = last.clone();
    let model = on::<f32>(Device::Cpu).progress(move |done| store.store(done, Ordering::Relaxed));
    model.run(&analytic::columns(11, 2, false), &Options::of_rrtmg()).unwrap();
    assert_eq!(last.load(Ordering::Relaxed), 11);
}

#[test]
fn what_does_not_fit_is_refused_or_flagged() {
    let columns = analytic::columns::<f64>(7, LAYERS, true);
    let refused = |columns: &Columns<f64>, options: &Options| {
        let Err(RunError::Batch(error)) = on(Device::Cpu).run(columns, options) else { panic!("accepted") };
        error.to_string()
    };
    let mut bad = columns.clone();
    bad.temperature_k[2 * 7 + 4] = 500.0;
    bad.h2o[3] = -0.5;
    let first = "h2o at column 3, layer 0 is -0.5, which is not in [0, 1] mol mol-1";
    assert_eq!(refused(&bad, &Options::of_rrtmg()), first);
    assert!(refused(&columns, &Options { angles: Angles::Gauss(5), ..Options::of_rrtmg() }).contains("5 angles"));
    let few = analytic::columns::<f64>(7, 3, true);
    assert!(refused(&few, &Options::of_rrtmg()).contains("too few to seed KISS"));
    // Views whose sizes are those of another k-distribution.
    let extents = Extents::new(7).with(LAYER, LAYERS).with(LONGWAVE_BAND, 9).with(SHORTWAVE_BAND, 1);
    let clear = Columns { emissivity: vec![1.0; 63], ..analytic::columns(7, LAYERS, false) };
    let error = on(Device::Cpu).run(clear.views(&extents, "column").unwrap(), &Options::of_rrtmg()).unwrap_err();
    assert_eq!(error.to_string(), "emissivity has 63 values instead of 112 = 16 longwave_bands x 7 columns");

    let (mut results, expected) = (Fluxes::default(), expected(&columns, &Options::of_rrtmg()));
    let model = on(Device::Cpu).bad_items(BadItems::Flag);
    let problems = model.run_into(&bad, &Options::of_rrtmg(), &mut results).unwrap();
    assert_eq!(problems.iter().map(fields::Error::item).collect::<Vec<_>>(), [Some(3), Some(4)]);
    for (column, status) in results.status.iter().enumerate() {
        let is_bad = [3, 4].contains(&column);
        assert_eq!(*status, if is_bad { Status::OUT_OF_RANGE.0 } else { 0 });
        let (got, expected) = (results.longwave_up_w_per_m2[7 + column], expected.longwave_up_w_per_m2[7 + column]);
        assert!(if is_bad { got.is_nan() } else { got == expected });
    }
}

/// Numbers too large for the precision have a status, and no others have.
#[test]
fn what_is_not_finite_has_a_status() {
    let mut columns = analytic::columns::<f32>(3, LAYERS, false);
    columns.aerosol_absorption_longwave = vec![0.0; LAYERS * 16 * 3];
    columns.aerosol_absorption_longwave[1] = f32::MAX;
    columns.h2o[1] = 1.0;
    let fluxes = on(Device::Cpu).run(&columns, &Options::of_rrtmg()).unwrap();
    for (column, &status) in fluxes.status.iter().enumerate() {
        let finite = (0..=LAYERS).all(|level| fluxes.longwave_up_w_per_m2[level * 3 + column].is_finite());
        assert_eq!(status, if finite { Status::OK.0 } else { Status::NOT_FINITE.0 }, "column {column}");
    }
}
