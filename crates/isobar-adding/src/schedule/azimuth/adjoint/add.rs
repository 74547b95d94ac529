//! The adjoint of adding layers: a lane has a component of a profile.

use core::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, PI};

use isobar_core::{Field, FieldMut, Real, Row, out_of_line};

use crate::fields::azimuth::{CotangentViews, GradientViews};
use crate::physics::azimuth::square::{Square, row_times, whole_inverse, whole_product};
use crate::schedule::azimuth::add::{AddLayers, Ground};
use crate::schedule::azimuth::batch::{Places, read, read_back, write};
use crate::schedule::azimuth::surface::SurfacePlaces;

/// A component of a profile: an item.
///
/// Light `D` down and `U` up at the levels `k` is the solution of
///
/// ```text
/// U_k = R D_k + T U_(k+1) + s_up,   D_(k+1) = T D_k + R U_(k+1) + s_down,   U_n = G D_n + g,
/// ```
///
/// with the matrices of layer `k` and of the ground. Let `u` and `d` be derivatives by `U` and `D` as they are seen
/// (radiances, fluxes), and `a` and `b` those through these equations, too. They are light of the transposed equations,
///
/// ```text
/// a_0 = u_0,   a_(k+1) = u_(k+1) + T^T a_k + R^T b_(k+1),   b_k = d_k + R^T a_k + T^T b_(k+1),   b_n = d_n + G^T a_n,
/// ```
///
/// and with them `R_bar = a_k D_k^T + b_(k+1) U_(k+1)^T`, `T_bar = a_k U_(k+1)^T + b_(k+1) D_k^T`, and the sources'
/// are `a_k` and `b_(k+1)`. What is below has the reflection `P` there, too, but transposed: `b_k = P^T a_k + q_k`.
/// With
/// `M = (1 - P R)^-1 P` of what is below layer `k`, from the ground up
///
/// ```text
/// q_k = d_k + T^T (q_(k+1) + M^T (u_(k+1) + R^T q_(k+1))) ,
/// ```
///
/// and then downward, of `w = u_(k+1) + T^T a_k + R^T q_(k+1)`,
///
/// ```text
/// b_(k+1) = q_(k+1) + M^T w,   a_(k+1) = w + R^T M^T w .
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AddAdjoint<'a, R, const N: usize> {
    /// What was added, with the light that came of it. Its passages are replaced by `M`.
    pub forward: AddLayers<'a, R, N>,
    /// Derivatives by fluxes.
    pub cotangents: CotangentViews<'a, R>,
    /// Derivatives by the radiances upward as they are seen, as [`super::sum::SumAdjoint`] leaves them; then with what
    /// comes of each in the next layers.
    pub up: FieldMut<'a, R>,
    /// Downward.
    pub down: FieldMut<'a, R>,
    /// `b` and `a` at each level, at the rows of light.
    pub light: FieldMut<'a, R>,
    /// Derivatives by the beams, at `(m * levels + level) * suns + sun`.
    pub beams: FieldMut<'a, R>,
    /// Derivatives by the scaled depth of each layer in what passes directly to views, at `m * layers + layer`.
    pub direct: FieldMut<'a, R>,
    /// Derivatives by the surface's reflectances, at their rows.
    pub surface: FieldMut<'a, R>,
    /// Those of a Lambertian surface, of what a surface emits and of light from above.
    pub gradients: GradientViews<'a, R>,
}

/// Derivatives by what belongs to the whole profile.
struct Whole<R> {
    albedo: R,
    surface_planck: R,
    cosmic: R,
}

/// What [`AddAdjoint::downward`] takes: itself, a component, a profile, a sun, what is below, and sums.
type Down<'a, T, R, const N: usize> = (&'a T, usize, usize, usize, (&'a Square<R, N>, &'a mut Whole<R>));

impl<R: Real, const N: usize> AddAdjoint<'_, R, N> {
    pub(crate) fn items(&self) -> usize {
        self.forward.batch.profiles() * self.forward.batch.components as usize
    }

    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        self.component(index / self.forward.batch.profiles(), index % self.forward.batch.profiles());
    }

    #[inline(always)]
    fn component(&self, m: usize, profile: usize) {
        let batch = &self.forward.batch;
        let mut whole = Whole { albedo: R::ZERO, surface_planck: R::ZERO, cosmic: R::ZERO };
        self.start(m, profile);
        for view in 0..batch.views as usize {
            for sun in 0..batch.suns() {
                out_of_line(Self::seen, (self, m, profile, [view, sun], &mut whole));
            }
        }
        let below = out_of_line(Self::upward, (self, m, profile));
        for sun in 0..batch.suns() {
            out_of_line(Self::downward, (self, m, profile, sun, (&below, &mut whole)));
            self.ground(m, profile, sun, &mut whole);
        }
        if m == 0 {
            self.gradients.surface_planck_radiance.set(0, profile, whole.surface_planck);
            self.gradients.cosmic_background.set(0, profile, whole.cosmic);
            if self.forward.surface.items() == 0 {
                self.gradients.surface_parameters.set(0, profile, whole.albedo);
            }
        }
    }

    #[inline(always)]
    fn beam_row(&self, m: usize, level: usize, sun: usize) -> usize {
        (m * (self.forward.batch.layers() + 1) + level) * self.forward.batch.suns() + sun
    }

    #[inline(always)]
    fn add_beam(&self, m: usize, level: usize, sun: usize, profile: usize, more: R) {
        add(&self.beams, self.beam_row(m, level, sun), profile, more);
    }

    #[inline(always)]
    fn bar(&self, m: usize, level: usize, sun: usize, way: usize, profile: usize) -> Row<R, N> {
        read_back(&self.light, self.forward.light_row(m, level, sun, way), profile, self.forward.batch.n())
    }

    #[inline(always)]
    fn put_bar(&self, m: usize, level: usize, sun: usize, way: usize, profile: usize, values: &Row<R, N>) {
        write(&self.light, self.forward.light_row(m, level, sun, way), profile, self.forward.batch.n(), values);
    }

    #[inline(always)]
    fn add_bar(&self, m: usize, level: usize, sun: usize, way: usize, profile: usize, factor: R, values: &Row<R, N>) {
        let mut bar = self.bar(m, level, sun, way, profile);
        bar.add_scaled(factor, values);
        self.put_bar(m, level, sun, way, profile, &bar);
    }

    /// Zeros, and derivatives by diffuse fluxes.
    #[inline(always)]
    fn start(&self, m: usize, profile: usize) {
        let batch = &self.forward.batch;
        let (n, given) = (batch.n(), &self.cotangents);
        let mut mean = Row::ZERO;
        for j in 0..n {
            mean[j] = batch.nodes.mean.at(j);
        }
        let hemisphere = R::from_f64(2.0 * PI);
        let of_flux = R::from_f64(2.0 * PI * FRAC_1_SQRT_2);
        let at = |field: &Field<'_, R>, row: usize| {
            if m > 0 || field.is_empty() { R::ZERO } else { field.at(row, profile) }
        };
        for level in 0..=batch.layers() {
            for sun in 0..batch.suns() {
                let row = level * batch.suns() + sun;
                self.beams.set(self.beam_row(m, level, sun), profile, R::ZERO);
                let (mut up, mut down) = (Row::ZERO, Row::ZERO);
                let actinic = hemisphere * at(&given.actinic_flux, row);
                up.add_scaled(actinic, &mean);
                down.add_scaled(actinic, &mean);
                up[0] += of_flux * at(&given.upward_flux, row);
                down[0] += of_flux * at(&given.downward_flux, row);
                self.put_bar(m, level, sun, 0, profile, &down);
                self.put_bar(m, level, sun, 1, profile, &up);
            }
            if level < batch.layers() {
                self.direct.set(m * batch.layers() + level, profile, R::ZERO);
            }
        }
        for row in 0..SurfacePlaces::rows(n, batch.views as usize, batch.suns(), 1) {
            if self.forward.surface.items() != 0 {
                self.surface.set(SurfacePlaces::new(batch, m).of_row(0) + row, profile, R::ZERO);
            }
        }
    }

    /// From the radiances of a view to the light that its layers and the ground scatter into it.
    #[inline(always)]
    fn seen((this, m, profile, [view, sun], whole): (&Self, usize, usize, [usize; 2], &mut Whole<R>)) {
        let batch = &this.forward.batch;
        let (n, layers, views) = (batch.n(), batch.layers(), batch.views as usize);
        let row = |level: usize| this.beam_row(m, level, sun) * views + view;
        let at = |row: usize| this.forward.operators.at(row, profile);
        let places = |layer: usize| Places::new(batch, m, layer);
        let alone = |layer: usize| places(layer).of_view_alone(view);
        let rows = |row: usize| -> Row<R, N> { read(&this.forward.operators, row, profile, n) };
        for layer in 0..layers {
            let bar =
                at(alone(layer) + 2).mul_add(this.up.at(row(layer), profile), this.up.at(row(layer + 1), profile));
            this.up.set(row(layer + 1), profile, bar);
        }
        for layer in (0..layers).rev() {
            let bar =
                at(alone(layer) + 2).mul_add(this.down.at(row(layer + 1), profile), this.down.at(row(layer), profile));
            this.down.set(row(layer), profile, bar);
        }
        if m == 0 {
            whole.cosmic += this.down.at(row(0), profile);
        }
        this.ground_seen(m, profile, view, sun, whole);
        let secant = R::ONE / batch.inputs.viewing_cosine.at(view, profile);
        // What passes is e^(-depth/cosine).
        let pass = |layer: usize, radiance: R, bar: R| {
            let passed = at(alone(layer) + 2) * radiance;
            add(&this.direct, m * layers + layer, profile, -secant * passed * bar);
            passed
        };
        let mut radiance = if m == 0 { batch.inputs.cosmic_background.at(profile) } else { R::ZERO };
        for layer in 0..layers {
            let (up_bar, down_bar) = (this.up.at(row(layer), profile), this.down.at(row(layer + 1), profile));
            let corner = places(layer).corner(view, sun);
            let (reflection, transmission) =
                (rows(places(layer).view_reflection(view)), rows(places(layer).view_transmission(view)));
            this.add_bar(m, layer, sun, 0, profile, up_bar, &reflection);
            this.add_bar(m, layer, sun, 0, profile, down_bar, &transmission);
            this.add_bar(m, layer + 1, sun, 1, profile, up_bar, &transmission);
            this.add_bar(m, layer + 1, sun, 1, profile, down_bar, &reflection);
            this.add_beam(m, layer, sun, profile, up_bar * at(corner) + down_bar * at(corner + 1));
            let (down, up) =
                (this.forward.light(m, layer, sun, 0, profile), this.forward.light(m, layer + 1, sun, 1, profile));
            let mut source = this.forward.beam(sun, profile, layer) * at(corner + 1);
            source += if m == 0 { at(alone(layer) + 1) } else { R::ZERO };
            source += transmission.dot(&down) + reflection.dot(&up);
            radiance = pass(layer, radiance, down_bar) + source;
        }
        radiance = this.forward.ground_seen(m, profile, view, sun, radiance);
        for layer in (0..layers).rev() {
            let up_bar = this.up.at(row(layer), profile);
            let corner = places(layer).corner(view, sun);
            let (down, up) =
                (this.forward.light(m, layer, sun, 0, profile), this.forward.light(m, layer + 1, sun, 1, profile));
            let mut source = this.forward.beam(sun, profile, layer) * at(corner);
            source += if m == 0 { at(alone(layer)) } else { R::ZERO };
            source += rows(places(layer).view_reflection(view)).dot(&down);
            source += rows(places(layer).view_transmission(view)).dot(&up);
            radiance = pass(layer, radiance, up_bar) + source;
        }
    }

    /// From the radiance of the ground.
    #[inline(always)]
    fn ground_seen(&self, m: usize, profile: usize, view: usize, sun: usize, whole: &mut Whole<R>) {
        let batch = &self.forward.batch;
        let (n, last) = (batch.n(), batch.layers());
        let bar = self.up.at(self.beam_row(m, last, sun) * batch.views as usize + view, profile);
        if self.forward.surface.items() != 0 {
            let row = SurfacePlaces::new(batch, m).of_row(n + view);
            self.add_bar(m, last, sun, 0, profile, bar, &self.forward.turned_row(row, m, profile));
            self.reflected(row, m, profile, sun, bar, whole);
        } else if m == 0 {
            let down = self.forward.light(m, last, sun, 0, profile);
            let mean = bar / R::from_f64(FRAC_1_SQRT_2);
            let mut albedo = Row::ZERO;
            albedo[0] = batch.inputs.surface_parameters.at(0, profile);
            self.add_bar(m, last, sun, 0, profile, mean, &albedo);
            whole.albedo += mean * down[0];
            self.lambertian(profile, sun, bar, whole);
        }
    }

    /// From the ground up: leaves `M` and `q`, and returns the reflection of the whole.
    #[inline(always)]
    fn upward((this, m, profile): (&Self, usize, usize)) -> Square<R, N> {
        let batch = &this.forward.batch;
        let (n, layers) = (batch.n(), batch.layers());
        let Ground { reflection: mut below, .. } = this.forward.ground(m, profile);
        for layer in (0..layers).rev() {
            let places = Places::new(batch, m, layer);
            let reflection = this.forward.square(places.reflection(), profile);
            let transmission = this.forward.square(places.transmission(), profile);
            let reflected = whole_product(&below, &reflection, n);
            let mut between = [Row::ZERO; N];
            for i in 0..n {
                between[i][i] = R::ONE;
                between[i].add_scaled(-R::ONE, &reflected[i]);
            }
            let back = whole_product(&whole_inverse(&between, n), &below, n);
            let mut passage = [Row::ZERO; N];
            for i in 0..n {
                let row = this.passage_row(m, layer, i);
                passage[i] = read_back(&this.forward.passage, row, profile, n);
                write(&this.forward.passage, row, profile, n, &back[i]);
            }
            let through = whole_product(&transmission, &passage, n);
            for i in 0..n {
                below[i] = reflection[i];
                below[i].add_scaled(R::ONE, &through[i]);
            }
            for sun in 0..batch.suns() {
                let mut inner = this.bar(m, layer + 1, sun, 0, profile);
                let mut up = this.bar(m, layer + 1, sun, 1, profile);
                up.add_scaled(R::ONE, &row_times(&inner, &reflection, n));
                inner.add_scaled(R::ONE, &row_times(&up, &back, n));
                this.add_bar(m, layer, sun, 0, profile, R::ONE, &row_times(&inner, &transmission, n));
            }
        }
        below
    }

    #[inline(always)]
    fn passage_row(&self, m: usize, layer: usize, i: usize) -> usize {
        let n = self.forward.batch.n();
        ((m * self.forward.batch.layers() + layer) * n + i) * n
    }

    /// Downward: leaves `a` and `b`.
    #[inline(always)]
    fn downward((this, m, profile, sun, (below, whole)): Down<'_, Self, R, N>) {
        let batch = &this.forward.batch;
        let n = batch.n();
        let mut up = this.bar(m, 0, sun, 1, profile);
        this.add_bar(m, 0, sun, 0, profile, R::ONE, &row_times(&up, below, n));
        if m == 0 {
            whole.cosmic += R::from_f64(FRAC_1_SQRT_2) * this.bar(m, 0, sun, 0, profile)[0];
        }
        for layer in 0..batch.layers() {
            let places = Places::new(batch, m, layer);
            let reflection = this.forward.square(places.reflection(), profile);
            let transmission = this.forward.square(places.transmission(), profile);
            let mut back = [Row::ZERO; N];
            for i in 0..n {
                back[i] = read_back(&this.forward.passage, this.passage_row(m, layer, i), profile, n);
            }
            let mut down = this.bar(m, layer + 1, sun, 0, profile);
            let mut next = this.bar(m, layer + 1, sun, 1, profile);
            next.add_scaled(R::ONE, &row_times(&up, &transmission, n));
            next.add_scaled(R::ONE, &row_times(&down, &reflection, n));
            let more = row_times(&next, &back, n);
            down.add_scaled(R::ONE, &more);
            next.add_scaled(R::ONE, &row_times(&more, &reflection, n));
            this.put_bar(m, layer + 1, sun, 0, profile, &down);
            this.put_bar(m, layer + 1, sun, 1, profile, &next);
            let of_sun = |row: usize| -> Row<R, N> { read(&this.forward.operators, row, profile, n) };
            let of_beam = up.dot(&of_sun(places.sun_reflection(sun))) + down.dot(&of_sun(places.sun_transmission(sun)));
            this.add_beam(m, layer, sun, profile, of_beam);
            up = next;
        }
    }

    /// From the light that the ground sends up.
    #[inline(always)]
    fn ground(&self, m: usize, profile: usize, sun: usize, whole: &mut Whole<R>) {
        let batch = &self.forward.batch;
        let (n, last) = (batch.n(), batch.layers());
        let bar = self.bar(m, last, sun, 1, profile);
        let down = self.forward.light(m, last, sun, 0, profile);
        if self.forward.surface.items() == 0 {
            if m == 0 {
                whole.albedo += bar[0] * down[0];
                self.lambertian(profile, sun, R::from_f64(FRAC_1_SQRT_2) * bar[0], whole);
            }
            return;
        }
        let bar = self.turned(m, bar);
        for i in 0..n {
            self.reflected(SurfacePlaces::new(batch, m).of_row(i), m, profile, sun, bar[i], whole);
        }
    }

    /// Between the nodes and the directions that light is counted in.
    #[inline(always)]
    fn turned(&self, m: usize, mut values: Row<R, N>) -> Row<R, N> {
        if m == 0 {
            let axis = &self.forward.batch.nodes.axis;
            let n = self.forward.batch.n();
            let mut along = R::ZERO;
            for j in 0..n {
                along = values[j].mul_add(axis.at(j), along);
            }
            for j in 0..n {
                values[j] = (-along).mul_add(axis.at(j), values[j]);
            }
        }
        values
    }

    /// `B (1 - A) + A mu F/pi`.
    #[inline(always)]
    fn lambertian(&self, profile: usize, sun: usize, bar: R, whole: &mut Whole<R>) {
        let batch = &self.forward.batch;
        let albedo = batch.inputs.surface_parameters.at(0, profile);
        let share = batch.sun_cosine(sun, profile) * R::from_f64(FRAC_1_PI);
        let beam = share * self.forward.beam(sun, profile, batch.layers());
        whole.albedo += bar * (beam - batch.inputs.surface_planck_radiance.at(profile));
        whole.surface_planck += bar * (R::ONE - albedo);
        self.add_beam(0, batch.layers(), sun, profile, bar * albedo * share);
    }

    /// From light in a direction, whose row begins at `row`: by its reflectances and emissivity, and by the beam.
    #[inline(always)]
    fn reflected(&self, row: usize, m: usize, profile: usize, sun: usize, bar: R, whole: &mut Whole<R>) {
        let batch = &self.forward.batch;
        let (n, last) = (batch.n(), batch.layers());
        let down = self.turned(m, self.forward.light(m, last, sun, 0, profile));
        for j in 0..n {
            add(&self.surface, row + j, profile, bar * down[j]);
        }
        let share = bar * batch.sun_cosine(sun, profile) * R::from_f64(FRAC_1_PI);
        add(&self.surface, row + n + sun, profile, share * self.forward.beam(sun, profile, last));
        self.add_beam(m, last, sun, profile, share * self.forward.surface.at(row + n + sun, profile));
        if m == 0 {
            let emissivity = row + n + batch.suns();
            let planck = batch.inputs.surface_planck_radiance.at(profile);
            add(&self.surface, emissivity, profile, bar * planck);
            whole.surface_planck += bar * self.forward.surface.at(emissivity, profile);
        }
    }
}

/// Adds to what this lane has written.
#[inline(always)]
pub(super) fn add<R: Real>(field: &FieldMut<'_, R>, row: usize, profile: usize, more: R) {
    field.set(row, profile, field.at(row, profile) + more);
}
