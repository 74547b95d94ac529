//! A column has the same bits alone or in any company and order, whatever the strides of its fields.

use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Field, FieldMut, Kernel, Real, Status};
use isobar_ysu::{Batch, Columns, Options, Outputs, Ysu};
use proptest::prelude::*;

use crate::case::{gathered, made_up, repeated, run};

/// The bits of everything that belongs to a column.
fn bits<R: Real>(out: &Outputs<R>, columns: usize, column: usize) -> Vec<u64> {
    let fields = [&out.u, &out.v, &out.theta, &out.vapour, &out.cloud_water, &out.cloud_ice, &out.tracers];
    let more = [&out.diffusivity_heat, &out.diffusivity_momentum, &out.height, &out.convective_velocity];
    let rest = [&out.entrainment_depth, &out.u_10m, &out.v_10m, &out.stress_u, &out.stress_v, &out.heat];
    let all = fields.into_iter().chain(more).chain(rest).chain([&out.latent_heat]);
    let mut bits: Vec<u64> =
        all.flat_map(|field| field.iter().skip(column).step_by(columns)).map(|x| x.value().to_bits()).collect();
    bits.push(out.level[column].into());
    bits
}

fn options(which: usize) -> Options {
    Options { top_down: which & 1 != 0, topographic: which & 2 != 0, ..Options::new(60.0) }
}

fn same_in_any_company<R: Real>(parameters: &[(f64, f64, f64)], order: &[usize], which: usize) {
    let all = made_up(35, parameters);
    let expected = run::<R>(&all, options(which));
    let mixed = run::<R>(&gathered(&all, order), options(which));
    for (place, &column) in order.iter().enumerate() {
        assert_eq!(bits(&mixed, order.len(), place), bits(&expected, parameters.len(), column), "column {column}");
    }
    let alone = run::<R>(&gathered(&all, &order[..1]), options(which));
    assert_eq!(bits(&alone, 1, 0), bits(&expected, parameters.len(), order[0]));
}

fn column() -> impl Strategy<Value = (f64, f64, f64)> {
    (-60.0..400.0_f64, 0.0..30.0_f64, 0.0005..0.02_f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_company_and_order(
        parameters in prop::collection::vec(column(), 1..70),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..70),
        which in 0..4_usize,
    ) {
        let order: Vec<usize> = order.iter().map(|i| i.index(parameters.len())).collect();
        same_in_any_company::<f64>(&parameters, &order, which);
        same_in_any_company::<f32>(&parameters, &order, which);
    }
}

#[test]
fn a_kernel_without_options_gives_the_same_bits() {
    let columns = made_up(35, &parameters());
    let expected = run::<f32>(&columns, options(0));
    let mut batch = Batch::new(columns.rounded::<f32>(), options(0)).expect("the columns are valid");
    lane_by_lane(&Ysu::<f32, true>(batch.arguments()));
    assert_eq!(batch.outputs(), &expected);
}

#[test]
fn again_and_again() {
    let one = made_up(35, &parameters()[..3]);
    let (expected, out) = (run::<f64>(&one, options(0)), run::<f64>(&repeated(&one, 100), options(0)));
    (0..100).for_each(|i| assert_eq!(bits(&out, 100, i), bits(&expected, 3, i % 3)));
}

/// The item as 32 threads of a GPU compute it, one lane each.
fn lane_by_lane<K: Kernel>(kernel: &K) {
    let mut memory = ThreadMemory::of(kernel);
    for index in 0..kernel.items() {
        for lane in 0..WARP {
            // SAFETY: each lane of each index once; lanes exchange nothing.
            let status = unsafe { kernel.item::<1>(index, memory.lane(lane)) };
            assert_eq!(status, Status::OK);
        }
    }
}

fn parameters() -> Vec<(f64, f64, f64)> {
    (0..77).map(|i| (f64::from(i * 37 % 400 - 60), f64::from(i * 7 % 23), 0.002 + 0.0005 * f64::from(i % 19))).collect()
}

fn lanes_alone<R: Real>(columns: &Columns<f64>, options: Options) {
    let expected = run::<R>(columns, options);
    let mut batch = Batch::new(columns.rounded::<R>(), options).expect("the columns are valid");
    lane_by_lane(&Ysu::<R, true>(batch.arguments()));
    lane_by_lane(&batch.tracers_kernel().expect("there is a tracer"));
    assert_eq!(batch.outputs(), &expected);
}

#[test]
fn one_lane_at_a_time() {
    // Fewer layers than come in the first group, than a GPU's scratch has places for, and more.
    for layers in [4, 5, 9, 11, 20, 23, 35, 90] {
        let mut columns = made_up(layers, &parameters());
        columns.tracers = columns.air.vapour.clone();
        for which in 0..4 {
            lanes_alone::<f32>(&columns, options(which));
            lanes_alone::<f64>(&columns, options(which));
        }
    }
}

/// Runs the kernel on fields that lie level-fastest and top-first, and returns heights and tendencies in the usual
/// layout.
fn flipped(columns: &Columns<f64>, options: Options) -> Vec<Vec<f64>> {
    let (layers, count) = (columns.layers(), columns.columns());
    // [column][level from the top]
    let flip = |values: &[f64], levels: usize| -> Vec<f64> {
        (0..levels * count).map(|i| values[(levels - 1 - i % levels) * count + i / levels]).collect()
    };
    let mut batch = Batch::new(columns.clone(), options).expect("the columns are valid");
    let arguments = batch.arguments();
    let air = &columns.air;
    let inputs = [&air.u, &air.v, &air.temperature, &air.vapour, &air.cloud_water, &air.cloud_ice]
        .into_iter()
        .chain([&air.pressure, &air.exner, &air.thickness, &air.radiative_heating])
        .map(|values| flip(values, layers))
        .collect::<Vec<_>>();
    let interfaces = flip(&columns.interface_pressure, layers + 1);
    let view = |i: usize| Field::level_fastest(&inputs[i], layers, count).levels_reversed();
    let mut outputs = vec![vec![0.0; layers * count]; 11];
    let mut views = outputs.iter_mut().map(|out| FieldMut::level_fastest(out, layers, count).levels_reversed());
    let mut next = || views.next().expect("eleven outputs");
    let mut flipped = arguments;
    flipped.air.u = view(0);
    flipped.air.v = view(1);
    flipped.air.temperature = view(2);
    flipped.air.vapour = view(3);
    flipped.air.cloud_water = view(4);
    flipped.air.cloud_ice = view(5);
    flipped.air.pressure = view(6);
    flipped.air.exner = view(7);
    flipped.air.thickness = view(8);
    flipped.air.radiative_heating = view(9);
    flipped.interface_pressure = Field::level_fastest(&interfaces, layers + 1, count).levels_reversed();
    flipped.tendencies.u = next();
    flipped.tendencies.v = next();
    flipped.tendencies.theta = next();
    flipped.tendencies.vapour = next();
    flipped.tendencies.cloud_water = next();
    flipped.tendencies.cloud_ice = next();
    flipped.diffusivity_heat = next();
    flipped.diffusivity_momentum = next();
    flipped.scratch.heat = next();
    flipped.scratch.moisture = next();
    flipped.scratch.momentum = next();
    assert!(flipped.layouts_agree());
    let flipped = Ysu::<f64, true>(flipped);
    let mut memory = ThreadMemory::of(&flipped);
    for index in 0..flipped.items() {
        // SAFETY: each index once; the views are those of living vectors.
        unsafe { flipped.item::<WARP>(index, memory.lanes()) };
    }
    let back = |values: &Vec<f64>| -> Vec<f64> {
        (0..layers * count).map(|i| values[i % count * layers + layers - 1 - i / count]).collect()
    };
    outputs[..8].iter().map(back).collect()
}

#[test]
fn level_fastest_and_top_first_fields() {
    let columns = made_up(35, &parameters());
    for which in 0..4 {
        let expected = run::<f64>(&columns, options(which));
        let usual = [&expected.u, &expected.v, &expected.theta, &expected.vapour, &expected.cloud_water]
            .into_iter()
            .chain([&expected.cloud_ice, &expected.diffusivity_heat, &expected.diffusivity_momentum]);
        for (got, expected) in flipped(&columns, options(which)).iter().zip(usual) {
            assert_eq!(got, expected);
        }
    }
}
