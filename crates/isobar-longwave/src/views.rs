//! Views of what a batch has.

use isobar_core::{Field, FieldMut, Real};

use crate::clouds::{BY_SIZE, Clouds, EBERT_CURRY_GROUPS, GIVEN};
use crate::columns::{CloudColumns, Columns};
use crate::options::{IceOptics, LiquidOptics, Options};
use crate::outputs::States;
use crate::prepare::Sources;
use crate::table_data::TableData;

pub(crate) fn sources<'a, R: Real>(
    tables: &'a TableData<R>,
    columns: &'a Columns<R>,
    states: &'a mut States<R>,
) -> Sources<'a, R> {
    let (layers, count) = (columns.layers(), columns.columns());
    Sources {
        tables: tables.view(),
        states: states.view(layers, count),
        temperature: field(&columns.temperature, layers, count),
        level_temperature: field(&columns.level_temperature, layers + 1, count),
        aerosol: field(&columns.aerosol, layers * tables.bands.len(), count),
    }
}

pub(crate) fn clouds<'a, R: Real>(
    clouds: &'a CloudColumns<R>,
    (mask, entries): (&'a [u32], &'a [u32]),
    options: &Options,
    (layers, bands, count): (usize, usize, usize),
) -> Clouds<'a, R> {
    let rows = mask.len() / count;
    let given = !clouds.optical_depth.is_empty();
    Clouds {
        fraction: field(&clouds.fraction, layers, count),
        entries: if entries.is_empty() { Field::empty() } else { Field::item_fastest(entries, layers + 1, count) },
        mask: if mask.is_empty() { Field::empty() } else { Field::item_fastest(mask, rows, count) },
        words: (rows / layers) as u32,
        input: if given { GIVEN } else { BY_SIZE },
        ice: options.ice.flag(),
        liquid: options.liquid.flag(),
        ice_path: field(&clouds.ice_path, layers, count),
        liquid_path: field(&clouds.liquid_path, layers, count),
        ice_size: field(&clouds.ice_size, layers, count),
        liquid_radius: field(&clouds.liquid_radius, layers, count),
        optical_depth: field(&clouds.optical_depth, layers * bands, count),
        share: field(&clouds.share, clouds.share.len() / count, count),
    }
}

/// The bands of cloud optics that RRTMG_LW ends with in each layer: a number that some layers set and others find.
pub(crate) fn entries<R: Real>(
    columns: &Columns<R>,
    clouds: &CloudColumns<R>,
    bands: usize,
    options: &Options,
) -> Vec<u32> {
    let (layers, count) = (columns.layers(), columns.columns());
    let mut entries = vec![1; (layers + 1) * count];
    for column in 0..count {
        let mut last = if clouds.optical_depth.is_empty() { 1 } else { bands as u32 };
        for layer in 0..layers {
            let place = layer * count + column;
            if clouds.optical_depth.is_empty() && clouds.fraction[place].value() > 0.0 {
                if clouds.ice_path[place].value() > 0.0 {
                    match options.ice {
                        IceOptics::OneCoefficient => {}
                        IceOptics::EbertCurry => last = EBERT_CURRY_GROUPS,
                        IceOptics::Spheres | IceOptics::Fu => last = bands as u32,
                    }
                }
                if clouds.liquid_path[place].value() > 0.0 && options.liquid == LiquidOptics::HuStamnes {
                    last = bands as u32;
                }
            }
            entries[place] = last;
        }
        entries[layers * count + column] = last;
    }
    entries
}

/// A view of one value for all, of all values, or of none.
pub(crate) fn field<R: Real>(values: &[R], levels: usize, columns: usize) -> Field<'_, R> {
    match values.len() {
        0 => Field::empty(),
        // SAFETY: with strides of zero every place is the one value.
        1 => unsafe { Field::from_raw(values.as_ptr(), levels, columns, 0, 0) },
        _ => Field::item_fastest(values, levels, columns),
    }
}

/// A view of all values, or of none.
pub(crate) fn field_mut<R: Real>(values: &mut [R], levels: usize, columns: usize) -> FieldMut<'_, R> {
    if values.is_empty() { FieldMut::empty() } else { FieldMut::item_fastest(values, levels, columns) }
}
