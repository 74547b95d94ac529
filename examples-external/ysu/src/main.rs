//! A model's own arrays, level-fastest, through the YSU scheme in a time loop: `cargo run --release`.

use isobar_ysu::{ColumnViews, Device, Field, Options, Results, Ysu, analytic};

fn main() -> Result<(), isobar_ysu::RunError> {
    let (columns, layers, step_s) = (20_000, 35, 60.0);
    // The model's temperature, a column after the other; the rest of the air as it comes, here from formulas.
    let air = analytic::columns::<f32>(columns, layers, 0);
    let mut temperature_k = vec![0.0; columns * layers];
    for (i, t) in temperature_k.iter_mut().enumerate() {
        *t = air.temperature_k[i % layers * columns + i / layers];
    }

    let model = Ysu::on(&[Device::Cpu]);
    let mut results = Results::default();
    let start = std::time::Instant::now();
    for _step in 0..10 {
        let views = ColumnViews {
            temperature_k: Field::level_fastest(&temperature_k, layers, columns),
            ..ColumnViews::try_from(&air)?
        };
        model.run_into(views, &Options::new(step_s), &mut results)?;
        for (i, t) in temperature_k.iter_mut().enumerate() {
            let at = i % layers * columns + i / layers;
            *t += step_s as f32 * results.theta_tendency_k_per_s[at] * air.exner[at];
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("column 0: {:.1} m; {:.0} columns/s", results.height_m[0], 10.0 * columns as f64 / seconds);
    Ok(())
}
