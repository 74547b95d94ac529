//! Runs of KPP's generated code, cell by cell.

use isobar_rosenbrock::Method;

use crate::case::case;

#[test]
fn quick() {
    for name in ["small_strato", "carbon", "cbm4", "strato", "saprc99", "mecca_mim1", "t1_mozcart", "mcm"] {
        let Some(case) = case(name) else { return };
        for method in Method::ALL {
            let batch = case.run(method, if cfg!(debug_assertions) { 4 } else { 1000 });
            let cells = batch.cells().count;
            let variable = case.mechanism.network().variable();
            let atol = batch.options().absolute_tolerance[0];
            let (shape, want) = case.array(&format!("{}_conc.npy", method.name()));
            let (_, counters) = case.integers(&format!("{}_istatus.npy", method.name()));
            let (_, times) = case.array(&format!("{}_rstatus.npy", method.name()));
            let mut worst = 0.0_f64;
            let mut different = 0;
            let mut worst_time = 0.0_f64;
            for cell in 0..cells {
                for i in 0..variable {
                    let (got, want) = (batch.cells().concentrations[i * cells + cell], want[cell * shape[1] + i]);
                    worst = worst.max((got - want).abs() / (want.abs() + atol));
                }
                different += usize::from(
                    (0..8).any(|i| batch.outputs().counters[i * cells + cell] as i32 != counters[cell * 8 + i]),
                );
                for i in 0..3 {
                    let (got, want) = (batch.outputs().times[i * cells + cell], times[cell * 3 + i]);
                    worst_time = worst_time.max((got - want).abs() / want.abs());
                }
            }
            println!(
                "{name} {} cells {cells}: {worst:.1e} {worst_time:.1e} different counters {different}, failures {}",
                method.name(),
                batch.failures().count()
            );
        }
    }
}
