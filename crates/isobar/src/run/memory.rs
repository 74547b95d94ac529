//! What a run takes of the host's memory.

use isobar_column::Quantity;
use isobar_column::stages::quantity as q;
use isobar_launch::memory::{TooLarge, check};
use isobar_rosenbrock::COUNTERS;

use super::records::KEPT;
use super::setup::Setup;
use super::start_memory::of_start;
use super::team::Team;

/// The copies of a field that is brought together, and on its way into a file: one field at a time.
const IN_HAND: u64 = 2;
/// The copies of a state: on the way to its device, and there.
const STATES: u64 = 2;
/// Those of a restart file: as it is brought together, and as it is written.
const RESTART: u64 = 2;

/// The fields that the columns of radiation have.
const SKY: u64 = 2 * (11 + 4);

/// An estimate for a process.
pub(super) struct Memory {
    columns: u64,
    /// The results that are kept.
    records: u64,
    /// Bytes of a column at one of these times.
    of_record: u64,
    /// Bytes of a column for anything else.
    of_column: u64,
}

impl Memory {
    /// The memory of a setup whose real numbers have `real` bytes.
    pub(super) fn new(setup: &Setup, real: usize, team: &Team) -> Self {
        let (layers, tracers) = (setup.layers(), setup.tracers().len());
        let rows = |quantities: &mut dyn Iterator<Item = Quantity>| {
            quantities.map(|quantity| quantity.shape.per_column(layers, tracers) as u64).sum::<u64>()
        };
        let real = real as u64;
        let soil = setup.soil.as_ref().map_or(0, |soil| soil.layers.count() as u64);
        // Their temperatures, and two fields for a step.
        let state = rows(&mut q::ALL.iter().map(|(quantity, _)| *quantity)) + 3 * soil;
        // Concentrations before and after, rate constants, counters.
        let cells = setup.mechanism().map_or(0, |mechanism| {
            let numbers = 4 * mechanism.species().len() + mechanism.reactions().len() + COUNTERS.len() + 8;
            8 * (numbers * layers) as u64
        });
        // Columns with layers above the top, and what comes back, of both spectra.
        let sky = real * SKY * (layers + setup.radiation.layers_above + 1) as u64;
        let light = setup.chemistry.as_ref().and_then(|chemistry| chemistry.photolysis.as_ref());
        let light = light.map_or(0, |light| {
            let (layers, bins) = (layers + 1, light.tables.edges_nm().len() - 1);
            let kept = bins * isobar_photolysis::Flux::<f64>::rows(layers);
            let rates = (bins + light.tables.reactions().len()) * layers;
            real * ((layers + 1) * layers + kept + rates + 5 * layers) as u64
        });
        let share = |bytes: u64| bytes.div_ceil(team.processes() as u64);
        // The first process writes the results of all.
        let written = if team.is_first() { 1 } else { 0 };
        let record = real * (rows(&mut KEPT.into_iter()) + soil);
        let largest = KEPT.into_iter().map(|quantity| quantity.shape.per_column(layers, tracers) as u64).max();
        let states = STATES + if setup.restart_every.is_some() { RESTART } else { 0 };
        Self {
            columns: setup.columns() as u64,
            records: setup.steps.div_ceil(setup.output_every) + 1,
            of_record: share(record) + written * record + IN_HAND * real * largest.unwrap_or(0).max(soil),
            of_column: of_start(layers, tracers) + share(states * real * state + cells + sky + light),
        }
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> u64 {
        let of_column = self.of_column.saturating_add(self.records.saturating_mul(self.of_record));
        self.columns.saturating_mul(of_column)
    }

    /// Is there as much?
    pub(super) fn check(&self) -> Result<(), TooLarge> {
        let Self { columns, records, of_record, of_column } = *self;
        check(&format!("{columns} columns and {records} outputs of each"), self.bytes(), |bytes| {
            let of_all = of_column.saturating_add(records.saturating_mul(of_record));
            let fit = bytes / of_all.max(1);
            let outputs = (bytes / columns.max(1)).saturating_sub(of_column) / of_record.max(1);
            match outputs {
                0 | 1 => format!("{fit} columns would fit"),
                _ => format!("{fit} columns would fit, or {outputs} outputs"),
            }
        })
    }
}

impl Setup {
    /// About the bytes of the host's memory that a run takes in this process of a team, with real numbers of `real`
    /// bytes each.
    #[must_use]
    pub fn memory_bytes(&self, real: usize, team: &Team) -> u64 {
        Memory::new(self, real, team).bytes()
    }
}
