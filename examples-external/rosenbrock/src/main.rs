//! A KPP mechanism in many cells, an hour in steps of ten minutes: `cargo run --release`.

use isobar_kpp::Reader;
use isobar_rosenbrock::{Cells, Chemistry, Device, Integrated, Method, Options};

const MECHANISM: &str = "
    #INCLUDE atoms.kpp
    #DEFVAR O = O; O3 = 3O; NO = N + O; NO2 = N + 2O;
    #DEFFIX O2 = 2O; M = IGNORE;
    #EQUATIONS
    <R1> NO2 + hv = NO + O  : 8.9E-3*SUN;
    <R2> O + O2 + M = O3 + M : 6.0E-34*(TEMP/300.)**(-2.4);
    <R3> NO + O3 = NO2 + O2 : ARR_ab(3.0E-12, 1500.0);
    #INITVALUES CFACTOR = 2.46E19; O2 = 0.21; M = 1.0; O3 = 4.0E-8; NO = 5.0E-11; NO2 = 2.0E-10;
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = 10_000;
    let mechanism = Reader::new().read_text("photostationary.kpp", MECHANISM)?;
    let temperature_k: Vec<f64> = (0..count).map(|cell| 270.0 + 30.0 * cell as f64 / count as f64).collect();
    let mut cells = Cells {
        concentration: mechanism.initial().iter().flat_map(|&start| vec![start; count]).collect(),
        rate_input: mechanism.input_values(&[("TEMP", &temperature_k[..]), ("SUN", &[0.7])], count)?,
        first_step_s: vec![0.0; count],
        ..Cells::default()
    };
    let options = Options::new(Method::Rodas3, 1e-3, 1e3);
    let model = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone())).on(&[Device::Cpu]);
    let mut done = Integrated::default();
    for ten_minutes in 0..6 {
        let from_s = 600.0 * f64::from(ten_minutes);
        model.run_into(&cells, &options.over(from_s..from_s + 600.0), &mut done)?;
        cells.concentration.clone_from(&done.concentration);
    }
    let ozone = mechanism.species_index("O3").expect("it was declared");
    println!(
        "ozone in the first and last cell: {:.4e}, {:.4e} per cm^3", //
        done.concentration[ozone * count],
        done.concentration[(ozone + 1) * count - 1]
    );
    Ok(())
}
