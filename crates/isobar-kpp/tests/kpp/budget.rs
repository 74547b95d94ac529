//! Budgets: how often reactions happen, against an independent integrator, and what is refused.

use isobar_kpp::{Mechanism, Reader};
use isobar_rosenbrock::{BadItems, Cells, Chemistry, Device, Method, Options, Rates};

use crate::radau::{Cell, Tolerance, integrate};
use crate::reference::dir;

/// Ozone, odd oxygen and nitrogen of KPP's small stratosphere, from noon on: extents are those that an integrator of
/// the tests gives to counters, species that reactions make beside all else.
#[test]
fn extents_are_those_of_counters_with_another_integrator() {
    const WITHIN: f64 = 1e-6;
    let Some(dir) = dir() else { return };
    let file = dir.join("mechanisms/small_strato.def");
    let mechanism = Reader::new().sun_from_time().read_file(&file).unwrap_or_else(|error| panic!("{error}"));
    let (start_s, end_s) = (43_200.0, 54_000.0);
    let mut options = Options::new(Method::Rodas4, 1e-9, 1e-4);
    (options.rates, options.autonomous) = (Rates::Stage, false);
    options.counted_reactions = (0..mechanism.reactions().len() as u32).collect();
    let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let inputs = mechanism.input_values(&[], 1).expect("inputs");
    let cells = Cells {
        concentration: mechanism.initial().to_vec(),
        rate_input: inputs.clone(),
        first_step_s: vec![0.0],
        ..Cells::default()
    };
    let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
    let done = model.run(&cells, &options.over(start_s..end_s)).expect("an interval");

    let counting = with_counters(&mechanism);
    let all: Vec<f64> = counting
        .species()
        .iter()
        .map(|species| mechanism.species_index(&species.name).map_or(0.0, |number| mechanism.initial()[number]))
        .collect();
    let mut y = all[..counting.variable()].to_vec();
    let cell = Cell { mechanism: &counting, inputs: counting.input_values(&[], 1).expect("inputs"), all };
    integrate(&cell, &mut y, (start_s, end_s), Tolerance(1e-10, 1e-6), &mut 1e-5);
    let mut worst = 0.0_f64;
    for (number, &got) in done.extent_of_reaction.iter().enumerate() {
        let want = y[counting.species_index(&format!("COUNTER{number}")).expect("a counter")];
        worst = worst.max((got / want - 1.0).abs());
        assert!((got / want - 1.0).abs() < WITHIN, "{number}: {got} instead of {want}");
    }
    println!("small_strato: extents within {worst:.1e}");
    // Families: what reactions do to Ox = O1D + O + O3 + NO2 is what they do to its members.
    let budget = mechanism.budget("Ox=O1D+O+O3+NO2").expect("a budget");
    let by_terms: f64 = budget.terms.iter().map(|&(reaction, net)| net * done.extent_of_reaction[reaction]).sum();
    let change: f64 =
        budget.members.iter().map(|&(species, _)| done.concentration[species] - mechanism.initial()[species]).sum();
    let gross: f64 = budget.terms.iter().map(|&(reaction, net)| (net * done.extent_of_reaction[reaction]).abs()).sum();
    let ozone = mechanism.species_index("O3").expect("ozone");
    // The members turn into each other far more often than anything changes their sum.
    let turned: f64 = done.extent_of_reaction.iter().sum();
    assert!((change - by_terms).abs() < 1e-7 * gross + 1e-12 * turned, "{change} {by_terms}");
    assert!(gross < turned && change.abs() > 1e-6 * mechanism.initial()[ozone]);
}

/// A mechanism whose reactions each make a counter, too.
fn with_counters(mechanism: &Mechanism) -> Mechanism {
    let mut text = String::from("#DEFVAR ");
    for (number, species) in mechanism.species().iter().enumerate() {
        text += &format!("{}{};", if number == mechanism.variable() { "#DEFFIX " } else { "" }, species.name);
    }
    text += " #DEFVAR ";
    (0..mechanism.reactions().len()).for_each(|number| text += &format!("COUNTER{number};"));
    text += " #EQUATIONS ";
    for (number, reaction) in mechanism.reactions().iter().enumerate() {
        text += &format!("{} + COUNTER{number} : {};\n", reaction.equation, reaction.rate);
    }
    text += "#INLINE F90_INIT\nTEMP = 270\n#ENDINLINE\n";
    Reader::new().sun_from_time().read_text("counters.kpp", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn budgets_that_make_no_sense_are_refused() {
    let text =
        "#DEFVAR O; O3; X; #DEFFIX O2; #EQUATIONS O + O2 = O3 : 1e-15; O3 + hv = O + O2 : 1e-3; X + O = X + O : 1.;
                2 O3 + X = X : 1e-9;";
    let mechanism = Reader::new().read_text("m.kpp", text).unwrap_or_else(|error| panic!("{error}"));
    for (budget, what) in [
        ("O4", "no species `O4`"),
        ("O2", "O2 is held"),
        ("Ox=O+O3+o", "O stands there twice"),
        ("=O", "letters, digits and _"),
        ("a b=O", "letters, digits and _"),
        ("Ox=0*O+O3", "the factor in `0*O` is not a positive number"),
        ("Ox=x*O", "the factor in `x*O` is not a positive number"),
        ("X", "no reaction changes it"),
        ("", "no species ``"),
        ("Ox=O+", "no species ``"),
    ] {
        let error = mechanism.budget(budget).expect_err(budget).to_string();
        assert!(error.contains(what), "{budget}: {error}");
    }
    let error = mechanism.budget("OO3").expect_err("none").to_string();
    assert!(error.contains("did you mean"), "{error}");
    let budget = mechanism.budget("Ox = O + 2*o3").expect("a budget");
    assert_eq!((budget.name.as_str(), &budget.terms[..]), ("Ox", &[(0, 1.0), (1, -1.0), (3, -4.0)][..]));
    let partners = [0, 1, 3].map(|reaction| budget.partner(&mechanism, reaction));
    assert_eq!(partners, ["O2", "light", "X"]);
    assert_eq!(mechanism.budget("o3").expect("a budget").name, "O3");
}
