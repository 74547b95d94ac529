//! Tables interpolated in logarithms, as JURASSIC does since 2026: against numbers of its own functions, and against
//! what must hold of any table.

use isobar_core::Real;
use isobar_ega::growth::Growth;
use isobar_ega::jurassic::{JurassicGrowth, JurassicMeanPath};
use isobar_ega::law::Logarithmic;
use isobar_ega::log_growth::LogGrowth;
use isobar_ega::mean_path::MeanPath;
use isobar_ega::rule::{Rule, Segment, SideBySide};
use isobar_ega::{Curve, EmissivityTable, Interpolation, PressureLevel, TableData, TableError};

/// Absolute, for equal arithmetic: logarithms and exponentials of a few rounding errors each, over 40 segments, and
/// thin segments as `1 - (1 - E) / tau`.
const EXACT: f64 = 1e-13;
/// JURASSIC forms the slopes of its straight pieces in single precision, 6e-8 relative of each logarithm's change, and
/// a segment goes up and down a curve: absolute.
const SINGLE_SLOPES: f64 = 5e-7;

/// Column densities from 2e17 to 2e22 molecules/cm^2, emissivities from 1e-4 to 0.98: all numbers have few bits, so
/// that another language makes the same ones.
fn table() -> EmissivityTable {
    let mut pressure_hpa = 0.125;
    let mut level = |i: i32| {
        let curve = |j: i32| {
            let ln_emissivity = |k: i32| {
                let below = f64::from((24 - k) * (24 - k)) / 64.0;
                (-below - f64::from(32 - i) / 256.0 - f64::from(2 - j) / 128.0) as f32
            };
            let pairs = (0..24).map(|k| [40.0 + 0.5 * k as f32, ln_emissivity(k)]).collect();
            Curve::from_logarithms(200.0 + 48.0 * f64::from(j), pairs)
        };
        let level = PressureLevel { pressure_hpa, curves: (0..3).map(curve).collect() };
        pressure_hpa *= 1.34375;
        level
    };
    EmissivityTable { pressures: (0..32).map(&mut level).collect() }
}

/// Pressure \[hPa\], temperature \[K\] and column density \[molecules/cm^2\] of 40 segments: downwards from thin air
/// above the table, or upwards from thick air. The sixth has no gas.
fn path(upwards: bool) -> Vec<(f64, f64, f64)> {
    let mut pressure_hpa = if upwards { 700.0 } else { 0.09 };
    let mut segment = |m: i32| {
        let (x, here) = (f64::from(m), pressure_hpa);
        pressure_hpa *= if upwards { 0.8125 } else { 1.28125 };
        let scale = if upwards { 66 - m / 3 } else { 52 + m / 2 };
        let column = if m == 5 { 0.0 } else { (1.0 + x / 8.0) * Real::powi(2.0_f64, scale) };
        (here, if upwards { 290.0 - 3.25 * x } else { 180.0 + 3.25 * x }, column)
    };
    (0..40).map(&mut segment).collect()
}

/// The transmittance after each segment.
fn follow<A: Rule<f64>>(data: &TableData, path: &[(f64, f64, f64)]) -> Vec<f64> {
    let tables = data.view();
    let (head, grid) = (tables.tables.at(0), tables.grids.at(0));
    let (mut rule, mut near, mut passed) = (A::start(), [0; 3], 1.0);
    let mut next = |&(pressure_hpa, temperature_k, column_per_cm2): &(f64, f64, f64)| {
        let cell = tables.locate(&grid, pressure_hpa, temperature_k, &mut near, A::JURASSIC, A::LOGARITHMIC);
        passed *= 1.0 - rule.add(&tables, &head, &Segment { pressure_hpa, temperature_k, column_per_cm2, cell });
        passed
    };
    path.iter().map(&mut next).collect()
}

fn packed(jurassic: bool) -> TableData {
    TableData::packed(&[Some(table())], 1, jurassic, Interpolation::Logarithmic).expect("a valid table")
}

/// Every fourth transmittance of JURASSIC's own functions: growth downwards and upwards, means downwards and upwards.
#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "17 digits say the double")]
const JURASSIC: [[[f64; 10]; 2]; 2] = [
    [
        [
            0.99998487348707255, 0.99991194663086225, 0.9989804231216397, 0.99272383448286594, 0.96453323363230015,
            0.87561297078941924, 0.67897064379687344, 0.38177768442519022, 0.10270664555130982, 0.00017287852803493661,
        ],
        [
            0.77480456684060717, 0.72535426434507533, 0.69392421872646992, 0.68147407679076122, 0.67547054239467708,
            0.67267318285820976, 0.67159046923587662, 0.67109292474003146, 0.6708986719014195, 0.67082392028411864,
        ],
    ],
    [
        [
            0.99998486738565284, 0.9999118427854381, 0.99897900345972135, 0.99271771992316427, 0.96450918515828832,
            0.87554246130464253, 0.67880148540028717, 0.38172507768582964, 0.10415530929803174, 0.00017696846884340808,
        ],
        [
            0.77459944669645986, 0.72466671347700728, 0.69268445112628019, 0.67989716576931636, 0.67362975748150911,
            0.67065438658142718, 0.6694796637208521, 0.66892123615954335, 0.66866470957005197, 0.66856649634900778,
        ],
    ],
];

fn compare<A: Rule<f64>>(approximation: usize, tolerance: f64) {
    let data = packed(A::JURASSIC);
    for (upwards, want) in [false, true].into_iter().zip(&JURASSIC[approximation]) {
        let got = follow::<A>(&data, &path(upwards));
        for (i, &want) in want.iter().enumerate() {
            let got = got[4 * i + 3];
            assert!((got - want).abs() <= tolerance, "{} {upwards} {i}: {got} is not {want}", A::NAME);
        }
    }
}

#[test]
fn transmittances_are_those_of_jurassic() {
    compare::<JurassicGrowth<f64, Logarithmic>>(0, EXACT);
    compare::<JurassicMeanPath<f64, Logarithmic>>(1, EXACT);
    compare::<LogGrowth<f64>>(0, SINGLE_SLOPES);
    compare::<MeanPath<f64, Logarithmic>>(1, SINGLE_SLOPES);
}

/// In a homogeneous path the whole absorbs as its parts do: below the table, on it over any number of nodes, beyond.
#[test]
fn parts_absorb_as_the_whole() {
    let data = packed(false);
    for (p, t) in [(0.125, 200.0), (0.125, 296.0), (100.0, 230.0)] {
        for ln_whole in (70..120).map(|i| 0.5 * f64::from(i)) {
            let whole = Real::exp(ln_whole);
            let at_once = follow::<LogGrowth<f64>>(&data, &[(p, t, whole)])[0];
            // The same from the curves themselves.
            let mean = follow::<MeanPath<f64, Logarithmic>>(&data, &[(p, t, whole)])[0];
            assert!((at_once - mean).abs() < 1e-14, "{p} {t} {whole:e}: {at_once} is not {mean}");
            if t != 230.0 && p == 0.125 {
                // One curve has all the weight: growth along it gives the curve back.
                for parts in [2, 7, 300] {
                    let segments = vec![(p, t, whole / f64::from(parts)); parts as usize];
                    let last = follow::<LogGrowth<f64>>(&data, &segments)[parts as usize - 1];
                    // Rounding of the logarithms of some ten, once a segment that ends on another piece. Less than 1e-9
                    // is opaque.
                    let near = (last - at_once).abs() < 1e-12 || at_once.max(last) < 1e-9;
                    assert!(near, "{p} {t} {whole:e} in {parts}: {last} is not {at_once}");
                }
            }
        }
    }
}

/// Thin segments keep their digits, where a difference of logarithms would lose them.
#[test]
fn thin_segments_keep_their_digits() {
    let data = packed(false);
    let tables = data.view();
    let (head, grid) = (tables.tables.at(0), tables.grids.at(0));
    let (p, t, before) = (0.125, 200.0, Real::exp(45.25));
    let cell = tables.locate(&grid, p, t, &mut [0; 3], false, true);
    let absorbed = 1.0 - follow::<LogGrowth<f64>>(&data, &[(p, t, before)])[0];
    // Between nodes 10 and 11 of the coldest curve of the lowest pressure.
    let slope = (14.0 * 14.0 - 13.0 * 13.0) / 64.0 / 0.5;
    for share in [1e-12, 1e-9, 1e-6] {
        let mut rule = LogGrowth::<f64>::start();
        let mut add = |column_per_cm2: f64| {
            rule.add(&tables, &head, &Segment { pressure_hpa: p, temperature_k: t, column_per_cm2, cell })
        };
        add(before);
        let emissivity = add(before * share);
        let want = absorbed * Real::exp_m1(slope * Real::ln_1p(share)) / (1.0 - absorbed);
        assert!((emissivity / want - 1.0).abs() < 1e-12, "{share}: {emissivity:e} is not {want:e}");
    }
}

/// Channels side by side have the bits of each alone; those without a table, and those beyond the last, absorb nothing.
#[test]
fn side_by_side_as_alone() {
    const LANES: usize = 6;
    let mut other = table();
    other.pressures.iter_mut().flat_map(|level| &mut level.curves).for_each(|curve| {
        curve.logarithms.iter_mut().for_each(|[_, ln_emissivity]| *ln_emissivity *= 1.5);
    });
    let tables = [Some(table()), Some(other), None];
    let data = TableData::packed(&tables, 3, false, Interpolation::Logarithmic).expect("valid tables");
    let view = data.view();
    let heads = std::array::from_fn(|lane| view.tables.at(lane % 3));
    for upwards in [false, true] {
        let path = path(upwards);
        let mut near = [0; 3];
        let mut locate = |&(p, t, _): &(f64, f64, f64)| view.locate(&view.grids.at(0), p, t, &mut near, false, true);
        let cells: Vec<_> = path.iter().map(&mut locate).collect();
        let side = SideBySide::<LANES> { tables: view, heads, here: LANES - 1 };
        let mut several = LogGrowth::<f64>::start_all::<LANES>();
        let mut alone = [LogGrowth::<f64>::start(); 2];
        for (point, &(pressure_hpa, temperature_k, column_per_cm2)) in path.iter().enumerate() {
            let segment = Segment { pressure_hpa, temperature_k, column_per_cm2, cell: cells[point] };
            let [first, second] = [0, 1].map(|i| alone[i].add(&view, &heads[i], &segment));
            let together = LogGrowth::add_all(&mut several, &side, |_| cells[point], segment);
            assert_eq!(together, [first, second, 0.0, first, second, 0.0], "{upwards} {point}");
            assert!(first != second || first == 1.0 || column_per_cm2 == 0.0);
        }
    }
}

/// Both interpolations meet at the nodes, whatever a table's file holds.
#[test]
fn interpolations_agree_at_nodes() {
    let mut table = table();
    table.pressures.iter_mut().flat_map(|level| &mut level.curves).for_each(|curve| curve.logarithms.clear());
    let linear = TableData::new(&[Some(table.clone())], 1, false).unwrap();
    let logarithmic = TableData::packed(&[Some(table.clone())], 1, false, Interpolation::Logarithmic).unwrap();
    let curve = &table.pressures[0].curves[0];
    for (&column, &emissivity) in curve.column_per_cm2.iter().zip(&curve.emissivity) {
        let segment = [(0.125, 200.0, f64::from(column))];
        let want = f64::from(emissivity);
        assert!((1.0 - follow::<Growth<f64>>(&linear, &segment)[0] - want).abs() < 1e-15);
        // A logarithm in single precision of 40 to 52 is known to 2e-6, half of the distance of its neighbours.
        let got = 1.0 - follow::<LogGrowth<f64>>(&logarithmic, &segment)[0];
        assert!((got / want - 1.0).abs() < 5e-6, "{got} is not {want}");
    }
}

#[test]
fn bad_logarithms_are_named() {
    let refused = |change: &dyn Fn(&mut Curve)| {
        let mut table = table();
        change(&mut table.pressures[3].curves[1]);
        TableData::packed(&[Some(table)], 1, false, Interpolation::Logarithmic).unwrap_err().to_string()
    };
    let order = refused(&|curve| curve.logarithms[5][0] = 41.0);
    assert!(
        order.contains("ln of column density 41 at index 5 breaks the order") && order.contains("248 K"),
        "{order}"
    );
    let range = refused(&|curve| curve.logarithms[23][1] = 0.5);
    assert!(range.contains("ln of emissivity 0.5 at index 23 lies outside (-inf, 0]"), "{range}");
    let nan = refused(&|curve| curve.logarithms[0][0] = f32::NAN);
    assert!(nan.contains("ln of column density NaN at index 0"), "{nan}");
    let none = Curve { temperature_k: 200.0, column_per_cm2: vec![1e20], emissivity: vec![0.0], logarithms: vec![] };
    let level = PressureLevel { pressure_hpa: 1.0, curves: vec![none] };
    let table = Some(EmissivityTable { pressures: vec![level] });
    let error = TableData::packed(&[table], 1, false, Interpolation::Logarithmic).unwrap_err();
    assert!(matches!(error, TableError::Range { .. }) && error.to_string().contains("in logarithms"), "{error}");
}
