//! A stage of one's own in a pipeline: radiation at a constant rate down to a temperature that it keeps (Pauluis and
//! Garner 2006, doi:10.1175/JAS3705.1, equation 3).

use isobar_column::stages::{Diagnose, quantity};
use isobar_column::{Error, Fields, Pipeline, Precision, Quantity, Stage, State, Step};
use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};
use isobar_launch::{Device, Queue};

/// The kernel: an item is a column. A GPU needs its PTX, brought there by `Queue::load`; the CPU
/// nothing more.
#[derive(Clone, Copy)]
#[repr(C)]
struct Cool<'a, R> {
    kelvin: R,
    exner: Field<'a, R>,
    theta: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Cool<'_, R> {
    const NAME: &'static str = "cool";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.theta.items()
    }

    unsafe fn item<const W: usize>(&self, column: usize, _: Lanes<W>) -> Status {
        for layer in 0..self.theta.levels() {
            let exner = self.exner.at(layer, column);
            let temperature = self.theta.at(layer, column) * exner;
            if temperature > R::from_f64(207.5) {
                self.theta.set(layer, column, (temperature - self.kelvin) / exner);
            }
        }
        Status::OK
    }
}

struct ConstantCooling {
    kelvin_per_day: f64,
}

impl<R: Precision> Stage<R> for ConstantCooling {
    fn name(&self) -> &str {
        "constant_cooling"
    }
    fn reads(&self) -> Vec<Quantity> {
        vec![quantity::EXNER, quantity::POTENTIAL_TEMPERATURE]
    }
    fn writes(&self) -> Vec<Quantity> {
        vec![quantity::POTENTIAL_TEMPERATURE]
    }
    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let kelvin = R::from_f64(self.kelvin_per_day * step.length_s / 86_400.0);
        let exner = fields.read(quantity::EXNER)?;
        let theta = fields.write(quantity::POTENTIAL_TEMPERATURE)?;
        fields.launch(&Cool { kelvin, exner, theta })
    }
}

/// Temperatures of two columns of two layers after six hours.
pub(crate) fn temperatures() -> Result<Vec<f64>, Error> {
    let mut state = State::<f64>::new(Queue::parallel(Device::Cpu)?, [2, 2, 0])?;
    state.insert(quantity::POTENTIAL_TEMPERATURE, &[300.0, 290.0, 250.0, 240.0])?;
    state.insert(quantity::EXNER, &[1.0, 1.0, 0.8, 0.8])?;
    for quantity in [quantity::VAPOUR, quantity::LOG_THICKNESS, quantity::WEIGHT_BELOW, quantity::CLAMPS] {
        state.fill(quantity, 0.0)?;
    }
    let mut pipeline = Pipeline::new().stage(ConstantCooling { kelvin_per_day: 1.5 }).stage(Diagnose);
    pipeline.check(&state)?;
    (0..360).try_for_each(|number| pipeline.step(&mut state, &Step::of_run(number, 0.0, 60.0)))?;
    state.to_host(quantity::TEMPERATURE)
}

fn main() -> Result<(), Error> {
    println!("{:.4?} K", temperatures()?);
    Ok(())
}
