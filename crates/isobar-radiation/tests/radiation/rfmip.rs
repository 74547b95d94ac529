//! RFMIP's clear-sky columns, 100 sites in 6 experiments, with all k-distributions of RRTMGP.

use isobar_golden::Agreement;
use isobar_radiation::{Columns, Device, Options, Radiation};

use crate::allsky::ROUNDING;
use crate::detail::{TWO_STREAM, fields};
use crate::reference::{Numbers, difference, gas_optics, reference, upward};

pub(crate) const SITES: usize = 100;
const EXPERIMENTS: usize = 6;
const LAYERS: usize = 60;
/// Those of RRTMGP.
pub(crate) const BANDS: [usize; 2] = [16, 14];

pub(crate) const INPUT: &str = "rfmip/multiple_input4MIPs_radiation_RFMIP_UColorado-RFMIP-1-2_none.nc";

/// The gases besides water vapour and ozone, in our order, and the units that the file has them in; there is no NO2.
const GASES: [(&str, f64); 17] = [
    ("carbon_dioxide", 1e-6),
    ("", 0.0),
    ("nitrous_oxide", 1e-9),
    ("carbon_monoxide", 1.0),
    ("methane", 1e-9),
    ("oxygen", 1.0),
    ("nitrogen", 1.0),
    ("carbon_tetrachloride", 1e-12),
    ("cfc11", 1e-12),
    ("cfc12", 1e-12),
    ("hcfc22", 1e-12),
    ("hfc143a", 1e-12),
    ("hfc125", 1e-12),
    ("hfc23", 1e-12),
    ("hfc32", 1e-12),
    ("hfc134a", 1e-12),
    ("cf4", 1e-12),
];

/// The columns of an experiment, from the surface up, with surfaces by so many bands.
pub(crate) fn columns(file: &Numbers, experiment: usize, bands: [usize; 2]) -> Columns<f64> {
    let up = |name: &str| upward(&file.all(name), SITES);
    let of = |name: &str| {
        let values = file.all(name);
        let each = values.len() / 18;
        values[experiment * each..(experiment + 1) * each].to_vec()
    };
    let mut level_pressure_pa = up("pres_level");
    // The top is above the tables' lowest pressure, to which the reference moves it.
    let [lowest, _] = gas_optics(&reference("coeff/lw-g128.nc").unwrap()).pressure_range_pa;
    level_pressure_pa[LAYERS * SITES..].fill(lowest + f64::EPSILON);
    // As near to the horizon, the reference has night.
    let cosine = |zenith: f64| if zenith < 90.0 - 2.9e-14 { isobar_core::Real::cos(zenith.to_radians()) } else { 0.0 };
    let mut columns = Columns {
        pressure_pa: up("pres_layer"),
        level_pressure_pa,
        temperature_k: upward(&of("temp_layer"), SITES),
        level_temperature_k: upward(&of("temp_level"), SITES),
        surface_temperature_k: of("surface_temperature"),
        emissivity: file.all("surface_emissivity").repeat(bands[0]),
        cosine_zenith: file.all("solar_zenith_angle").into_iter().map(cosine).collect(),
        total_solar_irradiance_w_per_m2: file.all("total_solar_irradiance"),
        surface_albedo_direct: file.all("surface_albedo").repeat(bands[1]),
        ..Columns::default()
    };
    for (field, (name, unit)) in fields(&mut columns).into_iter().skip(1).zip(GASES) {
        if !name.is_empty() {
            *field = vec![file.all(&format!("{name}_GM"))[experiment] * unit];
        }
    }
    columns.h2o = upward(&of("water_vapor"), SITES);
    columns.o3 = upward(&of("ozone"), SITES);
    columns
}

/// Both spectra with so many g-points.
pub(crate) fn radiation(longwave: &str, shortwave: &str) -> Radiation<f64> {
    let file = |name: &str| gas_optics(&reference(&format!("coeff/{name}.nc")).expect("the reference is there"));
    Radiation::new().with(&file(longwave), None).unwrap().with(&file(shortwave), None).unwrap()
}

#[test]
fn fluxes() {
    let Some(input) = reference(INPUT) else { return };
    let input = Numbers::open(&input);
    let theirs = Numbers::open(&reference("rfmip/fluxes_f64_expt0-5.nc").unwrap());
    let columns: Vec<_> = (0..EXPERIMENTS).map(|experiment| columns(&input, experiment, BANDS)).collect();
    let nights = columns[0].cosine_zenith.iter().filter(|&&cosine| cosine <= 0.0).count();
    assert!((1..SITES).contains(&nights), "{nights} nights");
    let (mut of_longwave, mut of_shortwave) = (Agreement::default(), Agreement::default());
    for (longwave, shortwave) in [("lw-g256", "sw-g224"), ("lw-g128", "sw-g112")] {
        let model = radiation(longwave, shortwave).on(&[Device::Cpu]);
        let names = [longwave, shortwave].map(|name| name.replace("-g", ""));
        let expected = [
            (format!("{}_rlu", names[0]), ROUNDING),
            (format!("{}_rld", names[0]), ROUNDING),
            (format!("{}_rsu", names[1]), TWO_STREAM),
            (format!("{}_rsd", names[1]), TWO_STREAM),
            (format!("{}_rsdir", names[1]), ROUNDING),
        ]
        .map(|(name, accepted)| (theirs.all(&name), name, accepted));
        let mut largest = [0.0_f64; 5];
        for (experiment, columns) in columns.iter().enumerate() {
            let fluxes = model.run(columns, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
            let ours = [
                &fluxes.longwave_up_w_per_m2,
                &fluxes.longwave_down_w_per_m2,
                &fluxes.shortwave_up_w_per_m2,
                &fluxes.shortwave_down_w_per_m2,
                &fluxes.shortwave_direct_w_per_m2,
            ];
            let each = SITES * (LAYERS + 1);
            for ((ours, (values, name, accepted)), largest) in ours.into_iter().zip(&expected).zip(&mut largest) {
                let theirs = upward(&values[experiment * each..(experiment + 1) * each], SITES);
                let (found, _) = difference(ours, &theirs);
                assert!(found < *accepted, "experiment {experiment}, {name}: {found:e}");
                *largest = largest.max(found);
                let agreement = if name.contains("_rl") { &mut of_longwave } else { &mut of_shortwave };
                ours.iter().zip(&theirs).for_each(|(ours, theirs)| agreement.add(ours - theirs));
            }
        }
        for ((_, name, _), largest) in expected.iter().zip(largest) {
            println!("{name}: {largest:.1e} W/m^2");
        }
    }
    let panel = "Radiation, against RTE+RRTMGP";
    of_longwave.write("4-radiation-1", panel, "long-wave fluxes", "W/m^2");
    of_shortwave.write("4-radiation-2", panel, "short-wave fluxes", "W/m^2");
}
