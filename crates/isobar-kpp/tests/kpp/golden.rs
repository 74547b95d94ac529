//! What KPP made of the same files.

use std::collections::BTreeMap;

use isobar_golden::{Value, json, npy};
use isobar_kpp::Mechanism;

use crate::reference::{dir, read};

const MECHANISMS: [&str; 8] =
    ["small_strato", "carbon", "cbm4", "strato", "saprc99", "mecca_mim1", "t1_mozcart", "mcm"];

/// Rate constants, relative: up to six powers and exponentials of at most 2 units in the last place, whose arguments of
/// up to 60 amplify a rounding as much; 300 units of 2.2e-16 hold with room.
const RATE: f64 = 1e-13;

fn pairs(list: &Value) -> BTreeMap<usize, f64> {
    let pair = |x: &Value| (x[0].as_u64().expect("an index") as usize, x[1].as_f64().expect("a number"));
    list.as_array().expect("a list").iter().map(pair).collect()
}

fn numbers(value: &Value) -> Vec<usize> {
    isobar_golden::numbers(value).into_iter().map(|x| x as usize).collect()
}

#[test]
fn species_reactions_and_patterns_are_kpps() {
    for name in MECHANISMS {
        let Some(mechanism) = read(name) else { return };
        let want = json(&dir().expect("the reference").join(name).join("mechanism.json"));
        let species: Vec<&str> = mechanism.species().iter().map(|species| species.name.as_str()).collect();
        let wanted: Vec<&str> =
            want["species_kpp_order"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(species, wanted, "{name}");
        assert_eq!(mechanism.variable() as u64, want["nvar"].as_u64().expect("a number"), "{name}");
        let reactions = want["reactions"].as_array().expect("a list");
        assert_eq!(mechanism.reactions().len(), reactions.len(), "{name}");
        for (got, want) in mechanism.reactions().iter().zip(reactions) {
            let reactants = got.reactants.iter().map(|&(species, power)| (species, f64::from(power))).collect();
            assert_eq!(
                (pairs(&want["reactants"]), want["photolysis"].as_bool()),
                (reactants, Some(got.photolysis)),
                "{name}: {got:?}"
            );
            let net: BTreeMap<usize, f64> = got.net.iter().copied().collect();
            let wanted = pairs(&want["net"]);
            assert_eq!(net.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>(), "{name}: {got:?}");
            // Sums of factors in another order.
            assert!(net.iter().all(|(species, net)| (net - wanted[species]).abs() < 1e-14), "{name}: {got:?}");
        }
        let pattern = mechanism.compiled().pattern();
        assert_eq!(
            mechanism.compiled().jacobian_entries() as u64,
            want["jac_nonzero"].as_u64().expect("a number"),
            "{name}"
        );
        assert_eq!(pattern.column, numbers(&want["lu_icol0"]), "{name}");
        assert_eq!(pattern.diagonal, numbers(&want["lu_diag0"]), "{name}");
    }
}

/// Inputs of the reference's cells, by names in lower case.
fn inputs(name: &str, mechanism: &Mechanism) -> Vec<f64> {
    let (shape, values) = npy(&dir().expect("the reference").join(name).join("env.npy"));
    inputs_of(name, mechanism, (shape[0], shape[1]), &values)
}

/// Inputs of cells whose conditions stand in rows of the reference's order.
pub(crate) fn inputs_of(
    name: &str,
    mechanism: &Mechanism,
    (cells, columns): (usize, usize),
    values: &[f64],
) -> Vec<f64> {
    let dir = dir().expect("the reference");
    let column = |i: usize| (0..cells).map(|cell| values[cell * columns + i]).collect::<Vec<_>>();
    let tables = json(&dir.join("environment_tables.json"));
    let mut given: Vec<(String, Vec<f64>)> = vec![("temp".into(), column(0))];
    let wants = |given: &[(String, Vec<f64>)], name: &str| {
        !given.iter().any(|(known, _)| known == name)
            && mechanism.inputs().iter().any(|input| input.name.eq_ignore_ascii_case(name))
    };
    match name {
        "mecca_mim1" | "t1_mozcart" => {
            let light = |frequency: f64| column(1).iter().map(|sun| frequency * sun).collect::<Vec<_>>();
            let table = &tables[name];
            if name == "mecca_mim1" {
                given.push(("cair".into(), column(2)));
                for (key, value) in table["J"].as_object().expect("names") {
                    given.push((format!("jx({key})"), light(value.as_f64().expect("a number"))));
                }
                for (key, value) in table["KH"].as_object().expect("names") {
                    let array = if key.starts_with("iht") { "khet_tr" } else { "khet_st" };
                    given.push((format!("{array}({key})"), vec![value.as_f64().expect("a number")]));
                }
            } else {
                given.extend([("c_m".into(), column(2)), ("c_h2o".into(), column(3))]);
                given.extend([("aer_srf_area".into(), vec![0.0]), ("aer_diam".into(), vec![0.0])]);
                for (key, value) in table["j_at_sun_1"].as_object().expect("names") {
                    given.push((format!("j(Pj_{key})"), light(value.as_f64().expect("a number"))));
                }
            }
        }
        "mcm" => {
            given.extend([("m".into(), column(2)), ("h2o".into(), column(3))]);
            let zenith = column(1);
            let named = json(&dir.join("mcm/named_rates.json"));
            for j in named["j"].as_array().expect("a list") {
                let number = |key: &str| j[key].as_f64().expect("a number");
                #[allow(clippy::disallowed_methods, reason = "the reference's own formula")]
                let frequency = |angle: &f64| {
                    let cosine = angle.cos();
                    if cosine > 0.0 {
                        number("l") * cosine.powf(number("m")) * (-number("n") / cosine).exp()
                    } else {
                        0.0
                    }
                };
                given.push((
                    format!("J({})", j["name"].as_str().expect("a name")),
                    zenith.iter().map(frequency).collect(),
                ));
            }
        }
        _ => given.extend([("sun".into(), column(1)), ("cfactor".into(), column(2))]),
    }
    let given: Vec<(String, Vec<f64>)> = given.iter().filter(|(name, _)| wants(&[], name)).cloned().collect();
    let views: Vec<(&str, &[f64])> = given.iter().map(|(name, values)| (name.as_str(), &values[..])).collect();
    mechanism.input_values(&views, cells).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn rate_constants_are_kpps() {
    for name in MECHANISMS {
        let Some(mechanism) = read(name) else { return };
        let dir = dir().expect("the reference").join(name);
        let (shape, start) = npy(&dir.join("conc_init.npy"));
        let (_, want) = npy(&dir.join("rconst.npy"));
        let cells = shape[0];
        let inputs = inputs(name, &mechanism);
        let reactions = mechanism.reactions().len();
        let mut worst = 0.0_f64;
        for cell in 0..cells {
            let inputs: Vec<f64> = inputs.iter().skip(cell).step_by(cells).copied().collect();
            let start = &start[cell * shape[1]..(cell + 1) * shape[1]];
            let got = mechanism.program().rate_constants(start, &inputs, 0.0);
            for (i, reaction) in mechanism.reactions().iter().enumerate() {
                let (got, want) = (got[i], want[cell * reactions + i]);
                let error = (got - want).abs();
                assert!(error <= RATE * want.abs(), "{name} cell {cell}: {got} instead of {want} in {reaction:?}");
                worst = worst.max(if want == 0.0 { 0.0 } else { error / want.abs() });
            }
        }
        println!("{name}: rate constants within {worst:.1e}");
    }
}
