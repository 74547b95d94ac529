//! What of a case lies beyond what was tabulated or is too coarse: said in words, or refused where numbers mean
//! nothing.

use isobar_raytrace::Atmosphere;
use isobar_raytrace::constants::EARTH_RADIUS_KM;

use crate::channel_data::{first_sources, spectrum};
use crate::constants::SOURCE_TEMPERATURES_K;
use crate::continuum_data::{N2_PER_CM, NitrogenContinuum};
use crate::physics::channel::{between, source_node};
use crate::setup::{ForwardError, ForwardSetup, GroundKind};

/// What a spectrum that goes on in a line may leave its range by: roundings.
const ROUNDING: f64 = 1e-9;

/// Steps in height over the depth of a cloud, up to which the sum over steps is its optical depth to 3e-4: that of a
/// Gaussian of deviation `d` in steps `h` is off by `2 exp(-2 (pi d / h)^2)`.
const COARSEST_STEP: f64 = 1.5;

/// Values at wavenumbers.
struct Spectrum<'a> {
    name: &'static str,
    key: &'static str,
    nodes_per_cm: &'a [f64],
    values: &'a [f64],
    range: &'static str,
    most: f64,
}

impl Spectrum<'_> {
    fn ends(&self) -> (f64, f64) {
        let ends = (self.nodes_per_cm[0], self.nodes_per_cm[self.nodes_per_cm.len() - 1]);
        (ends.0.min(ends.1), ends.0.max(ends.1))
    }

    fn reaches(&self, wavenumber_per_cm: f64) -> bool {
        let (first, last) = self.ends();
        (first..=last).contains(&wavenumber_per_cm)
    }
}

/// What negative numbers of cloud and surface mean, but for JURASSIC's -999.
fn negatives(atmosphere: &Atmosphere) -> Vec<String> {
    let odd = |value: f64| value < 0.0 && value != -999.0;
    let depth_km = atmosphere.cloud.as_ref().map(|cloud| cloud.depth_km).filter(|&depth| odd(depth));
    let pressure_hpa =
        atmosphere.surface.as_ref().map(|surface| surface.pressure_hpa).filter(|&pressure| odd(pressure));
    let depth = depth_km.map(|depth_km| format!("the cloud's depth is {depth_km} km, not above 0: there is no cloud"));
    let pressure = pressure_hpa.map(|pressure_hpa| {
        format!("the pressure of the surface is {pressure_hpa} hPa, not above 0: its height alone counts")
    });
    depth.into_iter().chain(pressure).collect()
}

impl ForwardSetup {
    /// The spectra of an atmosphere that count.
    fn spectra<'a>(&'a self, atmosphere: &'a Atmosphere) -> impl Iterator<Item = Spectrum<'a>> {
        let surface = atmosphere.surface.as_ref().filter(|_| self.ground != GroundKind::None);
        let surface = surface.map(|surface| Spectrum {
            name: "emissivity of the surface",
            key: "SFNU",
            nodes_per_cm: &self.surface_wavenumbers_per_cm,
            values: &surface.emissivity,
            range: "[0, 1]",
            most: 1.0,
        });
        let cloud = atmosphere.cloud.as_ref().filter(|cloud| cloud.depth_km > 0.0);
        let cloud = cloud.map(|cloud| Spectrum {
            name: "extinction of the cloud [1/km]",
            key: "CLNU",
            nodes_per_cm: &self.cloud_wavenumbers_per_cm,
            values: &cloud.extinction_per_km,
            range: "[0, inf)",
            most: f64::INFINITY,
        });
        surface.into_iter().chain(cloud).filter(|spectrum| spectrum.values.len() > 1)
    }

    /// Refuses spectra of cloud and surface that leave their range on the line beyond their nodes.
    pub(crate) fn check_spectra(&self, atmosphere: &Atmosphere) -> Result<(), ForwardError> {
        for of in self.spectra(atmosphere) {
            for (channel, &nu) in self.wavenumbers_per_cm.iter().enumerate().filter(|(_, nu)| !of.reaches(**nu)) {
                let Some(value) = spectrum(of.nodes_per_cm, of.values, nu) else { continue };
                if !(-ROUNDING..=of.most + ROUNDING).contains(&value) {
                    let (first, last) = of.ends();
                    return Err(ForwardError::Beyond {
                        channel,
                        wavenumber_per_cm: nu,
                        what: format!("{} = {value}", of.name),
                        range: of.range,
                        nodes: format!("{first} to {last} cm^-1 ({})", of.key),
                    });
                }
            }
        }
        Ok(())
    }

    /// The temperatures of an atmosphere that emit.
    fn temperatures_k(&self, atmosphere: &Atmosphere) -> Vec<f64> {
        let surface = atmosphere.surface.as_ref().filter(|_| self.ground != GroundKind::None);
        let surface = surface.map(|surface| surface.temperature_k).filter(|&surface| surface > 0.0);
        atmosphere.temperature_k.iter().copied().chain(surface).collect()
    }

    /// Refuses temperatures so low that the source function of a channel, which goes on in a line below its table, is
    /// negative.
    pub(crate) fn check_sources(&self, atmosphere: &Atmosphere) -> Result<(), ForwardError> {
        let coldest_k = self.temperatures_k(atmosphere).into_iter().fold(f64::INFINITY, f64::min);
        if coldest_k >= SOURCE_TEMPERATURES_K.0 {
            return Ok(());
        }
        for (channel, (filter, &nu)) in self.filters.iter().zip(&self.wavenumbers_per_cm).enumerate() {
            let [low, high] = first_sources(filter);
            if between(low, high, source_node(coldest_k).1) < 0.0 {
                let (first, last) = SOURCE_TEMPERATURES_K;
                return Err(ForwardError::Beyond {
                    channel,
                    wavenumber_per_cm: nu,
                    what: format!("source function at {coldest_k} K"),
                    range: "[0, inf)",
                    nodes: format!("{first} to {last} K"),
                });
            }
        }
        Ok(())
    }

    /// The temperatures of levels and surface that lie outside the table of source functions, in words.
    #[must_use]
    pub fn outside_sources(&self, atmosphere: &Atmosphere) -> Option<String> {
        let (first, last) = SOURCE_TEMPERATURES_K;
        let all = self.temperatures_k(atmosphere);
        let outside: Vec<f64> = all.iter().copied().filter(|t| !(first..=last).contains(t)).collect();
        let (low, high) = outside.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &t| (low.min(t), high.max(t)));
        (!outside.is_empty()).then(|| {
            format!(
                "{} of {} temperatures of levels and surface, from {low} to {high} K, lie outside the table of source \
                 functions, {first} to {last} K",
                outside.len(),
                all.len()
            )
        })
    }

    /// How many brightness temperatures, `ray * channels + channel`, are none, in words, of rays that `is_computed`: a
    /// field of view that goes on in a line beyond the rays may make a radiance negative.
    #[must_use]
    pub fn without_temperature(&self, values: &[f64], is_computed: impl Fn(usize) -> bool) -> Option<String> {
        let channels = self.wavenumbers_per_cm.len();
        let is_none = |i: &usize| values[*i].is_nan() && is_computed(i / channels);
        let mut none = (0..values.len()).filter(is_none);
        let first = none.next().filter(|_| self.brightness_temperature && self.field_of_view.is_some())?;
        let (count, ray, channel) = (1 + none.count(), first / channels, first % channels);
        Some(format!(
            "{count} of {} brightness temperatures are NaN, the first in channel {channel} ({} cm^-1) of ray {ray}: \
             the field of view makes the radiance negative there",
            values.len(),
            self.wavenumbers_per_cm[channel]
        ))
    }

    /// What a user should know of a case before it is computed, a line each: channels beyond the nodes of spectra, a
    /// continuum that is weaker than measured, steps that are too long for the cloud, negative numbers that stand for
    /// none, a level other than the one whose pressure was to stay.
    #[must_use]
    pub fn remarks(&self, atmosphere: &Atmosphere) -> Vec<String> {
        let (channels, mut remarks) = (self.wavenumbers_per_cm.len(), Vec::new());
        for of in self.spectra(atmosphere) {
            let mut beyond = self.wavenumbers_per_cm.iter().filter(|nu| !of.reaches(**nu));
            if let Some(nu) = beyond.next() {
                let (first, last) = of.ends();
                remarks.push(format!(
                    "{} of {channels} channels, the first at {nu} cm^-1, lie outside the nodes of the {}, {first} to \
                     {last} cm^-1 ({}); extrapolated",
                    1 + beyond.count(),
                    of.name,
                    of.key
                ));
            }
        }
        remarks.extend(self.outside_filters());
        remarks.extend(self.weak_nitrogen());
        remarks.extend(self.thin_cloud(atmosphere));
        remarks.extend(negatives(atmosphere));
        remarks
            .extend(self.hydrostatic_reference_km.and_then(|reference_km| atmosphere.reference_remark(reference_km)));
        remarks
    }

    /// Channels that their filters do not contain, as where a filter is by wavelength.
    fn outside_filters(&self) -> Option<String> {
        let mut outside = self.wavenumbers_per_cm.iter().zip(&self.filters).filter_map(|(&nu, filter)| {
            let of = &filter.wavenumber_per_cm;
            let (first, last) = (*of.first()?, *of.last()?);
            (!(first..=last).contains(&nu)).then_some((nu, first, last))
        });
        let (nu, first, last) = outside.next()?;
        Some(format!(
            "{} of {} channels, the first at {nu} cm^-1, lie outside their filters, {first} to {last} cm^-1: black \
             bodies are averaged over the filters",
            1 + outside.count(),
            self.wavenumbers_per_cm.len()
        ))
    }

    fn weak_nitrogen(&self) -> Option<String> {
        let (first, last) = N2_PER_CM;
        let mut within = self.wavenumbers_per_cm.iter().filter(|nu| (first..=last).contains(*nu));
        let nu = within.next().filter(|_| self.continua.n2 == NitrogenContinuum::Jurassic)?;
        Some(format!(
            "the continuum of N2 counts with a millionth of its measured strength, as in JURASSIC, in {} of {} \
             channels, the first at {nu} cm^-1; CTM_N2 = 2 takes it as measured",
            1 + within.count(),
            self.wavenumbers_per_cm.len()
        ))
    }

    fn thin_cloud(&self, atmosphere: &Atmosphere) -> Option<String> {
        let cloud = atmosphere.cloud.as_ref().filter(|cloud| cloud.depth_km > 0.0)?;
        if cloud.extinction_per_km.iter().all(|&extinction| extinction == 0.0) {
            return None;
        }
        let (length, height) = (self.path.step_length_km, self.path.step_height_km);
        // What a step rises: more than its share along the direction where that is level, for the Earth is round.
        let rise = if height > 0.0 { length.min(height + 0.5 * length * length / EARTH_RADIUS_KM) } else { length };
        (rise > COARSEST_STEP * cloud.depth_km).then(|| {
            format!(
                "steps that rise by up to {rise:.3} km (RAYDZ, RAYDS) are too long for a cloud of depth {} km, whose \
                 optical depth they miss or count too often; {:.4} km is short enough",
                cloud.depth_km,
                COARSEST_STEP * cloud.depth_km
            )
        })
    }
}
