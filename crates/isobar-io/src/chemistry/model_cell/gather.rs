//! Cells of several files as one input.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::super::series::Series;
use super::super::{CellFact, ChemistryInput, ChemistryRequest, ModelRun, below_zero};
use super::ModelCell;
use super::header::Header;
use super::lines::Amounts;
use crate::error::{Error, Place};
use crate::netcdf::ItemGrid;

/// Options that all cells share, by their number: the method, the most steps, autoreduction, clipping.
const SHARED_ICNTRL: [usize; 6] = [3, 4, 12, 13, 14, 16];
/// The smallest and the longest step, the factors of step control, and autoreduction.
const SHARED_RCNTRL: [usize; 10] = [1, 2, 4, 5, 6, 7, 12, 14, 15, 16];

/// What a header says of a cell: name, unit, long name, value.
type Fact = (&'static str, &'static str, &'static str, fn(&Header) -> Option<f64>);

const FACTS: [Fact; 7] = [
    ("air_temperature", "K", "temperature", |header| header.temperature),
    ("air_pressure", "Pa", "pressure", |header| header.pressure.map(|hpa| 100.0 * hpa)),
    ("number_density", "molecule cm-3", "number density of air", |header| header.number_density),
    ("longitude", "degrees", "longitude", |header| header.longitude),
    ("latitude", "degrees", "latitude", |header| header.latitude),
    ("cosine_of_zenith_angle", "1", "cosine of the Sun's zenith angle", |header| header.cosine_of_zenith_angle),
    ("model_level", "1", "level of the model, from the ground", |header| header.level),
];

/// Reads the files, a cell each, for a mechanism.
pub(in super::super) fn gather(paths: &[PathBuf], request: &ChemistryRequest<'_>) -> Result<ChemistryInput, Error> {
    let (cells, species) = (paths.len(), request.species.len());
    let by_name: HashMap<String, usize> =
        request.species.iter().enumerate().map(|(i, (name, _))| (name.to_lowercase(), i)).collect();
    let mut concentrations = vec![vec![0.0; cells]; species];
    let mut rate_constants = vec![0.0; request.reactions.len() * cells];
    let mut headers: Vec<Header> = Vec::with_capacity(cells);
    let (mut tolerances, mut first_rates) = (None, vec![]);
    for (number, path) in paths.iter().enumerate() {
        let ModelCell { path, header, body } = ModelCell::read(path)?;
        if body.rate_constants.len() != request.reactions.len() {
            let (got, want) = (body.rate_constants.len(), request.reactions.len());
            let problem = format!("{got} rate constants, but the mechanism has {want} reactions");
            return Err(Error::invalid(Place::line(&path, body.rate_constants_end), problem));
        }
        let (amounts, own) = in_order(&path, &body.amounts, request, &by_name)?;
        concentrations.iter_mut().zip(amounts).for_each(|(row, value)| row[number] = value);
        rate_constants.iter_mut().skip(number).step_by(cells).zip(&body.rate_constants).for_each(|(x, &k)| *x = k);
        match &tolerances {
            None => (tolerances, first_rates) = (Some(own), body.rates),
            Some(first) if *first != own => {
                let problem = format!("absolute tolerances are not those of {}", paths[0].display());
                return Err(Error::invalid(Place::File(path), problem));
            }
            Some(_) => {}
        }
        if let Some(first) = headers.first() {
            same_options((&paths[0], first), (&path, &header))?;
        }
        headers.push(header);
    }
    let of = |get: &dyn Fn(&Header) -> Option<f64>| headers.iter().map(get).collect::<Option<Vec<f64>>>();
    let row = Series::of_cells;
    let facts = FACTS
        .into_iter()
        .filter_map(|(name, unit, long_name, get)| Some(CellFact { name, unit, long_name, values: of(&get)? }));
    let concentrations: Vec<Series> = concentrations.into_iter().map(row).collect();
    let mut derived = not_read(&headers);
    let names = request.species.iter().map(|(name, _)| name);
    derived.extend(names.zip(&concentrations).filter_map(|(name, series)| below_zero(name, series)));
    let intervals = of(&|header| header.interval).filter(|all| all.iter().all(|one| *one == all[0]));
    let first_steps = headers.iter().map(|header| header.first_step_s().unwrap_or(0.0)).collect();
    let first = headers.first().cloned().unwrap_or_default();
    Ok(ChemistryInput {
        grid: ItemGrid::default(),
        cells,
        times: vec![],
        concentrations,
        mole_fractions: vec![false; species],
        at_times: vec![false; species],
        number_density: of(&|header| header.number_density).map(row),
        air_pressure: of(&|header| header.pressure.map(|hpa| 100.0 * hpa)).map(row),
        cosine_of_zenith_angle: of(&|header| header.cosine_of_zenith_angle),
        inputs: vec![],
        rate_constants: Some(Series::of_rows(request.reactions.len(), rate_constants)),
        first_steps: Some(row(first_steps)),
        derived,
        contradictions: vec![],
        unused: vec![],
        clamped: vec![],
        model: Some(ModelRun {
            interval_s: intervals.map(|all| all[0]),
            absolute_tolerance: tolerances.unwrap_or_default(),
            facts: facts.collect(),
            icntrl: first.icntrl,
            rcntrl: first.rcntrl,
            first_rates,
        }),
    })
}

/// Concentrations in the mechanism's order, and absolute tolerances, where there are any.
fn in_order(
    path: &Path,
    amounts: &Amounts,
    request: &ChemistryRequest<'_>,
    by_name: &HashMap<String, usize>,
) -> Result<(Vec<f64>, Vec<Option<f64>>), Error> {
    let species = request.species.len();
    let named = match amounts {
        Amounts::Numbered(values) if values.len() == species => return Ok((values.clone(), vec![])),
        Amounts::Numbered(values) => {
            let problem = format!("{} concentrations, but the mechanism has {species} species", values.len());
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        Amounts::Named(named) => named,
    };
    let mut all = vec![None; species];
    for (number, one) in named.iter().enumerate() {
        let place = || Place::line(path, one.line);
        // What is not transported may be its number in KPP's order, which is that of the lines.
        let by_number = || (one.name == format!("C{}", number + 1)).then_some(number).filter(|&i| i < species);
        let Some(index) = by_name.get(&one.name.to_lowercase()).copied().or_else(by_number) else {
            return Err(Error::invalid(place(), format!("the mechanism has no species {}", one.name)));
        };
        if all[index].replace(one).is_some() {
            return Err(Error::invalid(place(), format!("{} stands here again", request.species[index].0)));
        }
    }
    if let Some(missing) = all.iter().position(Option::is_none) {
        let (name, count) = (request.species[missing].0, all.iter().flatten().count());
        let problem = format!("{name} is missing: {count} of the mechanism's {species} species are there");
        return Err(Error::invalid(Place::File(path.to_owned()), problem));
    }
    let all = || all.iter().flatten();
    let mut tolerances: Vec<Option<f64>> = all().map(|one| one.absolute_tolerance).collect();
    if tolerances.iter().all(Option::is_none) {
        tolerances.clear();
    }
    Ok((all().map(|one| one.concentration).collect(), tolerances))
}

/// Refuses options that are not those of the first cell.
fn same_options((first_path, first): (&Path, &Header), (path, header): (&Path, &Header)) -> Result<(), Error> {
    let at = |numbers: &[f64], place: usize| numbers.get(place - 1).copied().unwrap_or(0.0);
    let whole = |header: &Header| header.icntrl.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
    let [one, other] = [first, header].map(whole);
    let of_icntrl = SHARED_ICNTRL.into_iter().map(|place| ("ICNTRL", place, at(&one, place), at(&other, place)));
    let of_rcntrl =
        SHARED_RCNTRL.into_iter().map(|place| ("RCNTRL", place, at(&first.rcntrl, place), at(&header.rcntrl, place)));
    match of_icntrl.chain(of_rcntrl).find(|(.., one, other)| one != other) {
        None => Ok(()),
        Some((name, place, one, other)) => {
            let first = first_path.display();
            let problem = format!("{name}({place}) is {other}, but {one} in {first}: the cells of a run share it");
            Err(Error::invalid(Place::File(path.to_owned()), problem))
        }
    }
}

/// What the files have and nothing needs, in words.
fn not_read(headers: &[Header]) -> Vec<String> {
    let mut labels = BTreeSet::new();
    headers.iter().for_each(|header| labels.extend(header.not_read.iter().map(String::as_str)));
    let mut words = Vec::new();
    if !labels.is_empty() {
        let labels: Vec<&str> = labels.into_iter().collect();
        words.push(format!("not used of the cells' files: {}", labels.join(", ")));
    }
    words
}
