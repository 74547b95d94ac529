//! What clouds are to photolysis.

use isobar_column::light::ToPhotolysis;
use isobar_core::{Field, FieldMut, Real, Status};

use crate::{close, run};

/// A layer of droplets and one of ice, each counted drop by drop: twice their shadows, in all of the layer and in a
/// quarter of it; none above the model's top.
#[test]
fn clouds_take_twice_the_light_that_falls_on_their_drops() {
    // Shadows of drops of a radius [um] and a density [g/cm^3] that weigh so much [g/m^2].
    let shadows = |path: f64, density: f64, radius: f64| {
        let (radius_m, density_g_per_m3) = (1e-6 * radius, 1e6 * density);
        let drops = path / (density_g_per_m3 * 4.0 / 3.0 * std::f64::consts::PI * Real::powi(radius_m, 3));
        2.0 * drops * std::f64::consts::PI * radius_m * radius_m
    };
    let whole = [shadows(60.0, 1.0, 10.0) + shadows(20.0, 0.917, 25.0), shadows(5.0, 0.917, 40.0)];
    for (fraction, part) in [(1.0, 1.0), (0.25, 0.125), (0.0, 0.0)] {
        let fractions = [fraction; 2];
        let mut made = [[f64::NAN; 4]; 7];
        let [height, temperature, air, ozone, cloud, albedo, nearness] = &mut made;
        let two = |values: &'static [f64; 2]| Field::item_fastest(values, 2, 1);
        let kernel = ToPhotolysis {
            albedo: 0.1,
            nearness: 1.0,
            interface_pressure_pa: Field::item_fastest(&[1e5, 9e4, 8e4], 3, 1),
            temperature_k: two(&[280.0, 270.0]),
            thickness_m: two(&[850.0, 900.0]),
            ozone_mol_per_mol: two(&[3e-8, 4e-8]),
            cloud_fraction: Field::item_fastest(&fractions, 2, 1),
            liquid_path_g_per_m2: two(&[60.0, 0.0]),
            ice_path_g_per_m2: two(&[20.0, 5.0]),
            liquid_radius_um: two(&[10.0, 0.0]),
            // Twice the radius.
            ice_size_um: two(&[50.0, 80.0]),
            all_height_km: FieldMut::item_fastest(height, 4, 1),
            all_temperature_k: FieldMut::item_fastest(&mut temperature[..3], 3, 1),
            all_air_per_cm2: FieldMut::item_fastest(&mut air[..3], 3, 1),
            all_ozone_per_cm2: FieldMut::item_fastest(&mut ozone[..3], 3, 1),
            all_cloud_optical_depth: FieldMut::item_fastest(&mut cloud[..3], 3, 1),
            all_albedo: FieldMut::item_fastest(&mut albedo[..1], 1, 1),
            all_nearness: FieldMut::item_fastest(&mut nearness[..1], 1, 1),
        };
        assert_eq!(run(&kernel), [Status::OK]);
        for layer in 0..2 {
            // A handful of roundings.
            close(cloud[layer], part * whole[layer], 10.0 * f64::EPSILON, "optical depth");
        }
        assert_eq!(cloud[2], 0.0);
    }
}
