//! Derivatives of bidirectional reflectances by their parameters.

use isobar_core::Real;

use crate::physics::azimuth::surface::{Kind, PARAMETERS, Pair, Reflectance};

impl<R: Real> Reflectance<R> {
    /// Derivatives of [`Reflectance::at`] by the parameters.
    #[inline(always)]
    pub fn slopes(&self, up: R, down: R, half: R) -> [R; PARAMETERS] {
        let pair = Pair::new(up, down, half);
        match self.kind {
            Kind::Rpv => self.rpv_slopes(&pair),
            Kind::Hapke => self.hapke_slopes(&pair),
            Kind::RossLi => {
                let [ross, li] = pair.ross_li();
                [R::ONE, ross, li, R::ZERO]
            }
            Kind::CoxMunk => self.cox_munk_slopes(&pair),
        }
    }

    /// `rho_0 A^(k - 1) F(Theta) (1 + (1 - rho_c)/(1 + G))`.
    #[inline(always)]
    fn rpv_slopes(&self, pair: &Pair<R>) -> [R; PARAMETERS] {
        let [rho, k, theta, hot] = self.parameters;
        let square = theta * theta;
        let denominator = R::ONE + square + (theta + theta) * pair.phase;
        let whole = denominator * denominator.sqrt();
        let forward = (R::ONE - square) / whole;
        let slope =
            -(R::from_f64(3.0) * (R::ONE - square) * (theta + pair.phase) / denominator + theta + theta) / whole;
        let closeness = R::ONE / (R::ONE + pair.distance());
        let spot = R::ONE + (R::ONE - hot) * closeness;
        let base = pair.up * pair.down * (pair.up + pair.down);
        let bowl = base.powf(k - R::ONE);
        [
            bowl * forward * spot,
            rho * bowl * base.ln() * forward * spot,
            rho * bowl * slope * spot,
            -(rho * bowl * forward * closeness),
        ]
    }

    /// `w/(4 (mu + mu_0)) ((1 + B) P + H H_0 - 1)`, `B = B_0 h/(h + t)`, `H = (1 + 2 mu)/(1 + 2 mu gamma)`.
    #[inline(always)]
    fn hapke_slopes(&self, pair: &Pair<R>) -> [R; PARAMETERS] {
        let [strength, width, albedo, _] = self.parameters;
        let half = R::from_f64(0.5);
        let phase = half.mul_add(pair.phase, R::ONE);
        let tangent = (pair.one_less_phase / (R::ONE + pair.phase)).sqrt();
        let share = width / (width + tangent);
        let by_width = strength * tangent / ((width + tangent) * (width + tangent));
        let gamma = (R::ONE - albedo).sqrt();
        let h = |cosine: R| (R::ONE + cosine + cosine) / (R::ONE + (cosine + cosine) * gamma);
        // -H'/H by gamma.
        let less = |cosine: R| (cosine + cosine) / (R::ONE + (cosine + cosine) * gamma);
        let both = h(pair.up) * h(pair.down);
        let scattered = (R::ONE + strength * share) * phase + both - R::ONE;
        let by_gamma = -both * (less(pair.up) + less(pair.down));
        let factor = R::from_f64(0.25) / (pair.up + pair.down);
        let by_albedo = factor * (scattered - albedo * by_gamma * half / gamma);
        [factor * albedo * share * phase, factor * albedo * by_width * phase, by_albedo, R::ZERO]
    }

    /// A Gauss function of slopes, whose variance is linear in the wind, times Fresnel's reflectance.
    #[inline(always)]
    fn cox_munk_slopes(&self, pair: &Pair<R>) -> [R; PARAMETERS] {
        let [wind, index, ..] = self.parameters;
        let per_wind = R::from_f64(0.00512);
        let variance = per_wind.mul_add(wind, R::from_f64(0.003));
        let incidence = (R::from_f64(0.5) * (R::ONE + pair.phase)).sqrt();
        let facet = (pair.up + pair.down) / (incidence + incidence);
        let square = facet * facet;
        let slope = ((R::ONE - square) / square).at_least(R::ZERO);
        let density = (-slope / variance).exp() / variance;
        let by_variance = density * (slope / variance - R::ONE) / variance;
        let through = (index * index - (R::ONE - incidence) * (R::ONE + incidence)).sqrt();
        let by_index = index / through;
        let amplitude = |x: R, y: R| (x - y) / (x + y);
        let optical = index * index * incidence;
        let (s, p) = (amplitude(incidence, through), amplitude(optical, through));
        // (x - y)/(x + y) has the derivative 2 (y dx - x dy)/(x + y)^2.
        let change = |x: R, y: R, dx: R, dy: R| {
            let change = (y * dx - x * dy) / ((x + y) * (x + y));
            change + change
        };
        let s_slope = change(incidence, through, R::ZERO, by_index);
        let p_slope = change(optical, through, (index + index) * incidence, by_index);
        let fresnel = R::from_f64(0.5) * (s * s + p * p);
        let factor = R::from_f64(0.25) / (pair.up * pair.down * square * square);
        [factor * fresnel * by_variance * per_wind, factor * density * (s * s_slope + p * p_slope), R::ZERO, R::ZERO]
    }
}
