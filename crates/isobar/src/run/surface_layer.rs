//! The surface layer of a case.

use std::ops::Range;

use isobar_column::Initial;
use isobar_surface::{Fluxes, Options};
use toml::Spanned;

use super::description::Description;
use super::error::Error;
use super::reader::CaseFile;
use super::surface_keys::SurfaceLayerKind;

/// The options of the revised MM5 surface layer, if the case asks for it.
pub(super) fn revised(file: &CaseFile, case: &Description, initial: &Initial) -> Result<Option<Options>, Error> {
    let (section, site) = (&case.surface_layer, &case.site);
    let refuse = |span: Option<Range<usize>>, problem: &str| match span {
        Some(span) => Err(file.failure(Some(span), problem)),
        None => Ok(()),
    };
    let (water, land) = (span(&section.water_roughness), span(&section.land_roughness));
    let (shallow, drag) = (span(&section.shallow_water), span(&section.form_drag));
    let (factor, root, fluxes) = (span(&section.form_drag_factor), span(&section.root), span(&section.fluxes));
    let (depth, deviation) = (span(&site.water_depth_m), span(&site.orography_deviation_m));
    let kind = section.kind.as_ref().filter(|kind| *kind.get_ref() == SurfaceLayerKind::RevisedMm5);
    let Some(kind) = kind else {
        let keys = [water, land, shallow, drag, factor, root, fluxes, depth, deviation];
        let first = keys.into_iter().flatten().next();
        refuse(first, "this is of `kind = \"revised_mm5\"`, and the surface layer is another one")?;
        return Ok(None);
    };
    if case.surface_flux.is_some() {
        return Err(file.refuse(kind, "the revised MM5 surface layer computes fluxes, and [surface_flux] gives them"));
    }
    let of_similarity = span(&site.roughness_heat_m);
    refuse(of_similarity, "this has no effect: the revised MM5 surface layer has its own roughness of heat")?;
    let usual = Options::default();
    let options = Options {
        fluxes: chosen(&section.fluxes, usual.fluxes),
        water_roughness: chosen(&section.water_roughness, usual.water_roughness),
        land_roughness: chosen(&section.land_roughness, usual.land_roughness),
        shallow_water: chosen(&section.shallow_water, false),
        form_drag: chosen(&section.form_drag, false),
        form_drag_factor: chosen(&section.form_drag_factor, usual.form_drag_factor),
        root: chosen(&section.root, usual.root),
        constants: usual.constants,
    };
    let has = |kind: f64| initial.land_or_water.contains(&kind);
    for key in [&water, &shallow, &depth] {
        refuse(key.clone().filter(|_| !has(2.0)), "this has no effect: all columns are land")?;
    }
    refuse(land.filter(|_| !has(1.0)), "this has no effect: all columns are water")?;
    refuse(depth.clone().filter(|_| !options.shallow_water), "this has no effect without `shallow_water = true`")?;
    for key in [&factor, &deviation] {
        refuse(key.clone().filter(|_| !options.form_drag), "this has no effect without `form_drag = true`")?;
    }
    let needs = |key: Option<Range<usize>>, what: &str| refuse(key, &format!("this needs {what} in [site]"));
    needs(shallow.clone().filter(|_| options.shallow_water && depth.is_none()), "`water_depth_m`")?;
    needs(drag.filter(|_| options.form_drag && deviation.is_none()), "`orography_deviation_m`")?;
    if options.fluxes == Fluxes::Given {
        refuse(fluxes, "[surface_flux] gives fluxes, of `kind = \"similarity\"`")?;
    }
    match options.check() {
        Ok(()) => Ok(Some(options)),
        Err(problem) => Err(file.failure(factor.or(shallow), problem)),
    }
}

/// Where a key has its value, if it is there.
fn span<T>(key: &Option<Spanned<T>>) -> Option<Range<usize>> {
    key.as_ref().map(Spanned::span)
}

fn chosen<T: Copy>(key: &Option<Spanned<T>>, usual: T) -> T {
    key.as_ref().map_or(usual, |key| *key.get_ref())
}
