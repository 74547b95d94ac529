//! `rrtmg_lw` of AER, and its generator of sub-columns.

use std::collections::BTreeMap;
use std::path::Path;

use isobar_radiation::analytic;
use serde_json::json;

use crate::fortran::{Bytes, Program, Source};
use crate::library::{self, Values, assert_same};

/// Gases in the order in which the driver reads them.
const GASES: [&str; 10] = ["h2o", "o3", "co2", "ch4", "n2o", "o2", "cfc11", "cfc12", "cfc22", "ccl4"];
/// Results in the order in which it writes them.
const RESULTS: [&str; 8] = [
    "longwave_up_w_per_m2",
    "longwave_down_w_per_m2",
    "longwave_heating_k_per_day",
    "longwave_up_clear_w_per_m2",
    "longwave_down_clear_w_per_m2",
    "longwave_heating_clear_k_per_day",
    "longwave_up_derivative_w_per_m2_k",
    "longwave_up_clear_derivative_w_per_m2_k",
];
const BANDS: usize = 16;
pub(crate) const POINTS: usize = 140;

/// The driver, or one with another text.
pub(crate) fn driver(text: Option<&str>) -> Option<Program> {
    let of = |name| Source::File(name);
    Program::new(&[
        of("fortran/rrtmg_lw/parkind.f90"),
        of("fortran/rrtmg_lw/parrrtm.f90"),
        of("fortran/rrtmg_lw/rrtmg_lw_init.f90"),
        of("fortran/rrtmg_lw/rrtmg_lw_rad.f90"),
        of("fortran/rrtmg_lw/mcica_subcol_gen_lw.f90"),
        text.map_or(of("tests/fortran/rrtmg_lw.f90"), Source::Text),
    ])
}

/// A case as the driver reads it; what is not there is not read.
#[derive(Default)]
pub(crate) struct Case {
    pub(crate) columns: usize,
    pub(crate) layers: usize,
    /// `inflglw`, `iceflglw`, `liqflglw`.
    pub(crate) flags: [i32; 3],
    /// Pressures in hPa and temperatures of layers, levels, surfaces; gases; emissivities.
    pub(crate) air: Vec<Vec<f64>>,
    /// `[band][layer][column]`.
    pub(crate) aerosol: Vec<f64>,
    /// Which g-points see the cloud, optical depth, paths: `[layer][column][point]`; sizes.
    pub(crate) clouds: Vec<Vec<f64>>,
}

impl Case {
    pub(crate) fn write(&self, bytes: &mut Bytes) {
        let [columns, layers] = [self.columns, self.layers].map(|size| size as i32);
        let icld = if self.clouds.is_empty() { 0 } else { 2 };
        bytes.integers(&[columns, layers, icld, 1]).integers(&self.flags);
        bytes.integers(&[i32::from(!self.aerosol.is_empty()), 1]);
        for field in self.air.iter().chain([&self.aerosol]).chain(&self.clouds) {
            bytes.numbers(field);
        }
    }

    /// The numbers of each result, taken from what was written.
    fn take<'a>(&self, written: &mut &'a [f64]) -> BTreeMap<&'static str, &'a [f64]> {
        let take = |name: &'static str| {
            let rows = if name.starts_with("longwave_heating") { self.layers } else { self.layers + 1 };
            let (field, rest) = written.split_at(rows * self.columns);
            *written = rest;
            (name, field)
        };
        RESULTS.into_iter().map(take).collect()
    }
}

/// Columns of many kinds with sub-columns that are cloudy here and there.
pub(crate) fn made_up(columns: usize, layers: usize, cloudy: bool) -> (Case, Vec<(&'static str, Values)>) {
    let made = analytic::columns::<f64>(columns, layers, false);
    // As the module: hPa back to Pa, rounded once each.
    let hpa = |values: &[f64]| -> Vec<f64> { values.iter().map(|pa| pa / 100.0).collect() };
    let (play, plev) = (hpa(&made.pressure_pa), hpa(&made.level_pressure_pa));
    let gases = [
        &made.h2o,
        &made.o3,
        &made.co2,
        &made.ch4,
        &made.n2o,
        &made.o2,
        &made.cfc11,
        &made.cfc12,
        &made.cfc22,
        &made.ccl4,
    ];
    let all = |values: &[f64]| match values {
        [] => vec![0.0; layers * columns],
        [one] => vec![*one; layers * columns],
        all => all.to_vec(),
    };
    let gases = gases.map(|values| all(values));
    let emissivity = match &made.emissivity[..] {
        [one] => vec![*one; BANDS * columns],
        each => each.to_vec(),
    };
    let pa = |values: &[f64]| Values::Real(values.iter().map(|hpa| 100.0 * hpa).collect());
    let mut inputs = vec![
        ("pressure_pa", pa(&play)),
        ("level_pressure_pa", pa(&plev)),
        ("temperature_k", Values::Real(made.temperature_k.clone())),
        ("level_temperature_k", Values::Real(made.level_temperature_k.clone())),
        ("surface_temperature_k", Values::Real(made.surface_temperature_k.clone())),
        ("emissivity", Values::Real(emissivity.clone())),
    ];
    inputs.extend(GASES.iter().zip(&gases).map(|(name, values)| (*name, Values::Real(values.clone()))));
    let mut air = vec![play, plev, made.temperature_k, made.level_temperature_k, made.surface_temperature_k];
    air.extend(gases);
    air.push(emissivity);
    let mut case = Case { columns, layers, flags: [2, 3, 1], air, ..Case::default() };
    if cloudy {
        add_clouds(&mut case, &mut inputs);
    }
    (case, inputs)
}

/// Clouds in a third of the layers, in each of which sub-columns that no rule has are cloudy.
fn add_clouds(case: &mut Case, inputs: &mut Vec<(&'static str, Values)>) {
    let cells = case.layers * case.columns;
    let is_cloudy = |cell: usize, point: usize| cell.is_multiple_of(3) && (cell * 31 + point * point * 7) % 5 < 2;
    let [ice, liquid] = [25.0, 40.0].map(|path| (0..cells).map(|cell| path + cell as f64 / 10.0).collect::<Vec<_>>());
    let words = POINTS.div_ceil(32);
    let mut mask = vec![0_u32; words * cells];
    for layer in 0..case.layers {
        for column in 0..case.columns {
            let cell = layer * case.columns + column;
            for point in (0..POINTS).filter(|&point| is_cloudy(cell, point)) {
                mask[(layer * words + point / 32) * case.columns + column] |= 1 << (point % 32);
            }
        }
    }
    let of_points = |values: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let points = (0..cells).flat_map(|cell| (0..POINTS).map(move |point| (cell, point)));
        points.map(|(cell, point)| if is_cloudy(cell, point) { values(cell) } else { 0.0 }).collect()
    };
    let cloud: Vec<f64> = (0..cells).map(|cell| f64::from((0..POINTS).any(|point| is_cloudy(cell, point)))).collect();
    let sizes = [vec![60.0; cells], vec![12.0; cells]];
    case.clouds = vec![
        of_points(&|_| 1.0),
        of_points(&|_| 0.0),
        of_points(&|cell| ice[cell]),
        of_points(&|cell| liquid[cell]),
        sizes[0].clone(),
        sizes[1].clone(),
    ];
    let paths = [ice, liquid].map(|values| values.iter().zip(&cloud).map(|(path, cloud)| path * cloud).collect());
    let [ice, liquid] = paths;
    let [ice_size, radius] = sizes;
    inputs.extend([
        ("cloud_fraction", Values::Real(cloud)),
        ("cloud_mask", Values::Word(mask)),
        ("ice_path_g_per_m2", Values::Real(ice)),
        ("liquid_path_g_per_m2", Values::Real(liquid)),
        ("ice_size_um", Values::Real(ice_size)),
        ("liquid_radius_um", Values::Real(radius)),
    ]);
}

#[test]
fn rrtmg_lw_has_the_bits_of_the_library() {
    let Some(program) = driver(None) else { return };
    for (cloudy, transmittance) in [(false, "exact"), (true, "exact"), (true, "table")] {
        let (columns, layers) = (37, 23);
        let (case, inputs) = made_up(columns, layers, cloudy);
        let mut bytes = Bytes::default();
        case.write(&mut bytes);
        let environment = [("ISOBAR_RRTMG_LW_DATA", "analytic"), ("ISOBAR_RRTMG_LW_TRANSMITTANCE", transmittance)];
        let written = program.run(&bytes.0, &environment).unwrap();
        let results = case.take(&mut &written[..]);
        let scheme = library::scheme("radiation", "f64", &json!({ "k_distributions": ["analytic"] }));
        let sizes =
            [("layer", layers), ("level", layers + 1), ("longwave_band", BANDS), ("g_point", POINTS), ("mask_word", 5)];
        let options = json!({
            "transmittance": transmittance,
            "derivative": true,
            "clear_sky": true,
            "heat_capacity_j_per_kg_k": 1004.0,
        });
        let expected = library::run(&*scheme, columns, &sizes, inputs, &options);
        for (name, got) in results {
            assert_same(got, &expected[name], name);
        }
    }
}

/// Fluxes \[W/m^2\] and heating rates \[K/day\]: the bounds of `isobar-radiation`, where they are derived.
const FLUX: f64 = 1e-9;
const HEATING: f64 = 1e-8;

#[test]
fn rrtmg_lw_has_the_reference_s_numbers() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let Some(program) = driver(None) else { return };
    let file = dir.join("coeff/RRTMG_LW_DATA_DBL");
    let mut checked = 0;
    for set in ["clear", "aerosol", "cloudy"] {
        let dir = dir.join(set);
        let (_, counts) = isobar_golden::npy_integers(&dir.join("nlay.npy"));
        let (mut layers_before, mut bytes, mut cases) = (0, Bytes::default(), Vec::new());
        for (column, &layers) in counts.iter().enumerate() {
            let layers = layers as usize;
            let reader = Reader { dir: &dir, layers: (layers_before, layers), column };
            layers_before += layers;
            // The interface has no carbon monoxide.
            if reader.layered("in_vmr_co").iter().all(|&co| co == 0.0) {
                let case = reader.case();
                case.write(&mut bytes);
                cases.push((reader, case));
            }
        }
        let environment =
            [("ISOBAR_RRTMG_LW_DATA", file.to_str().unwrap()), ("ISOBAR_RRTMG_LW_TRANSMITTANCE", "table")];
        let written = program.run(&bytes.0, &environment).unwrap();
        let mut written = &written[..];
        for (reader, case) in cases {
            let results = case.take(&mut written);
            let names =
                ["flux_up", "flux_dn", "hr", "flux_up_clr", "flux_dn_clr", "hr_clr", "dfup_dts", "dfup_clr_dts"];
            for (name, result) in names.into_iter().zip(RESULTS) {
                let is_heating = name.starts_with("hr");
                let file = format!("out_{name}");
                let expected = if is_heating { reader.layered(&file) } else { reader.levelled(&file) };
                let bound = if is_heating { HEATING } else { FLUX };
                for (level, (got, expected)) in results[result].iter().zip(&expected).enumerate() {
                    let error = (got - expected).abs();
                    assert!(error <= bound, "{set} column {} {name} level {level}: {error:e}", reader.column);
                }
            }
            checked += 1;
        }
        assert!(written.is_empty(), "{set}");
    }
    assert!(checked >= 9, "{checked} columns");
}

/// Reads a column of a set of columns of different heights.
struct Reader<'a> {
    dir: &'a Path,
    /// The layers of all columns before, and its own.
    layers: (usize, usize),
    column: usize,
}

impl Reader<'_> {
    fn rows(&self, name: &str, first: usize, count: usize) -> Vec<f64> {
        let path = self.dir.join(format!("{name}.npy"));
        let (shape, values) = isobar_golden::npy(&path);
        let width = shape.get(1).copied().unwrap_or(1);
        values[first * width..(first + count) * width].to_vec()
    }

    fn layered(&self, name: &str) -> Vec<f64> {
        self.rows(name, self.layers.0, self.layers.1)
    }

    fn levelled(&self, name: &str) -> Vec<f64> {
        self.rows(name, self.layers.0 + self.column, self.layers.1 + 1)
    }

    fn is_there(&self, name: &str) -> bool {
        self.dir.join(format!("{name}.npy")).exists()
    }

    fn case(&self) -> Case {
        let mut air = vec![self.layered("in_play"), self.levelled("in_plev"), self.layered("in_tlay")];
        air.extend([self.levelled("in_tlev"), self.rows("in_tsfc", self.column, 1)]);
        air.extend(GASES.map(|gas| self.layered(&format!("in_vmr_{gas}"))));
        air.push(self.rows("in_emis", self.column, 1));
        let mut case = Case { columns: 1, layers: self.layers.1, flags: [2, 3, 1], air, ..Case::default() };
        if self.is_there("in_tauaer") {
            let by_layer = self.layered("in_tauaer");
            let bands = 0..BANDS;
            case.aerosol = bands.flat_map(|band| by_layer[band..].iter().step_by(BANDS).copied()).collect();
        }
        if self.is_there("in_cldfmc") {
            let (_, flags) = isobar_golden::npy_integers(&self.dir.join("in_flags.npy"));
            case.flags = flags[3 * self.column..3 * self.column + 3].try_into().unwrap();
            // A byte each.
            let bytes = std::fs::read(self.dir.join("in_cldfmc.npy")).unwrap();
            let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            let from = header + self.layers.0 * POINTS;
            let mask = bytes[from..from + self.layers.1 * POINTS].iter().map(|&byte| f64::from(byte)).collect();
            case.clouds = vec![mask];
            let fields = ["in_taucmc", "in_ciwpmc", "in_clwpmc", "in_reice", "in_reliq"];
            case.clouds.extend(fields.map(|name| self.layered(name)));
        }
        case
    }
}

const GENERATOR: &str = "program sub_columns
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use parkind, only: rb => kind_rb
  use mcica_subcol_gen_lw, only: mcica_subcol_lw
  implicit none
  integer(int32) :: header(4), irng
  integer :: in, out, status
  character(512) :: path
  call get_command_argument(1, path)
  open (newunit=in, file=path, access='stream', status='old')
  call get_command_argument(2, path)
  open (newunit=out, file=path, access='stream', status='replace')
  do
    read (in, iostat=status) header
    if (status /= 0) exit
    irng = header(3)
    call generate(header(1))
  end do
contains
  subroutine generate(n)
    integer(int32), intent(in) :: n
    real(rb) :: play(1, n), cloud(1, n), path(1, n), alpha(1, n), tau(16, 1, n), mask(140, 1, n), a(140, 1, n)
    real(rb) :: b(140, 1, n), c(140, 1, n), d(1, n), e(1, n)
    read (in) play, cloud, alpha
    path = 3
    tau = 0
    if (header(2) <= 3) then
      call mcica_subcol_lw(1, 1, n, header(2), header(4), irng, play, cloud, path, path, path, path, tau, mask, a, b, &
        d, e, c)
    else
      call mcica_subcol_lw(1, 1, n, header(2), header(4), irng, play, cloud, path, path, path, path, tau, alpha, mask, &
        a, b, d, e, c)
    end if
    if (any(abs(a - 3 * mask) > 0) .or. any(abs(b - a) > 0) .or. any(abs(c) > 0)) error stop 'not all of the cloud'
    write (out) mask
  end subroutine generate
end program sub_columns
";

/// Both generators, all overlaps.
#[test]
fn sub_columns_are_the_reference_s() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let dir = dir.join("mcica");
    let of = |name| Source::File(name);
    let sources =
        [of("fortran/rrtmg_lw/parkind.f90"), of("fortran/rrtmg_lw/mcica_subcol_gen_lw.f90"), Source::Text(GENERATOR)];
    let Some(program) = Program::new(&sources) else { return };
    let meta = isobar_golden::json(&dir.join("meta.json"));
    let cases = meta["cases"].as_array().unwrap();
    let number = |case: &isobar_golden::Value, name: &str| case[name].as_u64().unwrap() as usize;
    let (_, counts) = isobar_golden::npy_integers(&dir.join("nlay.npy"));
    let [pressure, cloud, alpha] =
        ["in_play", "in_cldfrac", "out_alpha"].map(|name| isobar_golden::npy(&dir.join(format!("{name}.npy"))).1);
    let mut bytes = Bytes::default();
    for case in cases {
        let (layers, column) = (number(case, "rows"), number(case, "column"));
        let first: usize = counts[..column].iter().map(|&layers| layers as usize).sum();
        let header = ["icld", "irng", "permute_seed"].map(|name| number(case, name) as i32);
        let row = number(case, "row_offset");
        bytes.integers(&[layers as i32]).integers(&header);
        bytes.numbers(&pressure[first..first + layers]).numbers(&cloud[first..first + layers]);
        bytes.numbers(&alpha[row..row + layers]);
    }
    let written = program.run(&bytes.0, &[]).unwrap();
    let file = std::fs::read(dir.join("out_mask_bits.npy")).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    let mut written = &written[..];
    for case in cases {
        for row in number(case, "row_offset")..number(case, "row_offset") + number(case, "rows") {
            let (mask, rest) = written.split_at(POINTS);
            written = rest;
            let bits = &file[header + 18 * row..][..18];
            for (point, &got) in mask.iter().enumerate() {
                let expected = bits[point / 8] >> (7 - point % 8) & 1;
                assert_eq!(got, f64::from(expected), "{case}, row {row}, point {point}");
            }
        }
    }
    assert!(written.is_empty() && cases.len() == 80);
}
