//! Tables where kernels read them.

use std::sync::Arc;

use isobar_launch::{Allocations, DeviceMemory, Error, Plain, Queue};

use crate::host::spectrum::{Spectra, Spectrum};
use crate::order::Tables;
use crate::rrtmg;

/// The tables of all spectra in the memory of one device: of a CPU the host's own.
pub struct DeviceTables<R: Plain> {
    views: Vec<Tables<'static, R>>,
    rrtmg: Option<rrtmg::tables::Tables<'static, R>>,
    host: Arc<Spectra<R>>,
    _copies: Allocations,
}

impl<R: isobar_core::Real> DeviceTables<R> {
    pub(crate) fn new(queue: &Queue, spectra: &Arc<Spectra<R>>) -> Result<Self, Error> {
        let (mut memory, is_cpu) = (DeviceMemory::new(queue), queue.device().is_cpu());
        let mut views = Vec::new();
        for spectrum in spectra.each() {
            let mut show = |spectrum: &Spectrum<R>| {
                let view = spectrum.view_in(&mut memory);
                // SAFETY: what the views show lives as long as they, and nobody gets them for longer.
                views.push(unsafe { std::mem::transmute::<Tables<'_, R>, Tables<'static, R>>(view) });
            };
            if is_cpu {
                show(spectrum);
            } else {
                // Of these a GPU has copies.
                show(&Spectrum { gases: spectrum.gases.side_by_side(), ..spectrum.clone() });
            }
        }
        let rrtmg = spectra.rrtmg.as_ref().map(|k| {
            let view = k.tables.view_in(&mut memory);
            // SAFETY: as above.
            unsafe { std::mem::transmute::<rrtmg::tables::Tables<'_, R>, rrtmg::tables::Tables<'static, R>>(view) }
        });
        Ok(Self { views, rrtmg, host: spectra.clone(), _copies: memory.end()? })
    }

    /// Those of RRTMG_LW, if it is the long wave's.
    pub(crate) fn rrtmg(&self) -> Option<rrtmg::tables::Tables<'_, R>> {
        self.rrtmg
    }

    /// Are sizes of ice diameters?
    pub(crate) fn has_diameters(&self) -> bool {
        self.host.has_diameters()
    }

    /// Those of each other spectrum.
    pub(crate) fn views(&self) -> &[Tables<'_, R>] {
        &self.views
    }
}
