//! `isobar spectra info`: what line lists hold.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use isobar::plot;
use isobar_io::{AtomicFile, FilesInUse};
use isobar_spectra::lists::{ExoMol, ListSummary, Odd};
use serde_json::json;

use crate::inputs::line_lists::open_exomol;
use crate::inputs::twice::refuse_twice;
use crate::program::failure::Failure;
use crate::program::options::Json;
use crate::program::output::PlotFile;
use crate::program::progress::patiently;
use crate::program::remarks::warn;

/// The options of `isobar spectra info`.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Line lists of HITRAN or HITEMP, records of 160 columns, or HITRANonline's tables, of any length
    #[arg(value_name = "LIST", required_unless_present = "exomol")]
    lists: Vec<PathBuf>,
    /// List of ExoMol: the gas, and how the names of its files begin: BEGIN.states, .pf, .def, .trans or __*.trans; its
    /// abundance, if it is not 1; may be given more than once
    #[arg(long, value_name = "GAS=BEGIN[,ABUNDANCE]")]
    exomol: Vec<String>,
    /// Only lines from and to these wavenumbers [cm^-1], as 600:800
    #[arg(long, value_name = "FROM:TO")]
    range: Option<String>,
    #[command(flatten)]
    plot: PlotFile,
    #[command(flatten)]
    print: Json,
}

pub(super) fn run(options: &Info) -> Result<(), Failure> {
    if options.plot.path().is_some() && options.lists.len() + options.exomol.len() > 1 {
        return Err(Failure::usage("--plot draws one list: name one"));
    }
    let mut files = FilesInUse::default();
    options.lists.iter().try_for_each(|list| files.reads("the line list", list))?;
    let exomol = options.exomol.iter().map(|text| open_exomol(text)).collect::<Result<Vec<_>, _>>()?;
    refuse_twice("a list", options.lists.iter())?;
    refuse_twice("--exomol", exomol.iter().map(|list| &list.states))?;
    exomol.iter().flat_map(ExoMol::files).try_for_each(|path| files.reads("the line list", &path))?;
    if let Some(plot) = options.plot.path() {
        files.writes("the plot", plot)?;
    }
    let range = options.range.as_deref().map(|text| crate::inputs::spectral::range("--range", text)).transpose()?;
    let mut all = Vec::new();
    let hitran = options.lists.iter().map(|list| (list.clone(), None));
    let exomol = exomol.into_iter().map(|list| (list.states.clone(), Some(list)));
    for (list, exomol) in hitran.chain(exomol) {
        let list = &list;
        let summary = patiently(false, "reading the list", || match exomol {
            Some(list) => {
                ListSummary::read_exomol(&ExoMol { range_per_cm: range.unwrap_or(list.range_per_cm), ..list })
            }
            None => ListSummary::read(list, range),
        })?;
        if options.print.json {
            all.push(as_json(list, &summary));
        } else {
            table(list, &summary);
        }
        summary.odd.sentences().into_iter().for_each(warn);
        if let Some(path) = options.plot.path() {
            let figure = plot::spectra::list(&summary)?;
            AtomicFile::write_with(path, |out| out.write_all(figure.svg().as_bytes()))?;
        }
    }
    if options.print.json {
        print_line!("{}", json!(all));
    }
    Ok(())
}

/// One line an isotopologue.
fn table(list: &std::path::Path, summary: &ListSummary) {
    print_line!("{}: {} lines", list.display(), summary.lines());
    print_line!(
        "{:26} {:>10}  {:25} {:>10}  {:24} {:15} {:>9}  lines by decade of intensity",
        "isotopologue",
        "lines",
        "cm^-1",
        "sum",
        "strongest, at cm^-1",
        "cm^-1/atm",
        "E\" to"
    );
    for of in &summary.isotopologues {
        let decades: Vec<String> =
            of.decades.iter().rev().map(|(decade, count)| format!("1e{decade}: {count}")).collect();
        print_line!(
            "{:26} {:>10}  {:25} {:>10.3e}  {:24} {:15} {:>9.1}  {}",
            match &of.isotopologue {
                known if known.number == 0 => known.name(),
                known => format!("{}.{} {}", known.molecule, known.number, known.name()),
            },
            of.lines,
            format!("{:.4} to {:.4}", of.ends_per_cm.0, of.ends_per_cm.1),
            of.intensity,
            format!("{:.3e}, {:.4}", of.strongest.1, of.strongest.0),
            format!("{} to {}", of.air_widths_per_cm_atm.0, of.air_widths_per_cm_atm.1),
            of.highest_energy_per_cm,
            decades.join(", ")
        );
    }
}

fn as_json(list: &std::path::Path, summary: &ListSummary) -> serde_json::Value {
    let one = |of: &isobar_spectra::lists::OfIsotopologue| {
        json!({
            "molecule": of.isotopologue.molecule,
            "isotopologue": of.isotopologue.number,
            "name": of.isotopologue.name(),
            "mass_u": of.isotopologue.mass_u,
            "lines": of.lines,
            "first_per_cm": of.ends_per_cm.0,
            "last_per_cm": of.ends_per_cm.1,
            "intensity_sum": of.intensity,
            "strongest_intensity": of.strongest.1,
            "strongest_at_per_cm": of.strongest.0,
            "air_width_per_cm_atm": [of.air_widths_per_cm_atm.0, of.air_widths_per_cm_atm.1],
            "highest_energy_per_cm": of.highest_energy_per_cm,
            "lines_by_decade": of.decades,
        })
    };
    json!({
        "list": list.to_string_lossy(),
        "lines": summary.lines(),
        "without_energy": summary.odd.count(Odd::UnknownEnergy),
        "odd": summary.odd.sentences(),
        "isotopologues": summary.isotopologues.iter().map(one).collect::<Vec<_>>(),
    })
}
