//! Whole numbers that the host finds before the kernels run: masks that no kernel generates, and the bands of cloud
//! optics that RRTMG_LW ends with in each layer, a number that some layers set and others find.

use std::borrow::Cow;

use isobar_core::Real;

use crate::clouds::EBERT_CURRY_GROUPS;
use crate::host::columns::{CloudColumns, Columns};
use crate::host::error::Error;
use crate::host::options::{IceOptics, LiquidOptics, Options, Solver, Transmittance};

/// Whole numbers of a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words<'a> {
    /// [`CloudColumns::mask`]; empty where there are no sub-columns, or where the kernel generates them.
    pub mask: Cow<'a, [u32]>,
    /// [`crate::clouds::Clouds::entries`], `[(layer or one more) * columns + column]`; empty unless RRTMG_LW's digits
    /// are wanted of cloud fractions.
    pub entries: Vec<u32>,
}

impl<R: Real> Columns<R> {
    /// Whole numbers for a k-distribution of so many bands and g-points. Sizes and options are valid.
    ///
    /// # Errors
    /// None, if they are.
    pub fn words(&self, (bands, points): (usize, usize), options: &Options) -> Result<Words<'_>, Error> {
        let mask = match &self.clouds {
            Some(clouds) if options.solver == Solver::Subcolumns && !self.generates_masks(options) => {
                if clouds.mask.is_empty() {
                    Cow::Owned(options.subcolumns.mask(self, clouds, points)?)
                } else {
                    Cow::Borrowed(&clouds.mask[..])
                }
            }
            _ => Cow::default(),
        };
        Ok(Words { mask, entries: self.entries(bands, options) })
    }

    fn entries(&self, bands: usize, options: &Options) -> Vec<u32> {
        let table = options.transmittance == Transmittance::Table;
        match &self.clouds {
            Some(clouds) if table && options.solver != Solver::Subcolumns => entries(self, clouds, bands, options),
            _ => Vec::new(),
        }
    }
}

fn entries<R: Real>(columns: &Columns<R>, clouds: &CloudColumns<R>, bands: usize, options: &Options) -> Vec<u32> {
    let (layers, count) = (columns.layers(), columns.columns());
    let mut entries = vec![1; (layers + 1) * count];
    for column in 0..count {
        let mut last = if clouds.optical_depth.is_empty() { 1 } else { bands as u32 };
        for layer in 0..layers {
            let index = layer * count + column;
            if clouds.optical_depth.is_empty() && clouds.fraction[index].value() > 0.0 {
                if clouds.ice_path[index].value() > 0.0 {
                    match options.ice {
                        IceOptics::OneCoefficient => {}
                        IceOptics::EbertCurry => last = EBERT_CURRY_GROUPS,
                        IceOptics::Spheres | IceOptics::Fu => last = bands as u32,
                    }
                }
                if clouds.liquid_path[index].value() > 0.0 && options.liquid == LiquidOptics::HuStamnes {
                    last = bands as u32;
                }
            }
            entries[index] = last;
        }
        entries[layers * count + column] = last;
    }
    entries
}
