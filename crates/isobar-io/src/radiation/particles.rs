//! Sizes of particles: as tables of clouds have them, and outside of those.

use isobar_radiation::Columns;

use super::RadiationRequest;

/// Droplets, ice, rain and snow, in the order of [`isobar_radiation::Spectra::cloud_sizes_um`].
pub(super) const ALL: [usize; 4] = [0, 1, RAIN, SNOW];
pub(super) const RAIN: usize = 2;
pub(super) const SNOW: usize = 3;

/// What a size is called.
pub(super) const SIZES: [&str; 4] = ["liquid_radius_um", "ice_size_um", "rain_radius_um", "snow_size_um"];

/// Effective radii as the size of ice or snow that optics of clouds have: for tables a diameter.
pub(super) fn sizes_of(
    name: &str,
    mut radii: Vec<f64>,
    request: &RadiationRequest,
    derived: &mut Vec<String>,
) -> Vec<f64> {
    let factor = request.spectra.ice_size_of_radius(request.options);
    if !radii.is_empty() && factor != 1.0 {
        radii.iter_mut().for_each(|radius| *radius *= factor);
        derived.push(format!("{name} = {factor} effective radius"));
    }
    radii
}

/// A size outside of the tables, of particles that are there.
pub(super) struct Outlier {
    pub(super) species: usize,
    /// `[layer * columns + column]`.
    pub(super) index: usize,
    pub(super) value: f64,
    pub(super) range: [f64; 2],
}

/// Finds sizes of some kinds of particles outside of the tables; clamps those of which it is told to.
///
/// Rain and snow reach sizes far beyond tables made for cloud particles. Large particles take twice the light that
/// falls on them, so that what a mass of them takes falls with their size: of those that are larger than the table's
/// the path becomes smaller in the same measure.
pub(super) fn find(
    request: &RadiationRequest,
    columns: &mut Columns<f64>,
    species: &[usize],
    mut clamps: impl FnMut(Outlier) -> bool,
) {
    let ranges = request.spectra.cloud_sizes_um(request.options);
    let Columns {
        cloud_fraction,
        liquid_path_g_per_m2,
        ice_path_g_per_m2,
        rain_path_g_per_m2,
        snow_path_g_per_m2,
        liquid_radius_um,
        ice_size_um,
        rain_radius_um,
        snow_size_um,
        ..
    } = columns;
    let mut all = [
        (liquid_path_g_per_m2, liquid_radius_um),
        (ice_path_g_per_m2, ice_size_um),
        (rain_path_g_per_m2, rain_radius_um),
        (snow_path_g_per_m2, snow_size_um),
    ];
    for &species in species {
        let range @ [least, most] = ranges[species];
        let (paths, sizes) = &mut all[species];
        for (index, ((path, size), fraction)) in
            paths.iter_mut().zip(sizes.iter_mut()).zip(cloud_fraction.iter()).enumerate()
        {
            let outside = *path > 0.0 && *fraction > 0.0 && (*size < least || *size > most);
            if outside && clamps(Outlier { species, index, value: *size, range }) {
                if species >= RAIN && *size > most {
                    *path *= most / *size;
                }
                *size = size.clamp(least, most);
            }
        }
    }
}

/// Brings sizes of some kinds of particles into the tables; says how many there were.
pub(super) fn bring_in(request: &RadiationRequest, columns: &mut Columns<f64>, species: &[usize]) -> Vec<String> {
    let mut counts = [0; ALL.len()];
    find(request, columns, species, |outlier| {
        counts[outlier.species] += 1;
        true
    });
    let some = species.iter().filter(|&&species| counts[species] > 0);
    let text = |&species: &usize| {
        let name = SIZES[species].trim_end_matches("_um");
        let [least, most] = request.spectra.cloud_sizes_um(request.options)[species];
        let count = counts[species];
        format!("{name}: {count} values brought into [{least}, {most}] um; of larger ones the path falls in proportion")
    };
    some.map(text).collect()
}
