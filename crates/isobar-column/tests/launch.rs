//! The column model as a whole: what does not fit is refused, and a day's budgets close.

mod mountains;
mod prescribed;
mod small_column;

use std::sync::{Arc, Mutex};

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::stages::{Advance, Diagnose, Ground, GroundKind, OfScheme, Sun, Sunlight, SurfaceFlux, quantity};
use isobar_column::{Error, Fields, Initial, Pipeline, Precision, Quantity, Stage, State, Step};
use isobar_launch::{Device, Queue};
use isobar_ysu::Ysu;
use small_column::{EMISSION, model};

const COLUMNS: usize = 3;
const LAYERS: usize = 14;
/// Atoms of nitrogen of tracers that have some.
const NITROGEN: [(&str, f64); 4] = [("NO", 1.0), ("NO2", 1.0), ("NO3", 1.0), ("N2O5", 2.0)];
const GIVEN: GroundKind = GroundKind::Given { warmest_hour: 14.0 };

fn queue() -> Queue {
    Queue::parallel(Device::Cpu).unwrap()
}

/// A stage that declares something and does something.
struct Odd {
    reads: Vec<Quantity>,
    writes: Vec<Quantity>,
    takes: Vec<(Quantity, bool)>,
}

impl<R: Precision> Stage<R> for Odd {
    fn name(&self) -> &str {
        "odd"
    }
    fn reads(&self) -> Vec<Quantity> {
        self.reads.clone()
    }
    fn writes(&self) -> Vec<Quantity> {
        self.writes.clone()
    }
    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        self.takes.iter().try_for_each(|&(quantity, to_write)| {
            if to_write { fields.write(quantity).map(drop) } else { fields.read(quantity).map(drop) }
        })
    }
}

#[test]
fn stages_that_do_not_fit_are_refused_when_the_pipeline_is_checked() {
    let state = small_column::initial(1, 5, &small_column::mechanism()).state::<f64>(queue()).unwrap();
    let message = |pipeline: Pipeline<f64>| pipeline.check(&state).unwrap_err().to_string();
    assert_eq!(
        message(Pipeline::new().stage(SurfaceFlux).stage(Diagnose)),
        "stage 'surface_flux' reads 'cell_thickness [m]', which nothing before it provides"
    );
    Pipeline::new().stage(Diagnose).stage(SurfaceFlux).check(&state).unwrap();
    let odd = |reads: Vec<Quantity>, writes: Vec<Quantity>| {
        Pipeline::new().stage(Diagnose).stage(Odd { reads, writes, takes: vec![] })
    };
    let celsius = Quantity::of_layers("air_temperature", "degC");
    assert_eq!(
        message(odd(vec![celsius], vec![])),
        "stage 'odd' has 'air_temperature [degC]', but the state has it in [K]"
    );
    let thickness = Quantity::of_column("cell_thickness", "m");
    assert_eq!(
        message(odd(vec![], vec![thickness])),
        "stage 'odd' has 'cell_thickness [m]' as (column), but stage 'diagnose' has it as (layer, column)"
    );
}

#[test]
fn a_stage_gets_what_it_declared_and_nothing_else() {
    let mut state = State::<f32>::new(queue(), [2, 4, 0]).unwrap();
    state.fill(quantity::VAPOUR, 0.5).unwrap();
    let mut apply = |reads: &[Quantity], writes: &[Quantity], takes: &[(Quantity, bool)]| {
        let mut odd = Odd { reads: reads.to_vec(), writes: writes.to_vec(), takes: takes.to_vec() };
        state.apply(&mut odd, &Step::first(1.0)).map_err(|error| error.to_string())
    };
    let (q, t) = (quantity::VAPOUR, quantity::TEMPERATURE);
    apply(&[q], &[t], &[(q, false), (q, false), (t, true)]).unwrap();
    let undeclared = |does: &str, what: Quantity| Err(format!("stage 'odd' {does} '{what}', which it did not declare"));
    assert_eq!(apply(&[q], &[], &[(t, false)]), undeclared("reads", t));
    assert_eq!(apply(&[q], &[], &[(q, true)]), undeclared("writes", q));
    let twice = Err(format!("stage 'odd' takes '{q}' twice, at least once to write"));
    assert_eq!(apply(&[q], &[q], &[(q, false), (q, true)]), twice);
    assert_eq!(apply(&[q], &[q], &[(q, true), (q, true)]), twice);
    let error = state.insert(q, &[0.0; 3]).unwrap_err().to_string();
    assert_eq!(error, "'humidity_mixing_ratio [kg kg-1]' has 3 values instead of 8 = (layer, column)");
    let error = state.to_host(quantity::OZONE).unwrap_err().to_string();
    assert_eq!(error, "the state has no 'mole_fraction_of_ozone_in_air [mol mol-1]'");
    // 8 values there once, none back: the stages transferred nothing.
    assert_eq!((state.transfers().to_device, state.transfers().to_host), (32, 0));
}

/// A stage that says which times its turns were for, from one to the other.
struct Told {
    advances: bool,
    turns: Arc<Mutex<Vec<[f64; 2]>>>,
}

impl<R: Precision> Stage<R> for Told {
    fn name(&self) -> &str {
        "told"
    }
    fn reads(&self) -> Vec<Quantity> {
        Vec::new()
    }
    fn writes(&self) -> Vec<Quantity> {
        Vec::new()
    }
    fn run(&mut self, _fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let end = step.time_s + step.every as f64 * step.length_s;
        self.turns.lock().unwrap().push([step.time_s, end]);
        Ok(())
    }
    fn advances(&self) -> bool {
        self.advances
    }
}

/// Thirteen steps of 2 s from 100 s on, results after every fourth: what advances the state every third step is never
/// ahead of the clock, leaves nothing out, and is where the clock is at results and at the end. What is said of the
/// state is for the steps ahead.
#[test]
fn what_advances_the_state_is_never_ahead_of_its_time() {
    let mut state = small_column::initial(1, 5, &small_column::mechanism()).state::<f64>(queue()).unwrap();
    let [advanced, said] = [true, false].map(|advances| (advances, Arc::new(Mutex::new(Vec::new()))));
    let stage = |(advances, turns): &(bool, Arc<Mutex<Vec<_>>>)| Told { advances: *advances, turns: turns.clone() };
    let mut pipeline =
        Pipeline::new().together_every(4, 13).stage_every(3, stage(&advanced)).stage_every(3, stage(&said));
    let after = |turns: &(bool, Arc<Mutex<Vec<[f64; 2]>>>)| turns.1.lock().unwrap().last().copied();
    for number in 0..13 {
        pipeline.step(&mut state, &Step::of_run(number, 100.0, 2.0)).unwrap();
        let now = 100.0 + 2.0 * (number + 1) as f64;
        let reached = after(&advanced).map_or(100.0, |turn| turn[1]);
        assert!(reached <= now && now - reached < 3.0 * 2.0, "{reached} at {now}");
        assert!(reached == now || !((number + 1) % 4 == 0 || number == 12), "{reached} at {now}");
        let [from, to] = after(&said).unwrap();
        // The last turn ends with the run.
        let long = if number == 12 { 2.0 } else { 6.0 };
        assert!(from <= now - 2.0 && now <= to && to - from == long, "{from} to {to} at {now}");
    }
    let turns = advanced.1.lock().unwrap();
    assert!(turns[0][0] == 100.0 && turns.windows(2).all(|pair| pair[0][1] == pair[1][0]), "{turns:?}");
}

#[test]
fn values_out_of_range_are_named_with_their_place() {
    let good = small_column::initial(2, 5, &small_column::mechanism());
    let message = |change: &dyn Fn(&mut isobar_column::Initial)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad.state::<f64>(queue()).err().expect("it is bad").to_string()
    };
    assert_eq!(
        message(&|bad| bad.temperature_k[7] = 90.0),
        "stage 'initial state': air_temperature [K] at column 1, level 3 is 90, which is not in [100, 400]"
    );
    assert!(
        message(&|bad| bad.vapour_kg_per_kg[0] = f64::NAN)
            .contains("humidity_mixing_ratio [kg kg-1] at column 0, level 0 is NaN")
    );
    assert!(message(&|bad| bad.pressure_pa[3] = bad.interface_pressure_pa[3]).contains("is not between the"));
    assert!(message(&|bad| bad.latitude_deg.truncate(1)).contains("'latitude [degree]' has 1 values instead of 2"));
}

/// Runs from `start_s` on and returns the state.
fn run<R: Precision>(steps: std::ops::Range<u64>, (state, pipeline): &mut (State<R>, Pipeline<R>)) {
    for number in steps {
        pipeline.step(state, &Step::of_run(number, 6.0 * 3600.0, 120.0)).unwrap();
    }
}

fn values<R: Precision>(state: &State<R>, quantity: Quantity) -> Vec<f64> {
    state.to_host(quantity).unwrap().iter().map(|x| x.value()).collect()
}

/// What columns hold changes by what comes in, within `tolerance` of what they hold; radiative heating is the
/// divergence of the fluxes within `radiation` of the surface's.
fn closes<R: Precision>(ground: GroundKind, tolerance: f64, radiation: f64) {
    let ground_is_slab = matches!(ground, GroundKind::Slab { .. });
    let mut model = model::<R>(queue(), (COLUMNS, LAYERS), 120.0, ground).unwrap();
    run(0..1, &mut model);
    let contents = |state: &State<R>| {
        [quantity::ENTHALPY, quantity::WATER_CONTENT, quantity::TRACERS_CONTENT].map(|quantity| values(state, quantity))
    };
    let gains =
        |state: &State<R>| [quantity::HEAT_GAINED, quantity::WATER_GAINED].map(|quantity| values(state, quantity));
    let (before, gained_before) = (contents(&model.0), gains(&model.0));
    run(1..121, &mut model);
    let (after, gained) = (contents(&model.0), gains(&model.0));
    for which in 0..2 {
        for column in 0..COLUMNS {
            let gain = gained[which][column] - gained_before[which][column];
            let error = after[which][column] - before[which][column] - gain;
            let held = after[which][column];
            assert!(error.abs() <= tolerance * held, "{which}, column {column}: {error:e} of {held:e}, gain {gain:e}");
            assert!(gain.abs() > 2.0 * tolerance * held, "{which}, column {column}: the gain is nothing: {gain:e}");
        }
    }
    let mechanism = small_column::mechanism();
    // Nitrogen: chemistry keeps it, mixing moves it, and NO is emitted.
    for column in 0..COLUMNS {
        let nitrogen = |contents: &[f64]| -> f64 {
            let place = |name| mechanism.species_index(name).unwrap() * COLUMNS + column;
            NITROGEN.iter().map(|&(name, atoms)| atoms * contents[place(name)]).sum()
        };
        let emitted = EMISSION * 120.0 * 120.0;
        let (start, end) = (nitrogen(&before[2]), nitrogen(&after[2]));
        assert!((end - start - emitted).abs() <= tolerance * end, "{start:e} + {emitted:e} is not {end:e}");
        assert!(emitted > 10.0 * tolerance * end);
    }
    // What the layers take of radiation is what the fluxes leave there.
    let p = values(&model.0, quantity::INTERFACE_PRESSURE);
    let spectra = [
        [quantity::FLUX_UP, quantity::FLUX_DOWN, quantity::HEATING],
        [quantity::SHORTWAVE_UP, quantity::SHORTWAVE_DOWN, quantity::SHORTWAVE_HEATING],
    ];
    for (spectrum, column) in (0..2 * COLUMNS).map(|i| (i / COLUMNS, i % COLUMNS)) {
        let [up, down, heating] = spectra[spectrum].map(|quantity| values(&model.0, quantity));
        let at = |level: usize| level * COLUMNS + column;
        let taken = |layer: usize| 1004.5 * heating[at(layer)] / 86_400.0 * (p[at(layer)] - p[at(layer + 1)]) / 9.81;
        let taken: f64 = (0..LAYERS).map(taken).sum();
        let net = |level: usize| down[at(level)] - up[at(level)];
        let left = net(LAYERS) - net(0);
        let most = down[at(LAYERS)].max(up[at(0)]);
        assert!((taken - left).abs() <= radiation * most, "{spectrum}, column {column}: {taken} of {left} W/m^2");
    }
    // The slab has what came into it; before the first step it had the mean temperature.
    let [ground, gained] = [quantity::SURFACE_TEMPERATURE, quantity::GROUND_HEAT_GAINED].map(|q| values(&model.0, q));
    let mean = values(&model.0, quantity::GROUND_MEAN);
    for column in (0..COLUMNS).filter(|_| ground_is_slab) {
        let held = 1e5 * (ground[column] - mean[column]);
        let error = held - gained[column];
        assert!(error.abs() <= tolerance * 1e5 * ground[column], "ground {column}: {error:e} of {held:e}");
        assert!(held.abs() > 1e4, "ground {column}: {held} J/m^2 is nothing");
    }
    assert!(model.0.flags().unwrap().iter().all(|&flags| flags == 0));
    assert!(values(&model.0, quantity::CLAMPS).iter().all(|&clamps| clamps == 0.0));
}

/// 120 steps with some twenty roundings a layer and step, which mostly cancel: sqrt(120 14 20) = 180 of 1.1e-16; single
/// precision the same of 6e-8. Radiation: sums of 140 g-points in 14 layers.
#[test]
fn budgets_close() {
    let slab = GroundKind::Slab {
        heat_capacity_j_per_m2_k: 1e5,
        conductance_w_per_m2_k: 5.0,
        sunlight: Sunlight::Part { transmittance: 0.7, albedo: 0.2 },
    };
    closes::<f64>(GIVEN, 2e-14, 1e-13);
    closes::<f64>(slab, 2e-14, 1e-13);
    closes::<f64>(small_column::SLAB, 2e-14, 1e-13);
    closes::<f32>(GIVEN, 1.1e-5, 1e-5);
    closes::<f32>(small_column::SLAB, 1.1e-5, 1e-5);
}

/// The same bits whatever the threads, and when the state has been to the host and back between two steps.
#[test]
fn threads_and_a_stop_change_nothing() {
    let fields = |state: &State<f64>| -> Vec<(Quantity, Vec<u64>)> {
        let bits = |quantity| values(state, quantity).iter().map(|x| x.to_bits()).collect();
        state.quantities().map(|quantity| (quantity, bits(quantity))).collect()
    };
    for kind in [GIVEN, small_column::SLAB] {
        let ground = || kind.clone();
        let mut whole = model::<f64>(Queue::new(Device::Cpu).unwrap(), (COLUMNS, LAYERS), 120.0, ground()).unwrap();
        run(0..13, &mut whole);
        let mut first = model::<f64>(queue(), (COLUMNS, LAYERS), 120.0, ground()).unwrap();
        run(0..7, &mut first);
        let mut second = model::<f64>(queue(), (COLUMNS, LAYERS), 120.0, ground()).unwrap();
        for quantity in first.0.quantities() {
            second.0.insert(quantity, &first.0.to_host(quantity).unwrap()).unwrap();
        }
        second.0.set_words(&first.0.words().unwrap()).unwrap();
        let memory = first.1.memory(first.0.queue()).unwrap();
        let kept = queue();
        second.1.recall(&kept, &memory).unwrap();
        run(7..13, &mut second);
        let (expected, got) = (fields(&whole.0), fields(&second.0));
        assert_eq!(expected.len(), got.len());
        for (quantity, bits) in expected {
            let same = got.iter().any(|(other, others)| *other == quantity && *others == bits);
            assert!(same, "{quantity} differs");
        }
        let runs = whole.1.report().iter().map(|stage| stage.runs).collect::<Vec<_>>();
        let expected = if kind == GIVEN {
            // Chemistry every 2, after them: the last step waits for its next one.
            &[13, 13, 3, 13, 13, 13, 13, 6, 13][..]
        } else {
            // The long wave every 5 steps, the short wave every 3.
            &[13, 13, 3, 5, 13, 13, 13, 13, 6, 13]
        };
        assert_eq!(runs, expected);
    }
}

/// Dry air over ground, with mixing alone: 60 layers, the lowest of 0.48 m. The lowest layer's temperature, the
/// ground's, and sensible heat after three hours.
fn thin_layers(step_s: f64, start_hour: f64, ground: GroundKind) -> [f64; 3] {
    let sounding = Sounding::new(Kind::StandardAtmosphere, &heights(60, 1728.0, 2.0)).unwrap();
    let mut initial = Initial::from_sounding(&sounding, 1);
    initial.wind_east_m_per_s.fill(6.0);
    initial.latitude_deg.fill(45.0);
    initial.moisture_availability.fill(0.0);
    initial.ground_mean_k.fill(289.0);
    initial.ground_amplitude_k.fill(5.0);
    let mut state = initial.state::<f64>(queue()).unwrap();
    state.fill(quantity::HEATING, 0.0).unwrap();
    let mut pipeline = Pipeline::new()
        .stage(Sun::new(172.0))
        .stage(Diagnose)
        .stage(Ground(ground))
        .stage(SurfaceFlux)
        .stage(OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(step_s)).unwrap())
        .stage(Advance::new(&state, &[]).unwrap());
    let start_s = 3600.0 * start_hour;
    pipeline.start(&mut state, start_s).unwrap();
    for number in 0..(3.0 * 3600.0 / step_s) as u64 {
        pipeline.step(&mut state, &Step::of_run(number, start_s, step_s)).unwrap();
    }
    assert_eq!(state.flags().unwrap(), [0], "{step_s} s");
    let first = |quantity| values(&state, quantity)[0];
    let exner = first(quantity::EXNER);
    let fluxes = first(quantity::SENSIBLE_HEAT_FLUX);
    [exner * first(quantity::POTENTIAL_TEMPERATURE), first(quantity::SURFACE_TEMPERATURE), fluxes]
}

#[test]
fn thin_layers_and_light_ground_take_any_step() {
    let slab = |heat_capacity_j_per_m2_k| GroundKind::Slab {
        heat_capacity_j_per_m2_k,
        conductance_w_per_m2_k: 10.0,
        sunlight: Sunlight::Part { transmittance: 0.7, albedo: 0.2 },
    };
    for (hour, ground) in [(0.0, GIVEN), (9.0, slab(1e5)), (9.0, slab(500.0))] {
        let [reference, rest @ ..] =
            [40.0, 80.0, 240.0, 3600.0].map(|step| (step, thin_layers(step, hour, ground.clone())));
        println!("{hour} h, {ground:?}: {reference:?}, {rest:?}");
        // By the bulk formula the lowest layer is near the ground, which is within what the day does to it.
        let (_, [air, surface, _]) = reference;
        assert!((air - surface).abs() < 2.0 && (282.0..302.0).contains(&surface), "{reference:?}");
        for (step, [warmth, under, _]) in rest {
            // First order: a step lags by part of what changes within it, and temperatures change by 1 to 3 K an hour.
            let allowed = step / 3600.0;
            let (by_air, by_ground) = ((warmth - air).abs(), (under - surface).abs());
            assert!(
                by_air < allowed && by_ground < allowed,
                "{step} s over {ground:?}: {warmth}, {under} {reference:?}"
            );
        }
    }
    // 284.255 K with steps of 10 s; forward fluxes had 42,717 K.
    let [air, ..] = thin_layers(60.0, 0.0, GIVEN);
    assert!((air - 284.25).abs() < 0.02, "{air}");
}
