//! Photolysis rates for chemistry.

use isobar_core::fields::{AnyField, AnyFieldMut, Extents, InputSet, LAYER, OutputSet, REACTION};
use isobar_core::{Field, FieldMut};
use isobar_launch::{Buffer, Job, Scheme, Shape};
use isobar_photolysis::{BIN, ColumnViews, DeviceTables, Options, Photolysis as Rates, RateViews, Tables, Workspace};

use super::Ozone;
use super::quantity::{
    CLOUD_FRACTION, COSINE_OF_ZENITH, ICE_PATH, ICE_SIZE, INTERFACE_PRESSURE, LIQUID_PATH, LIQUID_RADIUS, OZONE,
    TEMPERATURE, THICKNESS, TRACERS,
};
use crate::constants::DAY_S;
use crate::light::{FromPhotolysis, ToPhotolysis};
use crate::sun::nearness;
use crate::{Built, Error, Fields, Precision, Quantity, State, Step};

/// Where chemistry gets the rates of photolysis from.
#[derive(Clone, Debug)]
pub struct PhotolysisOptions<'a> {
    /// Wavelengths, absorbers, reactions.
    pub tables: &'a Tables,
    /// The albedo of the ground, of all wavelengths.
    pub albedo: f64,
    /// Day of the year at time 0, from 1.0 at the start of January.
    pub day_of_year: f64,
    /// Where ozone comes from.
    pub ozone: Ozone,
    /// For an input of the rate program, by its number, the reaction of the tables whose rate it is.
    pub rates: Vec<[u32; 2]>,
}

/// The rates of [`isobar_photolysis`] on columns with a layer above the model's top: see [`crate::light`].
pub(super) struct Light<R: Precision> {
    scheme: Rates<R>,
    tables: DeviceTables<R>,
    workspace: Workspace<R>,
    options: Options,
    extents: Extents,
    /// Height, temperature, air, ozone, clouds, albedo and nearness, one after the other.
    columns: Buffer<R>,
    rates: Buffer<R>,
    statuses: Buffer<u32>,
    pairs: Buffer<[u32; 2]>,
    albedo: f64,
    day_of_year: f64,
    ozone: Ozone,
    cloudy: bool,
}

/// Rows of what a column has: levels of heights, layers of three, and of clouds if there are any, two numbers.
fn rows(layers: usize, cloudy: bool) -> [usize; 7] {
    [layers + 1, layers, layers, layers, if cloudy { layers } else { 0 }, 1, 1]
}

impl<R: Precision> Light<R> {
    pub(super) fn new(state: &State<R>, options: &PhotolysisOptions<'_>) -> Result<Self, Error> {
        let refuse = |problem: String| Error::Stage { stage: "chemistry".into(), problem };
        if let Some(pair) = options.rates.iter().find(|pair| pair[1] as usize >= options.tables.reactions().len()) {
            return Err(refuse(format!("photolysis has no reaction {}", pair[1])));
        }
        if !(0.0..=1.0).contains(&options.albedo) {
            return Err(refuse(format!("the albedo for photolysis is {}, not from 0 to 1", options.albedo)));
        }
        let scheme = Rates::new(options.tables).map_err(|error| refuse(error.to_string()))?;
        let (layers, count, queue) = (state.layers() + 1, state.columns(), state.queue());
        Rates::<R>::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let (bins, reactions) = (options.tables.edges_nm().len() - 1, options.tables.reactions().len());
        let extents = Extents::new(count).with(LAYER, layers).with(BIN, bins).with(REACTION, reactions);
        let cloudy = state.position(CLOUD_FRACTION.name).is_some();
        let columns = queue.zeros(rows(layers, cloudy).iter().sum::<usize>() * count)?;
        let own = Options::default();
        let shape = Shape::new(&scheme, &ColumnViews::empty(), &extents, &own);
        let tables = scheme.tables(queue)?;
        let workspace = scheme.workspace(queue, &tables, &shape, count)?;
        let pairs = queue.upload(&options.rates)?;
        let (rates, statuses) = (queue.zeros((reactions + bins) * layers * count)?, queue.zeros(count)?);
        let (albedo, day_of_year, ozone) = (options.albedo, options.day_of_year, options.ozone);
        let options = own;
        Ok(Self {
            scheme,
            tables,
            workspace,
            options,
            extents,
            columns,
            rates,
            statuses,
            pairs,
            albedo,
            day_of_year,
            ozone,
            cloudy,
        })
    }

    /// What is read besides what chemistry reads.
    pub(super) fn reads(&self) -> Vec<Quantity> {
        let ozone = if self.ozone == Ozone::Field { OZONE } else { TRACERS };
        let clouds = [CLOUD_FRACTION, LIQUID_PATH, ICE_PATH, LIQUID_RADIUS, ICE_SIZE];
        let air = [INTERFACE_PRESSURE, THICKNESS, COSINE_OF_ZENITH, TEMPERATURE, ozone];
        [&air[..], if self.cloudy { &clouds } else { &[] }].concat()
    }

    /// Computes the rates, and puts them among the inputs.
    pub(super) fn put(
        &mut self,
        fields: &mut Fields<'_, R>,
        step: &Step,
        tracers: Field<'_, R>,
        inputs: FieldMut<'_, f64>,
    ) -> Result<(), Error> {
        let (count, layers) = (self.extents.items(), self.extents.size(LAYER));
        let ozone_mol_per_mol = match self.ozone {
            Ozone::Field => fields.read(OZONE)?,
            Ozone::Tracer(number) => tracers.range(number * count..(number + 1) * count),
        };
        let day = self.day_of_year + step.middle_s() / DAY_S;
        let real = <R as isobar_core::Real>::from_f64;
        let cloudy = self.cloudy;
        let mut cloud = |quantity| if cloudy { fields.read(quantity) } else { Ok(Field::empty()) };
        let [fraction, liquid_path, ice_path] = [cloud(CLOUD_FRACTION)?, cloud(LIQUID_PATH)?, cloud(ICE_PATH)?];
        let [liquid_radius, ice_size] = [cloud(LIQUID_RADIUS)?, cloud(ICE_SIZE)?];
        let mut parts = self.columns.parts_mut(&rows(layers, cloudy), count);
        let mut part = || parts.next().expect("seven parts");
        let [height, temperature, air, ozone, cloud, albedo, nearness_of_day] =
            [part(), part(), part(), part(), part(), part(), part()];
        let kernel = ToPhotolysis {
            albedo: real(self.albedo),
            nearness: real(nearness(day)),
            interface_pressure_pa: fields.read(INTERFACE_PRESSURE)?,
            temperature_k: fields.read(TEMPERATURE)?,
            thickness_m: fields.read(THICKNESS)?,
            ozone_mol_per_mol,
            cloud_fraction: fraction,
            liquid_path_g_per_m2: liquid_path,
            ice_path_g_per_m2: ice_path,
            liquid_radius_um: liquid_radius,
            ice_size_um: ice_size,
            all_height_km: height,
            all_temperature_k: temperature,
            all_air_per_cm2: air,
            all_ozone_per_cm2: ozone,
            all_cloud_optical_depth: cloud,
            all_albedo: albedo,
            all_nearness: nearness_of_day,
        };
        fields.launch_built(&Built::ToPhotolysis(kernel))?;
        let cosine = fields.read(COSINE_OF_ZENITH)?;
        let columns = ColumnViews::build(&mut |declared| {
            let made = match declared.name {
                "cosine_of_zenith" => return AnyField::Real(cosine),
                "cloud_optical_depth" if !cloudy => return AnyField::Real(Field::empty()),
                "height_km" => height,
                "temperature_k" => temperature,
                "air_per_cm2" => air,
                "ozone_per_cm2" => ozone,
                "cloud_optical_depth" => cloud,
                "albedo" => albedo,
                "nearness" => nearness_of_day,
                name => unreachable!("photolysis has no input {name}"),
            };
            // SAFETY: the kernel before wrote it, and nobody writes it before the next step.
            AnyField::Real(unsafe { made.read() })
        });
        let sizes = [self.extents.size(REACTION) * layers, self.extents.size(BIN) * layers];
        let mut parts = self.rates.parts_mut(&sizes, count);
        let mut part = || parts.next().expect("two parts");
        let (rates, flux) = (part(), part());
        let status = self.statuses.item_fastest_mut(1, count);
        let outputs = RateViews::build(&mut |declared| match declared.name {
            "rate_per_s" => AnyFieldMut::Real(rates),
            "actinic_flux_per_cm2_s" => AnyFieldMut::Real(flux),
            _ => AnyFieldMut::Word(status),
        });
        let (tables, workspace, options, extents) = (&self.tables, &mut self.workspace, &self.options, self.extents);
        let queue = fields.queue();
        self.scheme.enqueue(Job { queue, tables, workspace, options, extents, inputs: columns, outputs })?;
        // SAFETY: nobody writes the rates before the next step.
        let rate_per_s = unsafe { rates.read() };
        let kernel = FromPhotolysis { rate_per_s, pairs: self.pairs.column(), layers: layers - 1, inputs };
        fields.launch_built(&Built::FromPhotolysis(kernel))
    }
}
