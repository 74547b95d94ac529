//! A mechanism in KPP's language, read and run: ozone, NO and NO2 in sunlight come to a balance.
//! `cargo run -p isobar-kpp --example 01_photostationary`

use std::fmt::Write as _;

use isobar_rosenbrock::{Cells, Chemistry, Device, Method, Options};

const MECHANISM: &str = "
    #INCLUDE atoms.kpp
    #DEFVAR O = O; O3 = 3O; NO = N + O; NO2 = N + 2O;
    #DEFFIX O2 = 2O; M = IGNORE;
    #EQUATIONS
    <R1> NO2 + hv = NO + O   : 8.9E-3*SUN;
    <R2> O + O2 + M = O3 + M : 6.0E-34*(TEMP/300.)**(-2.4);
    <R3> NO + O3 = NO2 + O2  : ARR_ab(3.0E-12, 1500.0);
    #INITVALUES CFACTOR = 2.46E19; O2 = 0.21; M = 1.0; O3 = 4.0E-8; NO = 5.0E-11; NO2 = 2.0E-8;
";

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let mechanism = isobar_kpp::Reader::new().read_text("photostationary.kpp", MECHANISM)?;
    assert!(mechanism.imbalances().is_empty());
    let inputs: Vec<f64> = mechanism
        .inputs()
        .iter()
        .map(|input| match input.name.as_str() {
            "SUN" => 1.0,
            "TEMP" => 298.0,
            other => unreachable!("the mechanism has no {other}"),
        })
        .collect();
    let mut cells = Cells {
        concentration: mechanism.initial().to_vec(),
        rate_input: inputs,
        first_step_s: vec![0.0],
        ..Cells::default()
    };
    let program = Some(mechanism.program().clone());
    let options = Options::new(Method::Rodas3, 1e-6, 1.0);
    let model = Chemistry::new(mechanism.compiled().clone(), program).on(&[Device::Thread]);
    let mut text = String::from("time [s]   O3 [nmol/mol]   NO [nmol/mol]   NO2 [nmol/mol]   j NO2 / (k NO O3)\n");
    let mut from = 0.0;
    for time in [1.0, 10.0, 60.0, 600.0] {
        cells.concentration = model.run(&cells, &options.over(from..time))?.concentration;
        from = time;
        let number = |name: &str| cells.concentration[mechanism.species_index(name).expect("it is there")];
        let [o3, no, no2] = ["O3", "NO", "NO2"].map(|name| number(name) / 2.46e10);
        let k = 3e-12 * isobar_core::Real::exp(-1500.0 / 298.0);
        let balance = 8.9e-3 * no2 / (k * no * o3 * 2.46e10);
        writeln!(text, "{time:>8}   {o3:>13.6}   {no:>13.6}   {no2:>14.6}   {balance:>18.6}")?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
