//! JURASSIC-GPU's dump of all tables: a text of 16,384 bytes, then the memory of its arrays, whose sizes are those with
//! which it was compiled. The channel is the fastest index, the gas the slowest.

pub(super) const HEADER: usize = 16_384;
pub(super) const VERSION: u32 = 20_200_211;
/// Temperatures of the source function, a quarter of a kelvin apart from 100 K.
pub(super) const SOURCES: usize = 1201;

/// The sizes of the arrays of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DumpSizes {
    /// `NG`.
    pub gases: usize,
    /// `TBLNP`.
    pub pressures: usize,
    /// `TBLNT`.
    pub temperatures: usize,
    /// `TBLNU`.
    pub columns: usize,
    /// `ND`.
    pub channels: usize,
}

/// The nodes of a file of 128 GB, a hundred times the usual one.
const MOST_NODES: u64 = 1 << 34;

impl Default for DumpSizes {
    /// Those of JURASSIC-GPU 2.0, if nobody sets others.
    fn default() -> Self {
        Self { gases: 27, pressures: 40, temperatures: 30, columns: 304, channels: 32 }
    }
}

/// Where the arrays begin, in bytes after the header.
pub(super) struct Offsets {
    pub(super) pressure_counts: u64,
    pub(super) temperature_counts: u64,
    pub(super) column_counts: u64,
    pub(super) pressures: u64,
    pub(super) temperatures: u64,
    pub(super) columns: u64,
    pub(super) emissivities: u64,
    pub(super) end: u64,
}

impl DumpSizes {
    /// The name that JURASSIC-GPU looks for in its working directory.
    #[must_use]
    pub fn file_name(&self) -> String {
        let Self { gases, pressures, temperatures, columns, channels } = self;
        format!("bin.jurassic-fp32-tables-g{gases}-p{pressures}-T{temperatures}-u{columns}-d{channels}")
    }

    /// None where a size is zero, or the whole is no file.
    pub(super) fn offsets(&self) -> Option<Offsets> {
        let [g, p, t, u, d] =
            [self.gases, self.pressures, self.temperatures, self.columns, self.channels].map(|size| size as u64);
        let rows = |sizes: &[u64]| sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        let (gas, level, curve) = (rows(&[g, d])?, rows(&[g, p, d])?, rows(&[g, p, t, d])?);
        let nodes = rows(&[g, p, t, u, d])?;
        if nodes == 0 || nodes > MOST_NODES {
            return None;
        }
        let temperature_counts = 4 * gas;
        let column_counts = temperature_counts + 4 * level;
        // Doubles lie at multiples of 8.
        let pressures = (column_counts + 4 * curve).next_multiple_of(8);
        let temperatures = pressures + 8 * level;
        let columns = temperatures + 8 * curve;
        let emissivities = columns + 4 * nodes;
        let end = emissivities + 4 * nodes + 8 * SOURCES as u64 * (d + 1);
        Some(Offsets {
            pressure_counts: 0,
            temperature_counts,
            column_counts,
            pressures,
            temperatures,
            columns,
            emissivities,
            end,
        })
    }
}
