//! `isobar kernel`: a JURASSIC case in, the Jacobian of its radiances out.

use std::time::Instant;

use clap::{Args, ValueEnum};
use isobar::jurassic::path_warnings;
use isobar::plot;
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::Infrared;
use isobar_io::{Label, MatrixView, Space, is_measured};
use isobar_retrieval::kernel::kernel;
use isobar_retrieval::{Derivative, StateVector};
use serde_json::json;

use crate::inputs::case::{CaseFiles, read_case};
use crate::program::failure::Failure;
use crate::program::options::{Arithmetic, DeviceOptions, Printing};
use crate::program::output::TextFiles;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::warn;

/// How derivatives are computed.
#[derive(Args, Debug)]
pub(crate) struct DerivativeOptions {
    /// Exact derivatives, or one-sided differences with JURASSIC's steps
    #[arg(long, value_enum, default_value = "exact")]
    derivative: DerivativeKind,
    /// Leave the paths where they are: exact derivatives without those of the geometry
    #[arg(long)]
    frozen_path: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DerivativeKind {
    /// By the forward model itself
    Exact,
    /// One run of the model for each element
    Finite,
}

impl DerivativeOptions {
    pub(crate) fn derivative(&self) -> Result<Derivative, Failure> {
        match (self.derivative, self.frozen_path) {
            (DerivativeKind::Finite, true) => {
                let problem = "--frozen-path is for exact derivatives: it cannot go with --derivative finite";
                Err(Failure::usage(problem))
            }
            (DerivativeKind::Finite, false) => Ok(Derivative::Finite),
            (DerivativeKind::Exact, true) => Ok(Derivative::Exact(Geometry::Frozen)),
            (DerivativeKind::Exact, false) => Ok(Derivative::Exact(Geometry::Moving)),
        }
    }
}

/// The options of `isobar kernel`.
#[derive(Args, Debug)]
// There is no choice.
#[command(mut_arg("precision", |precision| precision.hide(true)))]
pub(crate) struct Kernel {
    #[command(flatten)]
    case: CaseFiles,
    #[command(flatten)]
    output: TextFiles,
    #[command(flatten)]
    derivative: DerivativeOptions,
    #[command(flatten)]
    arithmetic: Arithmetic,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

pub(crate) fn run(options: &Kernel) -> Result<(), Failure> {
    let written = options.output.in_use(options.print.json())?;
    options.output.check()?;
    let derivative = options.derivative.derivative()?;
    options.device.need_f64("Jacobians")?;
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let case = patiently(options.print.quiet(), "reading the case", || {
            read_case(&options.case, written, options.arithmetic.jurassic_exact)
        })?;
        let retrieval = case.control.retrieval()?;
        let atm = options.case.atm.display();
        retrieval.remarks(&case.control).into_iter().for_each(warn);
        let state = StateVector::new(&case.control, &retrieval, &case.atmosphere)
            .map_err(|error| Failure::from(error).in_file(case.control.place("RETT_ZMIN")))?;
        let model = Infrared::<f64>::new(&case.setup, case.tables.clone())?.on(devices);
        let start = Instant::now();
        let rays = &case.observation.rays;
        let (count, what) = match derivative {
            Derivative::Exact(_) => (rays.len(), "rays"),
            Derivative::Finite => (state.len(), "elements"),
        };
        let progress = Progress::new(options.print.quiet(), count as u64, what);
        let found = kernel(&model, &case.atmosphere, rays, &state, derivative, &|done, _| progress.reach(done));
        drop(progress);
        let found =
            found.map_err(|error| Failure::from(error).in_file(format!("{atm}, {}", options.case.obs.display())))?;
        let seconds = start.elapsed().as_secs_f64();
        path_warnings(&model, &case.atmosphere, rays)?.into_iter().for_each(warn);
        case.setup.without_temperature(&found.radiance, |_| true).into_iter().for_each(warn);

        // What is masked or missing is not part of the measurement.
        let of_rays = &case.observation.radiance;
        let measured: Vec<usize> = (0..found.radiance.len()).filter(|&i| is_measured(of_rays[i])).collect();
        let missing = of_rays.iter().filter(|value| value.is_finite()).count() - measured.len();
        if missing > 0 {
            warn(format!("{missing} measured values are missing (-999, -9999) and have no row"));
        }
        let channels = &case.control.wavenumbers_per_cm;
        let label = |&i: &usize| Label::of_channel(channels[i % channels.len()], &rays[i / channels.len()]);
        let rows: Vec<Label> = measured.iter().map(label).collect();
        let columns = state.labels();
        let matrix = found.matrix.select_rows(&measured);
        let by_rows = matrix.transpose();
        let mut output = options.output.create()?;
        let view = MatrixView {
            rows: (Space::Measurement, &rows),
            columns: (Space::State, &columns),
            values: by_rows.as_slice(),
            columns_first: false,
        };
        output.write(|out| view.write(out, case.control.matrix_format))?;
        output.commit(|| plot::kernel::draw(&state, &rows, &matrix))?;
        if !options.print.quiet() {
            tell!(
                "{} measured values by {} elements: {seconds:.3} s, {:.0} {what}/s",
                rows.len(),
                columns.len(),
                count as f64 / seconds
            );
        }
        if options.print.json() {
            let summary = json!({
                "measurements": rows.len(),
                "elements": columns.len(),
                "rays": rays.len(),
                "seconds": seconds,
                "out": options.output.out.to_string_lossy(),
            });
            crate::program::print::summary(summary);
        }
        Ok(())
    })
}
