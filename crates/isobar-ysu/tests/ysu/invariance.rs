//! A column has the same bits alone or in any company and order, whatever the strides of its fields.

use isobar_core::fields::{AnyField, InputSet, OwnedInputs};
use isobar_core::{Field, Real};
use isobar_ysu::{ColumnViews, Columns, Options, Results, compute, compute_by_lanes};
use proptest::prelude::*;

use crate::case::{computed, gathered, made_up, repeated, run};

/// The bits of everything that belongs to a column.
fn bits<R: Real>(out: &Results<R>, columns: usize, column: usize) -> Vec<u64> {
    let fields = [
        &out.u_tendency_m_per_s2,
        &out.v_tendency_m_per_s2,
        &out.theta_tendency_k_per_s,
        &out.vapour_tendency_kg_per_kg_s,
        &out.cloud_water_tendency_kg_per_kg_s,
        &out.cloud_ice_tendency_kg_per_kg_s,
        &out.tracers_tendency_per_s,
    ];
    let more = [
        &out.diffusivity_heat_m2_per_s,
        &out.diffusivity_momentum_m2_per_s,
        &out.height_m,
        &out.convective_velocity_m_per_s,
    ];
    let rest = [
        &out.entrainment_depth_m,
        &out.u_10m_m_per_s,
        &out.v_10m_m_per_s,
        &out.stress_u_n_per_m2,
        &out.stress_v_n_per_m2,
        &out.heat_w_per_m2,
    ];
    let all = fields.into_iter().chain(more).chain(rest).chain([&out.latent_heat_w_per_m2]);
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
fn again_and_again() {
    let one = made_up(35, &parameters()[..3]);
    let (expected, out) = (run::<f64>(&one, options(0)), run::<f64>(&repeated(&one, 100), options(0)));
    (0..100).for_each(|i| assert_eq!(bits(&out, 100, i), bits(&expected, 3, i % 3)));
}

fn parameters() -> Vec<(f64, f64, f64)> {
    (0..77).map(|i| (f64::from(i * 37 % 400 - 60), f64::from(i * 7 % 23), 0.002 + 0.0005 * f64::from(i % 19))).collect()
}

/// As 32 threads of a GPU compute an item, one lane each.
fn lanes_alone<R: Real>(columns: &Columns<f64>, options: Options) {
    let columns = columns.rounded::<R>();
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    assert_eq!(compute_by_lanes(&views, &options).expect("the columns are valid"), computed(&columns, options));
}

#[test]
fn one_lane_at_a_time() {
    // Fewer layers than come in the first group, than a GPU's scratch has places for, and more.
    for layers in [4, 5, 9, 11, 20, 23, 35, 90] {
        let mut columns = made_up(layers, &parameters());
        columns.tracers = columns.vapour_kg_per_kg.clone();
        for which in 0..4 {
            lanes_alone::<f32>(&columns, options(which));
            lanes_alone::<f64>(&columns, options(which));
        }
    }
}

/// Columns of any layout: values level-fastest and top-first.
struct Flipped {
    fields: Vec<(&'static str, Vec<f64>)>,
    layers: usize,
    count: usize,
}

impl Flipped {
    fn new(columns: &Columns<f64>) -> Self {
        let (layers, count) = (columns.layers(), columns.columns());
        let mut fields = Vec::new();
        columns.clone().each_real(&mut |declared, values| {
            let levels = values.len() / count;
            let flip = |i: usize| values[(levels - 1 - i % levels) * count + i / levels];
            fields.push((declared.name, (0..values.len()).map(flip).collect()));
        });
        Self { fields, layers, count }
    }

    fn views(&self) -> ColumnViews<'_, f64> {
        let mut fields = self.fields.iter();
        ColumnViews::build(&mut |declared| {
            let (name, values) = fields.next().expect("all of them");
            assert_eq!(*name, declared.name);
            AnyField::Real(match values.len() / self.count {
                0 => Field::empty(),
                levels => Field::level_fastest(values, levels, self.count).levels_reversed(),
            })
        })
    }
}

#[test]
fn level_fastest_and_top_first_fields_need_no_copy() {
    let columns = made_up(35, &parameters());
    let flipped = Flipped::new(&columns);
    assert_eq!(flipped.layers, 35);
    for which in 0..4 {
        let expected = run::<f64>(&columns, options(which));
        assert_eq!(compute(&flipped.views(), &options(which)).expect("the columns are valid"), expected);
    }
}
