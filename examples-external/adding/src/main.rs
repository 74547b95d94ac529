//! Clear-sky radiances of many profiles along three angles: `cargo run --release`.

use isobar_adding::clear_sky::{Options, Profiles};
use isobar_adding::{ClearSky, Device, RunError};

fn main() -> Result<(), RunError> {
    let (profiles, layers) = (100_000, 40);
    let each = |value: &dyn Fn(usize, usize) -> f32| -> Vec<f32> {
        (0..layers * profiles).map(|i| value(i / profiles, i % profiles)).collect()
    };
    let air = Profiles {
        // From the top down, the profile the fastest index.
        optical_depth: each(&|layer, profile| 1e-3 * (1 + layer) as f32 * (1.0 + 1e-5 * profile as f32)),
        planck_radiance: each(&|layer, _| 20.0 + 2.0 * layer as f32),
        surface_planck_radiance: vec![105.0; profiles],
        emissivity: vec![0.98], // one value for all
        cosmic_background: vec![0.0],
        ..Profiles::default()
    };
    let model = ClearSky::on(&[Device::Cpu]);
    let start = std::time::Instant::now();
    let radiances = model.run(&air, &Options::new(&[1.0, 0.8, 0.5]))?;
    let seconds = start.elapsed().as_secs_f64();
    println!("profile 0 from above: {:?}", [0, 1, 2].map(|angle| radiances.top_radiance[angle * profiles]));
    println!("{:.0} profiles/s", profiles as f64 / seconds);
    Ok(())
}
