//! Radiation in the column model: what the scheme itself gives, layers above the model's top, a clear and a cloudy day
//! over land.

#[allow(dead_code, reason = "other tests use the rest of it")]
mod small_column;

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::stages::{
    Above, Advance, Diagnose, Ground, LongwaveOptions, OfScheme, Ozone, Radiation, RadiationOptions, Sun, SurfaceFlux,
    quantity as q,
};
use isobar_column::sun::{cosine_of_zenith, declination, hour_angle, nearness};
use isobar_column::{Clouds, Error, Initial, Pipeline, Precision, Quantity, State, Step};
use isobar_core::Real;
use isobar_core::constants::STEFAN_BOLTZMANN_W_PER_M2_K4 as STEFAN_BOLTZMANN;
use isobar_launch::{Device, Queue};
use isobar_radiation::{Columns, LongwaveScattering, Options, Overlap, Radiation as Spectra};
use isobar_ysu::Ysu;

fn queue() -> Queue {
    Queue::parallel(Device::Cpu).unwrap()
}

fn values<R: Precision>(state: &State<R>, quantity: Quantity) -> Vec<f64> {
    state.to_host(quantity).unwrap().iter().map(|value| value.value()).collect()
}

/// Columns of the US Standard Atmosphere on layers between these heights, at noon on the equator's latitude.
fn standard(heights_m: &[f64], columns: usize) -> Initial {
    let sounding = Sounding::new(Kind::StandardAtmosphere, heights_m).unwrap();
    let mut initial = Initial::from_sounding(&sounding, columns);
    initial.latitude_deg.fill(20.0);
    initial
}

/// Both spectra at noon: the state with fluxes and heating.
fn noon(initial: &Initial, options: &RadiationOptions) -> State<f64> {
    let mut state = initial.state::<f64>(queue()).unwrap();
    let step = Step::of_run(0, 12.0 * 3600.0, 60.0);
    state.apply(&mut Diagnose, &step).unwrap();
    for scheme in small_column::ecckd() {
        state.apply(&mut Radiation::new(&state, &scheme, options).unwrap(), &step).unwrap();
    }
    state
}

/// The ends of a column lie on the lines in pressure through the two layers next to them, which at the ground is nearly
/// the standard atmosphere's 288.15 K.
#[test]
fn the_ends_have_the_temperature_of_the_air_there() {
    let initial = standard(&heights(12, 20_000.0, 1.5), 2);
    let mut state = initial.state::<f64>(queue()).unwrap();
    state.apply(&mut Diagnose, &Step::of_run(0, 0.0, 60.0)).unwrap();
    let (layers, levels) = (values(&state, q::TEMPERATURE), values(&state, q::LEVEL_TEMPERATURE));
    let (middle, ends) = (&initial.pressure_pa, &initial.interface_pressure_pa);
    for ([near, far], end) in [([0, 1], 0), ([11, 10], 12)] {
        let [near, far, end] = [near, far, end].map(|row| 2 * row + 1);
        let slope = (layers[far] - layers[near]) / (middle[far] - middle[near]);
        let line = layers[near] + (ends[end] - middle[near]) * slope;
        assert!((levels[end] - line).abs() < 1e-11 * line, "{} {line}", levels[end]);
    }
    // T is (p / p0)^0.19 times 288.15 K: a line through p1 and p2 errs by half of 44 K (p0 - p1) (p0 - p2) / p0^2.
    let [p0, p1, p2] = [ends[1], middle[1], middle[3]];
    let bound = 22.0 * (p0 - p1) * (p0 - p2) / (p2 * p2);
    assert!((levels[1] - 288.15).abs() < bound, "{} {bound}", levels[1]);
    // The layer itself is colder by far.
    assert!(layers[1] < 288.15 - 10.0 * bound, "{} {bound}", layers[1]);
}

/// The fluxes and heating are the scheme's own for the columns as the state has them: the same bits.
#[test]
fn a_stage_gives_what_the_scheme_gives() {
    let columns = 5;
    let mut initial = standard(&heights(12, 20_000.0, 1.5), columns);
    let fraction = |i: usize| if i / columns == 4 { 0.2 * (i % columns) as f64 } else { 0.0 };
    let cells = initial.pressure_pa.len();
    initial.clouds = Some(Clouds {
        fraction: (0..cells).map(fraction).collect(),
        liquid_path_g_per_m2: vec![50.0; cells],
        ice_path_g_per_m2: vec![0.0; cells],
        liquid_radius_um: vec![9.0; cells],
        ice_size_um: vec![40.0; cells],
    });
    let options = RadiationOptions { layers_above: 0, day_of_year: 100.0, ..RadiationOptions::default() };
    let mut state = initial.state::<f64>(queue()).unwrap();
    let step = Step { every: 6, ..Step::of_run(7, 12.0 * 3600.0, 60.0) };
    state.apply(&mut Diagnose, &step).unwrap();
    let clouds = initial.clouds.as_ref().unwrap();
    let field = |quantity| values(&state, quantity);
    let day = 100.0 + step.middle_s() / 86_400.0;
    let cosine = cosine_of_zenith(20.0 * (std::f64::consts::PI / 180.0), declination(day), hour_angle(step.middle_s()));
    let sky = Columns {
        level_pressure_pa: initial.interface_pressure_pa.clone(),
        pressure_pa: initial.pressure_pa.clone(),
        temperature_k: field(q::TEMPERATURE),
        level_temperature_k: field(q::LEVEL_TEMPERATURE),
        surface_temperature_k: initial.ground_mean_k.clone(),
        emissivity: vec![1.0],
        cosine_zenith: vec![cosine; columns],
        total_solar_irradiance_w_per_m2: vec![1361.0 * nearness::<f64>(day)],
        surface_albedo_direct: vec![0.2],
        h2o: field(q::WATER),
        o3: initial.ozone_mol_per_mol.clone(),
        co2: vec![348e-6],
        n2o: vec![306e-9],
        ch4: vec![1650e-9],
        co: vec![0.0],
        o2: vec![0.209],
        n2: vec![0.781],
        cloud_fraction: clouds.fraction.clone(),
        liquid_path_g_per_m2: clouds.liquid_path_g_per_m2.clone(),
        ice_path_g_per_m2: clouds.ice_path_g_per_m2.clone(),
        liquid_radius_um: clouds.liquid_radius_um.clone(),
        ice_size_um: clouds.ice_size_um.clone(),
        subcolumn_seed: vec![7; columns],
        ..Columns::default()
    };
    let [long, short] = small_column::ecckd::<f64>();
    for scheme in [&long, &short] {
        state.apply(&mut Radiation::new(&state, scheme, &options).unwrap(), &step).unwrap();
    }
    let [long, short] = [long, short].map(|scheme| {
        let heat_capacity_j_per_kg_k = isobar_radiation::constants::GRAVITY / 9.81 * 1004.5;
        let options = Options { heat_capacity_j_per_kg_k, ..Options::default() };
        scheme.on(&[Device::Cpu]).run(&sky, &options).unwrap()
    });
    let expected = [
        (q::FLUX_UP, long.longwave_up_w_per_m2),
        (q::FLUX_DOWN, long.longwave_down_w_per_m2),
        (q::HEATING, long.longwave_heating_k_per_day),
        (q::SHORTWAVE_UP, short.shortwave_up_w_per_m2),
        (q::SHORTWAVE_DOWN, short.shortwave_down_w_per_m2),
        (q::SHORTWAVE_DIRECT, short.shortwave_direct_w_per_m2),
        (q::SHORTWAVE_HEATING, short.shortwave_heating_k_per_day),
    ];
    for (quantity, expected) in expected {
        assert_eq!(values(&state, quantity), expected, "{quantity}");
    }
    // Clouds shade the ground, the more of them the more.
    let down = values(&state, q::SHORTWAVE_DOWN);
    assert!(down[4] < down[0] - 100.0 && down[0] > 700.0, "{:?}", &down[..columns]);
    // Another step has other sub-columns, and the same step the same.
    let mut shaded = |number: u64| {
        let mut stage = Radiation::new(&state, &small_column::ecckd()[1], &options).unwrap();
        let start = 12.0 * 3600.0 - 60.0 * number as f64;
        state.apply(&mut stage, &Step { every: 6, ..Step::of_run(number, start, 60.0) }).unwrap();
        values(&state, q::SHORTWAVE_DOWN)[..columns].to_vec()
    };
    let (one, other, again) = (shaded(7), shaded(8), shaded(7));
    assert!(one == again && one[2] != other[2] && one[0] == other[0], "{one:?} {other:?}");
}

/// A flux by the ground's temperature is what a warmer ground shows, within the curvature of Planck's function: 1.5 /
/// 290 of 0.1 K, and 0.5 / 290 of the kelvin of the scheme's own difference.
#[test]
fn the_derivative_is_that_of_a_warmer_ground() {
    let mut initial = standard(&heights(12, 20_000.0, 1.5), 1);
    let options = RadiationOptions::default();
    let cold = noon(&initial, &options);
    initial.ground_mean_k[0] += 0.1;
    let warm = noon(&initial, &options);
    let difference = |quantity| -> Vec<f64> {
        let pairs = values(&warm, quantity).into_iter().zip(values(&cold, quantity));
        pairs.map(|(warm, cold)| (warm - cold) / 0.1).collect()
    };
    let slope = values(&cold, q::EMISSION_DERIVATIVE)[0];
    assert!((difference(q::FLUX_UP)[0] / slope - 1.0).abs() < 0.007, "{slope}");
    assert_eq!(values(&cold, q::EMISSION_TEMPERATURE), [initial.ground_mean_k[0] - 0.1]);
    let (heating, derivative) = (difference(q::HEATING), values(&cold, q::HEATING_DERIVATIVE));
    for (expected, got) in heating.into_iter().zip(&derivative) {
        assert!((expected - got).abs() < 0.007 * derivative[0], "{expected} {got}");
    }
}

/// What the model's own layers get, against a column that reaches to 0.01 hPa.
#[test]
fn layers_above_the_top_make_it_right() {
    let low = heights(30, 30_000.0, 1.3);
    let whole: Vec<f64> = low.iter().copied().chain((1..=50).map(|i| 30_000.0 + 1_000.0 * f64::from(i))).collect();
    let bare = |layers_above| RadiationOptions { layers_above, day_of_year: 80.0, ..RadiationOptions::default() };
    let constant = RadiationOptions { above: Above::Constant, ..bare(10) };
    let expected = noon(&standard(&whole, 1), &bare(0));
    let model = standard(&low, 1);
    let cases = [noon(&model, &bare(0)), noon(&model, &constant), noon(&model, &bare(10))];
    // At the model's top downward long wave and short wave [W/m^2]; heating of the three uppermost layers by both, and
    // of all others [K/day].
    let errors = cases.each_ref().map(|case| {
        let error = |quantity, rows: std::ops::Range<usize>| {
            let (got, expected) = (values(case, quantity), values(&expected, quantity));
            rows.map(|row| (got[row] - expected[row]).abs()).fold(0.0, f64::max)
        };
        [
            error(q::FLUX_DOWN, 30..31),
            error(q::SHORTWAVE_DOWN, 30..31),
            error(q::HEATING, 27..30),
            error(q::SHORTWAVE_HEATING, 27..30),
            error(q::HEATING, 0..27),
        ]
    });
    let [none, isothermal, ten] = errors;
    println!("no layers {none:?}\nisothermal {isothermal:?}\nstandard {ten:?}");
    // Nothing comes from above without them, where 5 W/m^2 do, and ozone takes 19 W/m^2 of the sun.
    assert!(none[0] > 4.0 && none[1] > 15.0 && none[2] > 5.0 && none[3] > 20.0, "{none:?}");
    // Ten layers of a factor of 2 in pressure are as good as fifty but for their coarseness: a hundredth of what is
    // missing without them, a fiftieth of the heating.
    for (which, part) in [(0, 0.01), (1, 0.01), (2, 0.02), (3, 0.01), (4, 0.01)] {
        assert!(ten[which] < part * none[which], "{which}: {ten:?} of {none:?}");
        assert!(ten[which] < isothermal[which] && isothermal[which] < none[which], "{which}: {isothermal:?}");
    }
}

/// Where the model's top is beyond the end of the layers above, they go on to half of its pressure and change next to
/// nothing: they hold 0.2 Pa of 1013 hPa, and ozone of the mesosphere.
#[test]
fn layers_above_a_high_top_change_next_to_nothing() {
    let high = standard(&heights(50, 86_000.0, 1.0), 1);
    let bare = |layers_above| RadiationOptions { layers_above, day_of_year: 80.0, ..RadiationOptions::default() };
    let [none, ten] = [0, 10].map(|layers| noon(&high, &bare(layers)));
    for quantity in [q::FLUX_UP, q::FLUX_DOWN, q::SHORTWAVE_UP, q::SHORTWAVE_DOWN] {
        let pairs = values(&none, quantity).into_iter().zip(values(&ten, quantity));
        let worst = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(worst > 0.0 && worst < 0.01, "{quantity}: {worst}");
    }
}

/// A clear column and one with thick water clouds, over land at 45 degrees north in June, from midnight on.
fn day<R: Precision>() -> (State<R>, Pipeline<R>) {
    let mut initial = standard(&heights(20, 20_000.0, 1.8), 2);
    initial.latitude_deg.fill(45.0);
    initial.wind_east_m_per_s.fill(5.0);
    initial.ground_mean_k.fill(288.0);
    let cells = initial.pressure_pa.len();
    let cloudy = |i: usize| i % 2 == 1 && (8e4..9e4).contains(&initial.pressure_pa[i]);
    initial.clouds = Some(Clouds {
        fraction: (0..cells).map(|i| if cloudy(i) { 1.0 } else { 0.0 }).collect(),
        liquid_path_g_per_m2: vec![150.0; cells],
        ice_path_g_per_m2: vec![0.0; cells],
        liquid_radius_um: vec![10.0; cells],
        ice_size_um: vec![40.0; cells],
    });
    let state = initial.state::<R>(queue()).unwrap();
    let [long, short] = small_column::ecckd();
    let options = RadiationOptions { day_of_year: 172.0, ..RadiationOptions::default() };
    let pipeline = Pipeline::new()
        .stage(Sun::new(172.0))
        .stage(Diagnose)
        .stage_every(2, Radiation::new(&state, &long, &options).unwrap())
        .stage_every(2, Radiation::new(&state, &short, &options).unwrap())
        .stage(Ground(small_column::SLAB))
        .stage(SurfaceFlux)
        .stage(OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(STEP_S)).unwrap())
        .stage(Advance::new(&state, &[]).unwrap());
    (state, pipeline)
}

const STEP_S: f64 = 600.0;
const STEPS: usize = 144;

/// Bounds that follow from the energy of the ground, and nothing else.
#[test]
fn the_ground_warms_by_day_and_cools_by_night_under_clear_sky_and_clouds() {
    let (mut state, mut pipeline) = day::<f64>();
    let mut series: Vec<[[f64; 6]; 2]> = Vec::new();
    for number in 0..STEPS as u64 {
        pipeline.step(&mut state, &Step::of_run(number, 0.0, STEP_S)).unwrap();
        let surface = |quantity| values(&state, quantity)[..2].to_vec();
        let fields = [
            q::SURFACE_TEMPERATURE,
            q::SHORTWAVE_DOWN,
            q::SHORTWAVE_UP,
            q::FLUX_DOWN,
            q::SENSIBLE_HEAT_FLUX,
            q::MOISTURE_FLUX,
        ]
        .map(surface);
        series.push([0, 1].map(|column| fields.each_ref().map(|field| field[column])));
    }
    assert_eq!(state.flags().unwrap(), [0, 0]);
    let mut ranges = Vec::new();
    for column in [0, 1] {
        let at = |step: usize| series[step][column];
        let warmest = (0..STEPS).max_by(|&a, &b| at(a)[0].total_cmp(&at(b)[0])).unwrap();
        let coldest = (0..STEPS).min_by(|&a, &b| at(a)[0].total_cmp(&at(b)[0])).unwrap();
        let [high, low] = [warmest, coldest].map(|step| at(step)[0]);
        println!("column {column}: {low:.2} K at step {coldest}, {high:.2} K at step {warmest}");
        ranges.push(high - low);
        // What reaches the ground at most and at least while its temperature turns: emission alone balances it at the
        // highest temperature; the air and the ground below, which are colder by day, take their part.
        let income = |step: usize| at(step)[1] - at(step)[2] + at(step)[3];
        let most = (0..STEPS).map(income).fold(0.0, f64::max);
        let least = (0..STEPS).map(income).fold(f64::INFINITY, f64::min);
        let balance = |income: f64| Real::powf(income / STEFAN_BOLTZMANN, 0.25);
        assert!(high < balance(most), "{high} K and {} K", balance(most));
        assert!(low > balance(least), "{low} K and {} K", balance(least));
        // The warmest hour is after noon, when the sun is strongest, and before the income has fallen by half; the
        // coldest is at sunrise, within an hour.
        assert!((72..96).contains(&warmest) && (18..36).contains(&coldest), "{warmest} {coldest}");
        // By day heat and water go up, before sunrise heat comes down from the air, which is warmer.
        assert!(at(78)[4] > 20.0 && at(78)[5] > 1e-5 && at(coldest)[4] < 0.0, "{:?} {:?}", at(78), at(coldest));
    }
    // Clouds take most of the sun, and send more long wave down: the day has a smaller range.
    let [clear, cloudy] = [0, 1].map(|column| series[72][column]);
    assert!(clear[1] > 850.0 && cloudy[1] < 0.5 * clear[1], "{} {}", clear[1], cloudy[1]);
    assert!(cloudy[3] > clear[3] + 30.0, "{} {}", clear[3], cloudy[3]);
    assert!(ranges[0] > 10.0 && ranges[1] < 0.6 * ranges[0], "{ranges:?}");
    // The ground keeps what came into it: 144 roundings of the temperature of 3e-14 K, times 1e5 J/(m^2 K), and of the
    // sum, up to 1e6.
    let [ground, gained] = [q::SURFACE_TEMPERATURE, q::GROUND_HEAT_GAINED].map(|quantity| values(&state, quantity));
    for column in 0..2 {
        let held = 1e5 * (ground[column] - 288.0);
        assert!((held - gained[column]).abs() < 144.0 * (3e-9 + 1e-10), "{held} {}", gained[column]);
    }
}

/// Clouds that scatter send some of the long wave back to the ground, and let less of it out; two layers of clouds that
/// overlap at random cover more of the ground.
#[test]
fn scattering_and_overlap_are_those_that_were_chosen() {
    let mut initial = standard(&heights(12, 20_000.0, 1.5), 64);
    let (cells, columns) = (initial.pressure_pa.len(), 64);
    for column in 0..columns {
        // Other random numbers for each.
        initial.temperature_k[column] += 1e-6 * column as f64;
    }
    let layer = |i: usize, wanted: [usize; 2]| wanted.contains(&(i / columns));
    initial.clouds = Some(Clouds {
        fraction: (0..cells).map(|i| if layer(i, [6, 7]) { 0.5 } else { 0.0 }).collect(),
        liquid_path_g_per_m2: vec![0.0; cells],
        ice_path_g_per_m2: vec![20.0; cells],
        liquid_radius_um: vec![10.0; cells],
        ice_size_um: vec![50.0; cells],
    });
    let mean = |options: &RadiationOptions, quantity, level: usize| {
        let all = values(&noon(&initial, options), quantity);
        all[level * columns..][..columns].iter().sum::<f64>() / columns as f64
    };
    let plain = RadiationOptions { longwave_scattering: LongwaveScattering::None, ..RadiationOptions::default() };
    for longwave_scattering in [LongwaveScattering::Rescaled, LongwaveScattering::TwoStream] {
        let scattering = RadiationOptions { longwave_scattering, ..plain };
        let out = mean(&plain, q::FLUX_UP, 12) - mean(&scattering, q::FLUX_UP, 12);
        assert!((0.5..15.0).contains(&out), "{longwave_scattering:?}: {out}");
    }
    let sun = |overlap| mean(&RadiationOptions { overlap, ..plain }, q::SHORTWAVE_DOWN, 0);
    let (random, most) = (sun(Overlap::Random), sun(Overlap::Maximum));
    assert!(random < most - 5.0, "{random} {most}");
    let distance = RadiationOptions { overlap: Overlap::Exponential, ..plain };
    let state = initial.state::<f64>(queue()).unwrap();
    let said = Radiation::new(&state, &small_column::ecckd()[0], &distance).err().unwrap().to_string();
    assert!(said.contains("overlap is less with distance"), "{said}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut initial = standard(&heights(6, 16_000.0, 1.0), 1);
    let state = initial.state::<f64>(queue()).unwrap();
    let [long, short] = small_column::ecckd::<f64>();
    let said = |outcome: Result<Radiation<f64>, Error>| outcome.err().expect("it is wrong").to_string();
    let options = RadiationOptions::default();
    let with = |options: &RadiationOptions| said(Radiation::new(&state, &long, options));
    assert_eq!(
        with(&RadiationOptions { layers_above: 1001, ..options }),
        "stage 'longwave': 1001 layers above the top are not in [0, 1000]"
    );
    let gases = LongwaveOptions { ozone: Ozone::Tracer(2), ..LongwaveOptions::default() };
    assert!(with(&RadiationOptions { gases, ..options }).contains("there is no tracer 2: there are 0"));
    let gases = LongwaveOptions { emissivity: 1.5, ..LongwaveOptions::default() };
    assert!(with(&RadiationOptions { gases, ..options }).contains("1.5 is no mole fraction or emissivity in [0, 1]"));
    let irradiance = RadiationOptions { total_solar_irradiance_w_per_m2: f64::NAN, ..options };
    assert!(with(&irradiance).contains("an irradiance of NaN W/m^2 is not in [0, 9000]"));
    let none = Spectra::<f64>::new();
    assert!(said(Radiation::new(&state, &none, &options)).contains("a stage has one k-distribution, not 0"));
    let gases = short.spectra().gas_optics().next().unwrap().clone();
    let cells = initial.pressure_pa.len();
    let some = vec![0.5; cells];
    initial.clouds = Some(Clouds {
        fraction: some.clone(),
        liquid_path_g_per_m2: some.clone(),
        ice_path_g_per_m2: some.clone(),
        liquid_radius_um: some.clone(),
        ice_size_um: some,
    });
    let cloudy = initial.state::<f64>(queue()).unwrap();
    let without_clouds = Spectra::new().with(&gases, None).unwrap();
    let text = said(Radiation::new(&cloudy, &without_clouds, &options));
    assert!(text.contains("columns have clouds, and there are no tables of clouds"), "{text}");
    initial.clouds.as_mut().unwrap().fraction[2] = 1.5;
    let text = initial.state::<f64>(queue()).err().unwrap().to_string();
    assert!(text.contains("cloud_area_fraction_in_atmosphere_layer [1] at column 0, level 2 is 1.5"), "{text}");
    initial.surface_albedo[0] = -0.1;
    initial.clouds = None;
    let text = initial.state::<f64>(queue()).err().unwrap().to_string();
    assert!(text.contains("surface_albedo [1] at column 0, level 0 is -0.1"), "{text}");
}
