//! The surface layer of a case.

use std::ops::Range;

use isobar_column::Initial;
use toml::Spanned;

use super::description::Description;
use super::error::Error;
use super::reader::CaseFile;
use super::surface_keys::{LandRoughness, SurfaceLayerKind, WaterRoughness};

/// The options of the revised MM5 surface layer, if the case asks for it.
pub(super) fn revised(
    file: &CaseFile,
    case: &Description,
    initial: &Initial,
) -> Result<Option<isobar_surface::Options>, Error> {
    let section = &case.surface_layer;
    let (water, land) = (&section.water_roughness, &section.land_roughness);
    let of_water = water.as_ref().map(Spanned::span);
    let of_land = land.as_ref().map(Spanned::span);
    let refuse = |span: Option<Range<usize>>, problem: &str| match span {
        Some(span) => Err(file.failure(Some(span), problem)),
        None => Ok(()),
    };
    let kind = section.kind.as_ref().filter(|kind| *kind.get_ref() == SurfaceLayerKind::RevisedMm5);
    let Some(kind) = kind else {
        refuse(of_water.or(of_land), "this is of `kind = \"revised_mm5\"`, and the surface layer is another one")?;
        return Ok(None);
    };
    if case.surface_flux.is_some() {
        return Err(file.refuse(kind, "the revised MM5 surface layer computes fluxes, and [surface_flux] gives them"));
    }
    let roughness_heat = case.site.roughness_heat_m.as_ref().map(Spanned::span);
    refuse(roughness_heat, "this has no effect: the revised MM5 surface layer has its own roughness of heat")?;
    let has = |kind: f64| initial.land_or_water.contains(&kind);
    refuse(of_water.filter(|_| !has(2.0)), "this has no effect: all columns are land")?;
    refuse(of_land.filter(|_| !has(1.0)), "this has no effect: all columns are water")?;
    let water = water.as_ref().map_or(WaterRoughness::Coare, |water| *water.get_ref());
    let land = land.as_ref().map_or(LandRoughness::Momentum, |land| *land.get_ref());
    Ok(Some(isobar_surface::Options {
        water_roughness: match water {
            WaterRoughness::Coare => isobar_surface::WaterRoughness::Coare,
            WaterRoughness::Constant => isobar_surface::WaterRoughness::Constant,
            WaterRoughness::Garratt => isobar_surface::WaterRoughness::Garratt,
        },
        land_roughness: match land {
            LandRoughness::Momentum => isobar_surface::LandRoughness::Momentum,
            LandRoughness::ChenZhang => isobar_surface::LandRoughness::ChenZhang,
            LandRoughness::Zilitinkevich => isobar_surface::LandRoughness::Zilitinkevich,
        },
        ..isobar_surface::Options::default()
    }))
}
