//! Bidirectional reflectance of surfaces.

use core::f64::consts::{FRAC_1_PI, FRAC_PI_2, FRAC_PI_4};

use isobar_core::Real;

/// Parameters of a reflectance, at most.
pub const PARAMETERS: usize = 4;

/// Which reflectance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Rahman, Pinty and Verstraete's.
    Rpv,
    /// Hapke's.
    Hapke,
    /// Ross's and Li's kernels.
    RossLi,
    /// Cox and Munk's waves.
    CoxMunk,
}

/// A reflectance `rho`: of the irradiance `E` of a beam on the surface it sends up the radiance `rho E / pi`.
#[derive(Clone, Copy, Debug)]
pub struct Reflectance<R> {
    /// Which one.
    pub kind: Kind,
    /// Its parameters.
    pub parameters: [R; PARAMETERS],
}

/// Two directions, `up` of the light that leaves and `down` of that which comes, and the azimuth between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<R> {
    pub(super) up: R,
    pub(super) down: R,
    /// Cosine of the azimuth; 1 is forward.
    azimuth: R,
    sine_up: R,
    sine_down: R,
    /// Cosine of the angle between the light and where it came from.
    pub(super) phase: R,
    /// 1 less that, without a difference of near numbers.
    pub(super) one_less_phase: R,
}

impl<R: Real> Pair<R> {
    /// Of light with the cosines `up` and `down`; `half` is the square of the cosine of half their azimuth.
    #[inline(always)]
    pub(super) fn new(up: R, down: R, half: R) -> Self {
        let sine = |cosine: R| ((R::ONE - cosine) * (R::ONE + cosine)).sqrt();
        let (sine_up, sine_down) = (sine(up), sine(down));
        let azimuth = half + half - R::ONE;
        let (cosines, sines) = (up - down, sine_up - sine_down);
        let apart = cosines * cosines + sines * sines;
        let one_less_phase = R::from_f64(0.5) * apart + (sine_up * sine_down) * (half + half);
        let phase = up * down - sine_up * sine_down * azimuth;
        Self { up, down, azimuth, sine_up, sine_down, phase, one_less_phase }
    }

    /// `G` of Rahman, Pinty and Verstraete: the distance of the tangents of both zenith angles.
    #[inline(always)]
    pub(super) fn distance(&self) -> R {
        let (t, u) = (self.sine_up / self.up, self.sine_down / self.down);
        (t * t + u * u + (t + t) * u * self.azimuth).at_least(R::ZERO).sqrt()
    }

    /// Ross's thick and Li's sparse reciprocal kernel (Lucht, Schaaf and Strahler 2000, doi:10.1109/36.841980, Eq. 37
    /// to 44), crowns of `h/b = 2` and `b/r = 1`.
    #[inline(always)]
    pub(super) fn ross_li(&self) -> [R; 2] {
        let number = R::from_f64;
        let angle = self.one_less_phase.sqrt().atan2((R::ONE + self.phase).sqrt());
        let angle = angle + angle;
        let ross = ((number(FRAC_PI_2) - angle) * self.phase + angle.sin()) / (self.up + self.down) - number(FRAC_PI_4);
        let (secant, other) = (R::ONE / self.up, R::ONE / self.down);
        let (t, u) = (self.sine_up * secant, self.sine_down * other);
        let sine = (R::ONE - self.azimuth) * (R::ONE + self.azimuth);
        let distance = t * t + u * u + (t + t) * u * self.azimuth + t * t * u * u * sine;
        let cosine = number(2.0) * distance.at_least(R::ZERO).sqrt() / (secant + other);
        let cosine = cosine.at_most(R::ONE);
        let overlap = cosine.acos();
        let shadow = number(FRAC_1_PI) * (overlap - overlap.sin() * cosine) * (secant + other);
        let li = shadow - secant - other + number(0.5) * (R::ONE + self.phase) * secant * other;
        [ross, li]
    }
}

impl<R: Real> Reflectance<R> {
    /// Of light with the cosines `up` and `down`; `half` is the square of the cosine of half their azimuth.
    #[inline(always)]
    pub fn at(&self, up: R, down: R, half: R) -> R {
        let pair = Pair::new(up, down, half);
        match self.kind {
            Kind::Rpv => self.rpv(&pair),
            Kind::Hapke => self.hapke(&pair),
            Kind::RossLi => self.ross_li(&pair),
            Kind::CoxMunk => self.cox_munk(&pair),
        }
    }

    /// `rho_0`, `k`, `Theta` and `rho_c` (Rahman, Pinty and Verstraete 1993, doi:10.1029/93JD02072, Eq. 1 to 7).
    #[inline(always)]
    fn rpv(&self, pair: &Pair<R>) -> R {
        let [rho, k, theta, hot] = self.parameters;
        let square = theta * theta;
        let denominator = R::ONE + square + (theta + theta) * pair.phase;
        let forward = (R::ONE - square) / (denominator * denominator.sqrt());
        let spot = R::ONE + (R::ONE - hot) / (R::ONE + pair.distance());
        rho * (pair.up * pair.down * (pair.up + pair.down)).powf(k - R::ONE) * forward * spot
    }

    /// `B_0`, `h` and the albedo `w` of grains, as DISORT has it (Hapke 1993, Theory of Reflectance and Emittance
    /// Spectroscopy, Eq. 8.89).
    #[inline(always)]
    fn hapke(&self, pair: &Pair<R>) -> R {
        let [strength, width, albedo, _] = self.parameters;
        let half = R::from_f64(0.5);
        let phase = half.mul_add(pair.phase, R::ONE);
        let tangent = (pair.one_less_phase / (R::ONE + pair.phase)).sqrt();
        let opposition = strength * width / (width + tangent);
        let gamma = (R::ONE - albedo).sqrt();
        let h = |cosine: R| (R::ONE + cosine + cosine) / (R::ONE + (cosine + cosine) * gamma);
        let scattered = (R::ONE + opposition) * phase + h(pair.up) * h(pair.down) - R::ONE;
        R::from_f64(0.25) * albedo / (pair.up + pair.down) * scattered
    }

    /// `f_iso`, `f_vol` and `f_geo` of MODIS, of which two are factors of [`Pair::ross_li`].
    #[inline(always)]
    fn ross_li(&self, pair: &Pair<R>) -> R {
        let [isotropic, volume, geometry, _] = self.parameters;
        let [ross, li] = pair.ross_li();
        isotropic + volume * ross + geometry * li
    }

    /// Wind speed at 12.5 m in m/s and the water's refractive index (Cox and Munk 1954, doi:10.1364/JOSA.44.000838:
    /// slopes of variance `0.003 + 0.00512 U`; no foam, no light from below, no shadows).
    #[inline(always)]
    fn cox_munk(&self, pair: &Pair<R>) -> R {
        let [wind, index, ..] = self.parameters;
        let variance = R::from_f64(0.00512).mul_add(wind, R::from_f64(0.003));
        // Half the angle between the two directions is that of incidence on the facet.
        let incidence = (R::from_f64(0.5) * (R::ONE + pair.phase)).sqrt();
        let facet = (pair.up + pair.down) / (incidence + incidence);
        let square = facet * facet;
        let slope = ((R::ONE - square) / square).at_least(R::ZERO);
        let density = (-slope / variance).exp() / variance;
        let through = (index * index - (R::ONE - incidence) * (R::ONE + incidence)).sqrt();
        let amplitude = |x: R, y: R| (x - y) / (x + y);
        let (s, p) = (amplitude(incidence, through), amplitude(index * index * incidence, through));
        let fresnel = R::from_f64(0.5) * (s * s + p * p);
        R::from_f64(0.25) * fresnel * density / (pair.up * pair.down * square * square)
    }
}
