//! A small column model: all stages, with NOx and ozone as tracers.

use std::path::Path;
use std::sync::OnceLock;

use isobar_column::humidity::saturation_mixing_ratio;
use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::stages::{
    Advance, Budget, Chemistry, ChemistryOptions, Condensation, Diagnose, Forced, Forcing, Ground, GroundKind,
    LongwaveOptions, OfScheme, Ozone, PhotolysisOptions, PrescribedFlux, Radiation, RadiationOptions, RevisedSurface,
    Soil, SoilLayers, SoilStep, Sun, Sunlight, SurfaceFlux,
};
use isobar_column::{Clouds, Error, Initial, Pipeline, Precision, State, Table};
use isobar_core::Real;
use isobar_kpp::{Mechanism, Reader};
use isobar_launch::Queue;
use isobar_photolysis::Tables;
use isobar_radiation::rrtmg::analytic;
use isobar_radiation::{CloudOptics, Radiation as Spectra, Roughness};
use isobar_rosenbrock::{Method, Options};
use isobar_ysu::Ysu;

/// Every reaction keeps its nitrogen.
const NOX: &str = "
    #INCLUDE atoms.kpp
    #DEFVAR O = O; O3 = 3O; NO = N + O; NO2 = N + 2O; NO3 = N + 3O; N2O5 = 2N + 5O;
    #DEFFIX O2 = 2O; M = IGNORE;
    #EQUATIONS
    <J1> O3 + hv = O + O2           : 4.0E-4*SUN;
    <J2> NO2 + hv = NO + O          : 9.0E-3*SUN;
    <J3> NO3 + hv = NO2 + O         : 0.2*SUN;
    <J4> N2O5 + hv = NO2 + NO3      : 3.0E-5*SUN;
    <R1> O + O2 + M = O3 + M        : 6.0E-34*(TEMP/300.)**(-2.4);
    <R2> NO + O3 = NO2 + O2         : ARR_ab(3.0E-12, 1500.);
    <R3> NO2 + O3 = NO3 + O2        : ARR_ab(1.2E-13, 2450.);
    <R4> NO + NO3 = 2 NO2           : ARR_ab(1.5E-11, -170.);
    <R5> NO2 + NO3 = N2O5           : k3rd_jpl(AIR, 2.4E-30, 3.0, 1.6E-12, -0.1, 0.6);
    <R6> N2O5 = NO2 + NO3           : k3rd_jpl(AIR, 2.4E-30, 3.0, 1.6E-12, -0.1, 0.6)/(5.8E-27*EXP(10840./TEMP));
    #INLINE F90_RCONST
      AIR = C(ind_M)
    #ENDINLINE
    #INITVALUES CFACTOR = 2.5E19; O2 = 0.21; M = 1.0; O3 = 4.0E-8; NO = 1.0E-9; NO2 = 2.0E-9;
";

pub(crate) fn mechanism() -> Mechanism {
    Reader::new().read_text("nox.kpp", NOX).unwrap_or_else(|error| panic!("{error}"))
}

/// Emission of NO \[mol/(m^2 s)\].
pub(crate) const EMISSION: f64 = 3e-10;

/// Columns from the equator to 60 degrees north.
pub(crate) fn initial(columns: usize, layers: usize, mechanism: &Mechanism) -> Initial {
    let sounding = Sounding::new(Kind::StandardAtmosphere, &heights(layers, 16_000.0, 1.8)).expect("it is valid");
    let mut initial = Initial::from_sounding(&sounding, columns);
    let spread = |column: usize| column as f64 / columns as f64;
    for column in 0..columns {
        initial.latitude_deg[column] = 60.0 * spread(column);
        initial.ground_mean_k[column] = 289.0 + 4.0 * spread(column);
        initial.ground_amplitude_k[column] = 8.0;
        initial.roughness_m[column] = 0.02 + 0.3 * spread(column);
    }
    initial.wind_east_m_per_s.fill(6.0);
    initial.tracers = mechanism.variable();
    let fraction = |tracer: usize| mechanism.initial()[tracer] / mechanism.cfactor();
    let row = |i: usize| std::iter::repeat_n(fraction(i % initial.tracers), columns);
    initial.tracers_mol_per_mol = (0..layers * initial.tracers).flat_map(row).collect();
    initial
}

/// The k-distributions of the repository, the long wave and the short wave, with their clouds.
pub(crate) fn ecckd<R: Precision>() -> [Spectra<R>; 2] {
    type File = (isobar_optics::GasOptics, CloudOptics);
    static FILES: OnceLock<[File; 2]> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        ["long", "short"].map(|wave| {
            let file = |ending: &str| {
                let name = format!("../../data/radiation/ecckd-{wave}wave-32{ending}.nc");
                Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
            };
            let gases = isobar_io::read_k_distribution(&file("")).expect("it is there").gas_optics();
            let clouds = isobar_io::read_cloud_tables(&file("-clouds")).expect("it is there");
            (gases.expect("it is right"), CloudOptics::new(&clouds, Roughness::Medium))
        })
    });
    files.each_ref().map(|(gases, clouds)| Spectra::new().with(gases, Some(clouds)).expect("they fit"))
}

/// Photolysis of two reactions in ten bins, half of whose light ozone takes.
fn light() -> Tables {
    let edges = (0..=10).map(|i| 290.0 + 10.0 * f64::from(i)).collect();
    let tables = Tables::new(edges, vec![1e13; 10]).expect("bins");
    let tables = tables.ozone(|l, t| if l < 340.0 { 1e-19 * t / 250.0 } else { 0.0 }).expect("cross-sections");
    let tables = tables.reaction("a", |l, _| (1e-20 * l, 0.0)).expect("a reaction");
    tables.reaction("b", |_, t| (5e-15 * t / 250.0, 1e-20)).expect("a reaction")
}

/// A slab of ground that takes the short wave's sunlight.
pub(crate) const SLAB: GroundKind =
    GroundKind::Slab { heat_capacity_j_per_m2_k: 1e5, conductance_w_per_m2_k: 5.0, sunlight: Sunlight::Shortwave };

/// Water clouds between 850 and 700 hPa and ice clouds between 400 and 300 hPa, more of them from column to column.
fn clouds(initial: &Initial) -> Clouds {
    let (columns, values) = (initial.columns, initial.pressure_pa.len());
    let within = |i: usize, low: f64, high: f64| (low..high).contains(&initial.pressure_pa[i]);
    let part = |i: usize| (i % columns) as f64 / columns as f64;
    let (water, ice) = (|i| within(i, 7e4, 8.5e4), |i| within(i, 3e4, 4e4));
    let field = |value: &dyn Fn(usize) -> f64| (0..values).map(value).collect();
    Clouds {
        fraction: field(&|i| if water(i) || ice(i) { part(i) } else { 0.0 }),
        liquid_path_g_per_m2: field(&|i| if water(i) { 40.0 } else { 0.0 }),
        ice_path_g_per_m2: field(&|i| if ice(i) { 10.0 } else { 0.0 }),
        liquid_radius_um: vec![10.0; values],
        ice_size_um: vec![50.0; values],
    }
}

/// Radiation every 5 steps, chemistry every 2. Over a slab that takes the short wave's sunlight both spectra are
/// ecCKD's, with clouds, the short wave every 3 steps; otherwise there is RRTMG's long wave.
pub(crate) fn model<R: Precision>(
    queue: Queue,
    (columns, layers): (usize, usize),
    step_s: f64,
    ground: GroundKind,
) -> Result<(State<R>, Pipeline<R>), Error> {
    let mechanism = mechanism();
    let number = |name| mechanism.species_index(name).expect("it is there");
    let mut emission = vec![0.0; mechanism.variable()];
    emission[number("NO")] = EMISSION;
    let with_sun = matches!(ground, GroundKind::Slab { sunlight: Sunlight::Shortwave, .. });
    let mut initial = initial(columns, layers, &mechanism);
    initial.clouds = with_sun.then(|| clouds(&initial));
    let state = initial.state::<R>(queue)?;
    let rrtmg = Spectra::new().with_rrtmg(&analytic::k_distribution()).expect("it is the only one");
    let longwave = LongwaveOptions { ozone: Ozone::Tracer(number("O3")), ..LongwaveOptions::default() };
    // What the mechanism takes for the part of sunlight is a rate of as much.
    let sun = mechanism.inputs().iter().position(|input| input.name.eq_ignore_ascii_case("SUN")).expect("it is there");
    let light = light();
    let chemistry = ChemistryOptions {
        integration: Options::new(Method::Rodas3, 1e-3, 100.0),
        fixed_mol_per_mol: vec![0.21, 1.0],
        vapour: None,
        part_of_air: mechanism.part_of_air(),
        inputs: mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect(),
        photolysis: with_sun.then(|| PhotolysisOptions {
            tables: &light,
            albedo: 0.2,
            day_of_year: 172.0,
            ozone: Ozone::Tracer(number("O3")),
            rates: vec![[sun as u32, 1]],
        }),
    };
    let chemistry = Chemistry::new(&state, mechanism.compiled(), mechanism.program(), &chemistry)?;
    let pipeline = Pipeline::new().stage(Sun::new(172.0)).stage(Diagnose);
    let options = RadiationOptions { gases: longwave, layers_above: 3, day_of_year: 172.0, ..Default::default() };
    let pipeline = if with_sun {
        let [long, short] = ecckd();
        let pipeline = pipeline.stage_every(5, Radiation::new(&state, &long, &options)?);
        pipeline.stage_every(3, Radiation::new(&state, &short, &options)?)
    } else {
        pipeline.stage_every(5, Radiation::new(&state, &rrtmg, &options)?)
    };
    let pipeline = pipeline
        .stage(Ground(ground))
        .stage(SurfaceFlux)
        .stage(OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(step_s))?)
        .stage(Advance::new(&state, &emission)?)
        .stage_every(2, chemistry)
        .stage(Budget);
    pipeline.check(&state)?;
    Ok((state, pipeline))
}

/// Without radiation and chemistry, over ground whose temperature changes so, with those fluxes and that forcing.
#[allow(dead_code, reason = "not in all programs")]
pub(crate) fn prescribed<R: Precision>(
    queue: Queue,
    (columns, layers): (usize, usize),
    step_s: f64,
    fluxes: PrescribedFlux,
    change_k: Table,
    forcing: &[(Forced, Table)],
) -> Result<(State<R>, Pipeline<R>), Error> {
    let mechanism = mechanism();
    let mut initial = initial(columns, layers, &mechanism);
    initial.roughness_heat_m.iter_mut().for_each(|length| *length *= 0.1);
    let mut state = initial.state::<R>(queue)?;
    let forcing = Forcing::new(&mut state, forcing)?;
    let pipeline = Pipeline::new()
        .stage(Sun::new(172.0))
        .stage(Ground(GroundKind::Prescribed { change_k }))
        .stage(Diagnose)
        .stage(fluxes)
        .stage(OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(step_s))?)
        .stage(forcing)
        .stage(Advance::new(&state, &vec![EMISSION; initial.tracers])?)
        .stage(Budget);
    pipeline.check(&state)?;
    Ok((state, pipeline))
}

/// The same with everything that can be prescribed, by time and height: the upward velocity as such or by pressure.
#[allow(dead_code, reason = "not in all programs")]
pub(crate) fn all_prescribed<R: Precision>(
    queue: Queue,
    size: (usize, usize),
    step_s: f64,
    by_pressure: bool,
) -> Result<(State<R>, Pipeline<R>), Error> {
    let table = |times: &[f64], heights: &[f64], values: &[f64]| {
        Table::new(times.to_vec(), heights.to_vec(), values.to_vec()).expect("it is one")
    };
    let (hour, kilometres) = ([0.0, 3600.0], [0.0, 1500.0, 4000.0]);
    let by_both = |most: f64| table(&hour, &kilometres, &[0.0, most, 0.2 * most, 0.0, -most, 0.5 * most]);
    let forcing = [
        (Forced::GeostrophicEast, by_both(12.0)),
        (Forced::GeostrophicNorth, Table::constant(-1.0)),
        if by_pressure { (Forced::PressureVelocity, by_both(0.2)) } else { (Forced::VerticalVelocity, by_both(-0.02)) },
        (Forced::Temperature, by_both(3e-5)),
        (Forced::Vapour, by_both(1e-8)),
        (Forced::WindEast, by_both(1e-4)),
        (Forced::WindNorth, by_both(-2e-4)),
    ];
    let fluxes = PrescribedFlux::Kinematic {
        heat_k_m_per_s: table(&hour, &[0.0], &[0.1, -0.02]),
        moisture_m_per_s: table(&hour, &[0.0], &[5e-5, 1e-5]),
    };
    prescribed(queue, size, step_s, fluxes, table(&hour, &[0.0], &[0.0, -2.0]), &forcing)
}

/// The revised MM5 surface layer over land and every third column of water, and condensation in air that is partly
/// supersaturated, over a slab of ground.
#[allow(dead_code, reason = "not in all programs")]
pub(crate) fn condensing<R: Precision>(
    queue: Queue,
    (columns, layers): (usize, usize),
    step_s: f64,
    evaporates: bool,
) -> Result<(State<R>, Pipeline<R>), Error> {
    let mechanism = mechanism();
    let mut initial = initial(columns, layers, &mechanism);
    for column in (0..columns).step_by(3) {
        initial.land_or_water[column] = 2.0;
        initial.moisture_availability[column] = 1.0;
        initial.roughness_m[column] = 1e-4;
    }
    for place in 0..initial.vapour_kg_per_kg.len() {
        let saturated = saturation_mixing_ratio(initial.temperature_k[place], initial.pressure_pa[place]);
        initial.vapour_kg_per_kg[place] = saturated * (0.4 + 0.15 * (place % 6) as f64);
    }
    let mut state = initial.state::<R>(queue)?;
    let sunlight = Sunlight::Part { transmittance: 0.5, albedo: 0.2 };
    let slab = GroundKind::Slab { heat_capacity_j_per_m2_k: 1e5, conductance_w_per_m2_k: 5.0, sunlight };
    let pipeline = Pipeline::new()
        .stage(Sun::new(172.0))
        .stage(Diagnose)
        .stage(Ground(slab))
        .stage(RevisedSurface::new(&mut state, isobar_surface::Options::default())?)
        .stage(OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(step_s))?)
        .stage(Advance::new(&state, &vec![EMISSION; initial.tracers])?)
        .stage(Condensation::new(&mut state, evaporates)?)
        .stage(Budget);
    pipeline.check(&state)?;
    Ok((state, pipeline))
}

/// Without radiation and chemistry, over a slab and four layers of soil.
#[allow(dead_code, reason = "not in all programs")]
pub(crate) fn over_soil<R: Precision>(
    queue: Queue,
    (columns, layers): (usize, usize),
    step_s: f64,
) -> Result<(State<R>, Pipeline<R>), Error> {
    let mechanism = mechanism();
    let initial = initial(columns, layers, &mechanism);
    let mut state = initial.state::<R>(queue)?;
    let soil = SoilLayers::new(vec![0.02, 0.05, 0.1, 0.3], &[0.4, 0.8, 1.2, 1.5], &[1.2e6, 2e6, 2.5e6, 3e6], 6.0)?;
    let warm: Vec<R> = (0..4 * columns).map(|i| <R as Real>::from_f64(284.0 + 0.1 * (i % 29) as f64)).collect();
    state.insert(soil.temperature(), &warm)?;
    let sunlight = Sunlight::Part { transmittance: 0.6, albedo: 0.2 };
    let slab = GroundKind::Slab { heat_capacity_j_per_m2_k: 2e4, conductance_w_per_m2_k: 0.0, sunlight };
    let pipeline = Pipeline::new()
        .stage(Sun::new(172.0))
        .stage(Diagnose)
        .stage(Ground(slab))
        .stage(Soil::new(&state, &soil)?)
        .stage(SurfaceFlux)
        .stage(OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(step_s))?)
        .stage(Advance::new(&state, &vec![EMISSION; initial.tracers])?)
        .stage(SoilStep::new(&state, &soil)?)
        .stage(Budget);
    pipeline.check(&state)?;
    Ok((state, pipeline))
}
