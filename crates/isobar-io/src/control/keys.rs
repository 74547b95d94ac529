//! The keys that JURASSIC's tools know.

/// Keys with a field in [`super::Control`]; a trailing `[]` marks an array, `[?]` one for which a single value may
/// stand.
const FIELDS: &[&str] = &[
    "NG",
    "EMITTER[]",
    "ND",
    "NU[]",
    "NW",
    "WINDOW[]",
    "NCL",
    "CLNU[]",
    "NSF",
    "SFNU[]",
    "SFTYPE",
    "SFSZA",
    "TBLBASE",
    "TBLFMT",
    "TBLINTERP",
    "ATMFMT",
    "OBSFMT",
    "MATRIXFMT",
    "PROF_IN",
    "IP",
    "HYDZ",
    "CTM_CO2",
    "CTM_H2O",
    "CTM_N2",
    "CTM_O2",
    "REFRAC",
    "RAYDS",
    "RAYDZ",
    "FOV",
    "WRITE_BBT",
    "FORMOD",
];

/// Keys of the retrieval, marked as those above.
const RETRIEVAL: &[&str] = &[
    // Height ranges and switches.
    "RETP_ZMIN",
    "RETP_ZMAX",
    "RETT_ZMIN",
    "RETT_ZMAX",
    "RETQ_ZMIN[]",
    "RETQ_ZMAX[]",
    "RETK_ZMIN[]",
    "RETK_ZMAX[]",
    "RET_CLZ",
    "RET_CLDZ",
    "RET_CLK",
    "RET_SFZ",
    "RET_SFP",
    "RET_SFT",
    "RET_SFEPS",
    "KERNEL_RECOMP",
    "CONV_ITMAX",
    "CONV_DMIN",
    "SHARED_IO_PROFLIST",
    "SHARED_IO_ATM_APR_FILE",
    "SHARED_IO_OBS_MEAS_FILE",
    "SHARED_IO_ATM_FINAL_FILE",
    "SHARED_IO_OBS_FINAL_FILE",
    "SHARED_IO_MATRIX_COV_APR_FILE",
    "SHARED_IO_MATRIX_KERNEL_FILE",
    "SHARED_IO_MATRIX_COV_RET_FILE",
    "SHARED_IO_MATRIX_CORR_FILE",
    "SHARED_IO_MATRIX_GAIN_FILE",
    "SHARED_IO_MATRIX_AVK_FILE",
    "SHARED_IO_ATM_ERR_TOTAL_FILE",
    "SHARED_IO_ATM_ERR_NOISE_FILE",
    "SHARED_IO_ATM_ERR_FORMOD_FILE",
    "SHARED_IO_ATM_CONT_FILE",
    "SHARED_IO_ATM_RES_FILE",
    // Errors and correlation lengths.
    "ERR_ANA",
    "ERR_FORMOD[]",
    "ERR_NOISE[]",
    "ERR_PRESS",
    "ERR_PRESS_CZ",
    "ERR_PRESS_CH",
    "ERR_TEMP",
    "ERR_TEMP_CZ",
    "ERR_TEMP_CH",
    "ERR_Q[]",
    "ERR_Q_CZ[]",
    "ERR_Q_CH[]",
    "ERR_K[]",
    "ERR_K_CZ[]",
    "ERR_K_CH[]",
    "ERR_CLZ",
    "ERR_CLDZ",
    "ERR_CLK[?]",
    "ERR_SFZ",
    "ERR_SFP",
    "ERR_SFT",
    "ERR_SFEPS[?]",
    "WRITE_MATRIX",
];

/// Keys of other tools and of the GPU version, with or without an index.
const OTHERS: &[&str] = &[
    // External line-by-line model.
    "RFMBIN",
    "RFMHIT",
    "RFMXSC",
    // GPU version.
    "USEGPU",
    "READ_BINARY",
    "WRITE_BINARY",
    "CHECKMODE",
    "CZ",
    "CX",
    // Generators of atmospheres and observations, task of the forward tool.
    "OBSZ",
    "Z0",
    "Z1",
    "DZ",
    "T0",
    "T1",
    "DT",
    "LAT0",
    "LAT1",
    "DLAT",
    "CLZ",
    "CLDZ",
    "CLK",
    "SFZ",
    "SFP",
    "SFT",
    "SFEPS",
    "TASK",
];

/// The longest name that may be a misspelt key \[bytes\].
const LONGEST: usize = 64;

/// A key in upper case, its index as numbers are written: `nu[01]` and `NU[+1]` are `NU[1]`.
pub(super) fn canonical(key: &str) -> String {
    let key = key.to_ascii_uppercase();
    let index = |index: &str| index.parse::<usize>().ok();
    match key.strip_suffix(']').and_then(|key| key.split_once('[')).map(|(name, word)| (name, index(word))) {
        Some((name, Some(index))) => format!("{name}[{index}]"),
        _ => key,
    }
}

/// A key without its index, in upper case, and whether it had one.
fn split(key: &str) -> (String, bool) {
    let key = key.to_ascii_uppercase();
    match key.strip_suffix(']').and_then(|key| key.split_once('[')) {
        Some((name, index)) if index == "*" || index.parse::<usize>().is_ok() => (name.to_owned(), true),
        _ => (key, false),
    }
}

/// The name of a marked key.
fn name_of(marked: &'static str) -> &'static str {
    marked.split_once('[').map_or(marked, |(name, _)| name)
}

fn find(keys: &'static [&'static str], name: &str) -> Option<&'static str> {
    keys.iter().find(|marked| name_of(marked) == name).copied()
}

/// Whether the key sets a field of [`super::Control`].
pub(super) fn has_field(key: &str) -> bool {
    find(FIELDS, &split(key).0).is_some()
}

/// What is wrong with a key, if anything is.
pub(super) fn complaint(key: &str) -> Option<String> {
    let (name, indexed) = split(key);
    match find(FIELDS, &name).or_else(|| find(RETRIEVAL, &name)) {
        Some(marked) if marked.ends_with("[?]") || marked.ends_with("[]") == indexed => None,
        Some(_) if indexed => Some(format!("{key} takes no index and is ignored; write {name}")),
        Some(_) => Some(format!("{key} needs an index and is ignored; write {name}[0] or {name}[*]")),
        None if OTHERS.contains(&name.as_str()) || name.starts_with("RFM") => None,
        None => {
            // A line that is no key at all would take long to compare with all keys.
            if name.len() > LONGEST {
                let begin: String = key.chars().take(LONGEST).collect();
                return Some(format!("unknown key {begin}... is ignored"));
            }
            let known = FIELDS.iter().chain(RETRIEVAL).map(|marked| name_of(marked)).chain(OTHERS.iter().copied());
            let nearest = known.min_by_key(|known| strsim::damerau_levenshtein(known, &name)).unwrap_or_default();
            Some(format!("unknown key {key} is ignored; the nearest known key is {nearest}"))
        }
    }
}
