//! Nights, and memory in any order.

use isobar_core::fields::{AnyField, AnyFieldMut, AnyValues, Extents, InputSet, LAYER, OutputSet, OwnedOutputs};
use isobar_core::{Field, FieldMut};
use isobar_radiation::{ColumnViews, Device, FluxViews, Fluxes, Options, analytic};

use crate::models::ecckd;

const COUNT: usize = 45;
const LAYERS: usize = 20;

/// Values of results, by name.
fn values(fluxes: &Fluxes<f64>) -> Vec<(&'static str, Vec<f64>)> {
    let mut all = Vec::new();
    fluxes.each(&mut |declared, values| {
        if let AnyValues::Real(values) = values {
            all.push((declared.name, values.to_vec()));
        }
    });
    all
}

/// By night the short wave is nothing, and the long wave and the days beside it are what they were.
#[test]
fn nights_are_dark() {
    let options = Options { clear_sky: true, ..Options::default() };
    let model = ecckd::<f64>().on(&[Device::Thread]);
    let mut columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    let days = values(&model.run(&columns, &options).unwrap());
    let is_night = |column: usize| column % 3 != 1;
    for (column, cosine) in columns.cosine_zenith.iter_mut().enumerate() {
        if is_night(column) {
            *cosine = if column % 3 == 0 { 0.0 } else { -0.4 };
        }
    }
    let nights = values(&model.run(&columns, &options).unwrap());
    let mut dark = 0;
    for ((name, day), (_, night)) in days.iter().zip(&nights) {
        for (index, (&day, &night)) in day.iter().zip(night).enumerate() {
            if name.contains("shortwave") && is_night(index % COUNT) {
                assert!(night == 0.0 && night.is_sign_positive(), "{name} {index}: {night}");
                dark += usize::from(day != 0.0);
            } else {
                assert_eq!(day.to_bits(), night.to_bits(), "{name} {index}");
            }
        }
    }
    // Up, down, beam and heating, and two without clouds, of most levels.
    assert!(dark > 5 * LAYERS * COUNT / 2, "{dark}");
}

/// Columns and fluxes from the top down, with the layers of a column side by side: views turn them round.
#[test]
fn memory_may_be_in_any_order() {
    let options = Options { clear_sky: true, derivative: true, ..Options::default() };
    let model = ecckd::<f64>().on(&[Device::Thread]);
    let mut columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    // By g-point and column, that rows count.
    let spectral = |first: f64, step: f64| (0..32 * COUNT).map(|index| first + step * index as f64).collect();
    columns.emissivity = spectral(0.8, 1e-4);
    columns.surface_albedo_direct = spectral(0.1, 2e-4);
    columns.surface_albedo_diffuse = spectral(0.2, 3e-4);
    let expected = values(&model.run(&columns, &options).unwrap());

    let views = ColumnViews::try_from(&columns).unwrap();
    let mut turned = Vec::new();
    views.visit(&mut |_, field| {
        turned.push(match field {
            AnyField::Real(field) => {
                let (rows, items) = (field.levels(), field.items());
                let down = |item: usize| (0..rows).rev().map(move |row| field.at(row, item));
                Some(((0..items).flat_map(down).collect::<Vec<f64>>(), rows, items))
            }
            AnyField::Word(_) => None,
        });
    });
    let mut each = turned.iter();
    let views = ColumnViews::build(&mut |_| match each.next().expect("one a field") {
        Some((values, rows, items)) if !values.is_empty() => {
            AnyField::Real(Field::level_fastest(values, *rows, *items).levels_reversed())
        }
        Some(_) => AnyField::Real(Field::empty()),
        None => AnyField::Word(Field::empty()),
    });

    let extents = Extents::new(COUNT).with(LAYER, LAYERS);
    let mut status = vec![0; COUNT];
    let mut results: Vec<Vec<f64>> = Vec::new();
    <FluxViews<'_, f64>>::empty().visit(&mut |declared, _| {
        results.push(vec![f64::NAN; extents.rows(declared.shape) * COUNT]);
    });
    let mut each = results.iter_mut();
    let mut names = Vec::new();
    let mut of_words = Some(FieldMut::item_fastest(&mut status, 1, COUNT));
    let fluxes = FluxViews::build(&mut |declared| {
        let values = each.next().expect("one a field");
        names.push(declared.name);
        match declared.name {
            // Not asked for.
            name if name.contains("_by_band") => AnyFieldMut::Real(FieldMut::empty()),
            "status" => AnyFieldMut::Word(of_words.take().expect("one field of words")),
            _ => {
                let rows = values.len() / COUNT;
                AnyFieldMut::Real(FieldMut::level_fastest(values, rows, COUNT).levels_reversed())
            }
        }
    });
    model.run_views(views, &options, &fluxes).unwrap();
    for (name, expected) in &expected {
        let values = &results[names.iter().position(|other| other == name).expect("it is there")];
        let rows = values.len() / COUNT;
        for (index, expected) in expected.iter().enumerate() {
            let (row, item) = (index / COUNT, index % COUNT);
            let found = values[item * rows + (rows - 1 - row)];
            assert_eq!(found.to_bits(), expected.to_bits(), "{name}, row {row}, column {item}");
        }
    }
}
