//! NetCDF files changed with their structure known: units, dimensions, orders, types, fill values, scale and offset.

use std::path::Path;

use netcdf_reader::{NcFile, NcType};
use netcdf_writer::{DimensionId, NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions, NcWriteType, Result};

/// Numbers that lie at an end of something.
const NUMBERS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.01,
    1e-3,
    100.0,
    273.15,
    -273.15,
    1e30,
    -1e308,
    5e-324,
    f64::NAN,
    f64::INFINITY,
    9.969_209_968_386_869e36,
    -32_767.0,
];

const UNITS: [&str; 24] = [
    "K",
    "degC",
    "degF",
    "Pa",
    "hPa",
    "mbar",
    "km",
    "m",
    "1",
    "",
    "%",
    "kg kg-1",
    "g/kg",
    "g m-2",
    "mol mol-1",
    "ppmv",
    "molecule cm-3",
    "s",
    "hours since 2000-01-01",
    "m s-1",
    "cm-1",
    "W m-2 sr-1 cm",
    "m**2/s**2",
    "no unit",
];

const NAMES: [&str; 24] = [
    "layer",
    "level",
    "profile",
    "column",
    "cell",
    "angle",
    "time",
    "band",
    "Time",
    "bottom_top",
    "bottom_top_stag",
    "south_north",
    "west_east",
    "t",
    "T",
    "temperature",
    "p",
    "P",
    "PB",
    "SUN",
    "weight",
    "single_scattering_albedo",
    "asymmetry",
    "cloud_fraction",
];

const FORMATS: [NcWriteFormat; 5] = [
    NcWriteFormat::Nc4,
    NcWriteFormat::Classic,
    NcWriteFormat::Offset64,
    NcWriteFormat::Cdf5,
    NcWriteFormat::Nc4Classic,
];

/// How numbers are stored.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    F64,
    F32,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

const KINDS: [Kind; 10] =
    [Kind::F64, Kind::F32, Kind::I8, Kind::U8, Kind::I16, Kind::U16, Kind::I32, Kind::U32, Kind::I64, Kind::U64];

#[derive(Clone)]
struct Variable {
    name: String,
    /// Numbers of its dimensions, slowest first.
    dimensions: Vec<usize>,
    kind: Kind,
    attributes: Vec<(String, NcAttrValue)>,
    values: Vec<f64>,
    deflate: Option<u8>,
    shuffle: bool,
    fletcher: bool,
    chunk: Option<u8>,
}

/// The content of a file.
#[derive(Clone)]
pub struct Content {
    dimensions: Vec<(String, u64)>,
    attributes: Vec<(String, NcAttrValue)>,
    variables: Vec<Variable>,
    format: NcWriteFormat,
    unlimited: Option<usize>,
}

/// Bytes that decide; zeros where they end.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn byte(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.byte() % all.len()]
    }

    /// A number below another, which is none for 0.
    fn below(&mut self, end: usize) -> Option<usize> {
        let number = self.byte() << 8 | self.byte();
        number.checked_rem(end)
    }
}

impl Content {
    /// Reads the numbers of a file.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        let file = NcFile::open(path).expect("a NetCDF file");
        let dimensions: Vec<_> =
            file.dimensions().expect("dimensions").iter().map(|d| (d.name.clone(), d.size)).collect();
        let attributes = |all: &[netcdf_reader::NcAttribute]| -> Vec<(String, NcAttrValue)> {
            all.iter().map(|attribute| (attribute.name.clone(), attribute.value.clone())).collect()
        };
        let variables = file.variables().expect("variables").iter().map(|variable| Variable {
            name: variable.name().to_owned(),
            dimensions: variable
                .dimensions()
                .iter()
                .map(|d| dimensions.iter().position(|(name, _)| *name == d.name).expect("its dimension"))
                .collect(),
            kind: match variable.dtype() {
                NcType::Double => Kind::F64,
                NcType::Float => Kind::F32,
                _ => Kind::I32,
            },
            attributes: attributes(variable.attributes()),
            values: file.read_variable_as_f64(variable.name()).expect("numbers").into_iter().collect(),
            deflate: None,
            shuffle: false,
            fletcher: false,
            chunk: None,
        });
        Self {
            variables: variables.collect(),
            attributes: attributes(file.global_attributes().expect("attributes")),
            dimensions,
            format: NcWriteFormat::Nc4,
            unlimited: None,
        }
    }

    /// A file without variables.
    #[must_use]
    pub(crate) fn new(dimensions: &[(&str, u64)]) -> Self {
        Self {
            dimensions: dimensions.iter().map(|&(name, size)| (name.to_owned(), size)).collect(),
            attributes: Vec::new(),
            variables: Vec::new(),
            format: NcWriteFormat::Nc4,
            unlimited: None,
        }
    }

    /// Adds a variable; its values are repeated for all indices.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, dimensions: &[&str], unit: &str, values: &[f64]) -> Self {
        let number = |wanted: &&str| self.dimensions.iter().position(|(name, _)| name == wanted).expect("a dimension");
        let dimensions: Vec<usize> = dimensions.iter().map(number).collect();
        let count = dimensions.iter().map(|&number| self.dimensions[number].1 as usize).product();
        self.variables.push(Variable {
            name: name.to_owned(),
            dimensions,
            kind: Kind::F64,
            attributes: vec![("units".to_owned(), NcAttrValue::Chars(unit.to_owned()))],
            values: values.iter().copied().cycle().take(count).collect(),
            deflate: None,
            shuffle: false,
            fletcher: false,
            chunk: None,
        });
        self
    }

    /// Changes it as a script says. Says whether it still means the same.
    pub fn change(&mut self, script: &[u8]) -> bool {
        let mut script = Script(script);
        let mut same = true;
        self.format = script.of(&FORMATS);
        while !script.0.is_empty() {
            let what = script.byte();
            let Some(which) = script.below(self.variables.len()) else { return same };
            same &=
                if what < 128 { self.store(what, which, &mut script) } else { self.alter(what, which, &mut script) };
        }
        same
    }

    /// Stores a variable in another way.
    fn store(&mut self, what: usize, which: usize, script: &mut Script) -> bool {
        let sizes: Vec<u64> = self.dimensions.iter().map(|(_, size)| *size).collect();
        let variable = &mut self.variables[which];
        match what % 6 {
            0 => variable.transpose(&sizes),
            1 => variable.deflate = Some((script.byte() % 10) as u8),
            2 => variable.shuffle = true,
            3 => variable.fletcher = true,
            4 => variable.chunk = Some(script.byte() as u8),
            _ => self.attributes.push((format!("note{}", self.attributes.len()), NcAttrValue::Chars("a note".into()))),
        }
        true
    }

    /// Alters what a variable is.
    fn alter(&mut self, what: usize, which: usize, script: &mut Script) -> bool {
        let count = self.dimensions.len();
        let variable = &mut self.variables[which];
        match what % 16 {
            0 => variable.name = script.of(&NAMES).to_owned(),
            1 => drop(self.variables.remove(which)),
            2 => variable.set("units", NcAttrValue::Chars(script.of(&UNITS).to_owned())),
            3 => variable.attributes.retain(|(name, _)| name != "units"),
            4 => variable.kind = script.of(&KINDS),
            5 => variable.pack(script),
            6 => {
                let name =
                    script.of(&["scale_factor", "add_offset", "missing_value", "_FillValue", "valid_min", "valid_max"]);
                variable.set(name, NcAttrValue::Doubles(vec![script.of(&NUMBERS)]));
            }
            7 => {
                let name = script.of(&["scale_factor", "add_offset", "_FillValue", "valid_range", "units"]);
                let odd = [
                    NcAttrValue::Chars("many".into()),
                    NcAttrValue::Doubles(vec![1.0, 2.0, 3.0]),
                    NcAttrValue::Bytes(vec![-1]),
                    NcAttrValue::Shorts(vec![]),
                    NcAttrValue::Chars(String::new()),
                ];
                variable.set(name, odd[script.byte() % odd.len()].clone());
            }
            8 => {
                let value = script.of(&NUMBERS);
                if let Some(place) = script.below(variable.values.len()) {
                    variable.values[place] = value;
                }
            }
            9 => {
                let factor = script.of(&NUMBERS);
                variable.values.iter_mut().for_each(|value| *value *= factor);
            }
            10 => variable.values.reverse(),
            11 => {
                if let (Some(place), Some(dimension)) = (script.below(variable.dimensions.len()), script.below(count)) {
                    variable.dimensions[place] = dimension;
                }
            }
            12 => {
                if let Some(dimension) = script.below(count) {
                    self.dimensions[dimension].0 = script.of(&NAMES).to_owned();
                }
            }
            13 => {
                if let Some(dimension) = script.below(count) {
                    self.dimensions[dimension].1 = script.of(&[1, 2, 3, 5, 17, 200]);
                }
            }
            14 => self.unlimited = script.below(count),
            _ => {
                let dimension = script.below(count).unwrap_or_default();
                match script.byte() % 3 {
                    0 => variable.dimensions.insert(0, dimension),
                    1 => variable.dimensions.push(dimension),
                    _ => drop(variable.dimensions.pop()),
                }
            }
        }
        false
    }

    /// The file's bytes; none where the format does not have such a file.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        self.build().ok()
    }

    fn build(&self) -> Result<Vec<u8>> {
        let mut builder = NcFileBuilder::new();
        let mut ids = Vec::new();
        for (number, (name, size)) in self.dimensions.iter().enumerate() {
            ids.push(if self.unlimited == Some(number) {
                builder.add_unlimited_dimension(name.as_str())?
            } else {
                builder.add_dimension(name.as_str(), *size)?
            });
        }
        for (name, value) in &self.attributes {
            builder.add_attribute(name.as_str(), value.clone())?;
        }
        for variable in &self.variables {
            let dimensions: Vec<DimensionId> = variable.dimensions.iter().map(|&number| ids[number]).collect();
            let shape: Vec<u64> = variable.dimensions.iter().map(|&number| self.dimensions[number].1).collect();
            match variable.kind {
                Kind::F64 => variable.put(&mut builder, &dimensions, &shape, |value| value),
                Kind::F32 => variable.put(&mut builder, &dimensions, &shape, |value| value as f32),
                Kind::I8 => variable.put(&mut builder, &dimensions, &shape, |value| value as i8),
                Kind::U8 => variable.put(&mut builder, &dimensions, &shape, |value| value as u8),
                Kind::I16 => variable.put(&mut builder, &dimensions, &shape, |value| value as i16),
                Kind::U16 => variable.put(&mut builder, &dimensions, &shape, |value| value as u16),
                Kind::I32 => variable.put(&mut builder, &dimensions, &shape, |value| value as i32),
                Kind::U32 => variable.put(&mut builder, &dimensions, &shape, |value| value as u32),
                Kind::I64 => variable.put(&mut builder, &dimensions, &shape, |value| value as i64),
                Kind::U64 => variable.put(&mut builder, &dimensions, &shape, |value| value as u64),
            }?;
        }
        Ok(builder.to_vec(NcWriteOptions { format: self.format })?.1)
    }
}

impl Variable {
    fn set(&mut self, name: &str, value: NcAttrValue) {
        self.attributes.retain(|(known, _)| known != name);
        self.attributes.push((name.to_owned(), value));
    }

    /// The fastest dimension becomes the slowest.
    fn transpose(&mut self, sizes: &[u64]) {
        let Some(fastest) = self.dimensions.pop() else { return };
        self.dimensions.insert(0, fastest);
        let size = sizes[fastest] as usize;
        self.values = (0..size).flat_map(|first| self.values.iter().skip(first).step_by(size).copied()).collect();
    }

    /// Numbers of a small type with scale and offset, as models pack their files; some may be missing.
    fn pack(&mut self, script: &mut Script) {
        self.kind = script.of(&KINDS);
        let (low, high) = self.values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        let (scale, offset) = (((high - low) / 200.0).max(1e-300), low.midpoint(high));
        self.values.iter_mut().for_each(|value| *value = ((*value - offset) / scale).round());
        let number = |value: f64| NcAttrValue::Doubles(vec![value]);
        self.set("scale_factor", number(scale));
        self.set("add_offset", number(offset));
        if script.byte() % 2 == 1 {
            let missing = script.below(self.values.len()).map_or(0.0, |place| self.values[place]);
            self.set("_FillValue", number(missing));
        }
    }

    /// Adds it to a file, with as many values as its dimensions have.
    fn put<T: NcWriteType>(
        &self,
        builder: &mut NcFileBuilder,
        dimensions: &[DimensionId],
        shape: &[u64],
        to: impl Fn(f64) -> T,
    ) -> Result<()> {
        let id = builder.add_variable::<T>(self.name.as_str(), dimensions)?;
        for (name, value) in &self.attributes {
            builder.add_variable_attribute(id, name.as_str(), value.clone())?;
        }
        if let Some(chunk) = self.chunk {
            let chunks: Vec<u64> = shape.iter().map(|&size| (u64::from(chunk) % size.max(1)) + 1).collect();
            builder.set_variable_chunking(id, chunks)?;
        }
        if self.deflate.is_some() || self.shuffle {
            builder.set_variable_deflate(id, self.deflate, self.shuffle)?;
        }
        if self.fletcher {
            builder.set_variable_fletcher32(id, true)?;
        }
        let count = shape.iter().product::<u64>().min(1 << 16) as usize;
        let values: Vec<T> = self.values.iter().cycle().take(count).map(|&value| to(value)).collect();
        builder.write_variable(id, &values)
    }
}
