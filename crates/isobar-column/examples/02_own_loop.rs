//! A column model in a loop of one's own: the schemes are objects, the fields stay on the device, and `to_host` is the
//! only way back.

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::stages::{
    Advance, Diagnose, Ground, GroundKind, OfScheme, Radiation, RadiationOptions, Sun, SurfaceFlux, quantity,
};
use isobar_column::{Initial, Step};
use isobar_launch::{Device, Queue};
use isobar_radiation::rrtmg::analytic;
use isobar_ysu::{Options, Ysu};

const STEP_S: f64 = 120.0;
const HOUR: u64 = 30;

/// The height of the boundary layer at each full hour from 7 to 15 \[m\], and the bytes that went to the host within
/// the loop.
pub(crate) fn morning() -> Result<(Vec<f64>, u64), Box<dyn std::error::Error>> {
    // One column over grass at 45 degrees north, whose ground is warmest at 14 h.
    let sounding = Sounding::new(Kind::StandardAtmosphere, &heights(20, 16_000.0, 1.8))?;
    let mut initial = Initial::from_sounding(&sounding, 1);
    initial.latitude_deg.fill(45.0);
    initial.wind_east_m_per_s.fill(5.0);
    initial.ground_mean_k.fill(290.0);
    initial.ground_amplitude_k.fill(9.0);
    let mut state = initial.state::<f64>(Queue::parallel(Device::Cpu)?)?;

    // A k-distribution of made-up numbers; `isobar_io::read_rrtmg_lw` reads real ones.
    let radiation = isobar_radiation::Radiation::new().with_rrtmg(&analytic::k_distribution())?;
    let mut longwave = Radiation::new(&state, &radiation, &RadiationOptions::default())?;
    let mut boundary_layer = OfScheme::new("ysu", &state, Ysu::scheme(), Options::new(STEP_S))?;
    let mut advance = Advance::new(&state, &[])?;
    let mut ground = Ground(GroundKind::Given { warmest_hour: 14.0 });
    let mut sun = Sun::new(172.0);

    let mut seen = Vec::new();
    let before = state.transfers().to_host;
    for number in 0..9 * HOUR {
        let step = Step::of_run(number, 6.0 * 3600.0, STEP_S);
        state.apply(&mut sun, &step)?;
        state.apply(&mut Diagnose, &step)?;
        if number % 10 == 0 {
            state.apply(&mut longwave, &step)?;
        }
        state.apply(&mut ground, &step)?;
        state.apply(&mut SurfaceFlux, &step)?;
        state.apply(&mut boundary_layer, &step)?;
        state.apply(&mut advance, &step)?;
        if (number + 1) % HOUR == 0 {
            seen.extend(state.to_host(quantity::BOUNDARY_LAYER_HEIGHT)?);
        }
    }
    Ok((seen, state.transfers().to_host - before))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (heights, bytes) = morning()?;
    for (hour, height) in (7..).zip(heights) {
        println!("{hour:>2} h  {height:>5.0} m");
    }
    println!("{bytes} bytes to the host");
    Ok(())
}
