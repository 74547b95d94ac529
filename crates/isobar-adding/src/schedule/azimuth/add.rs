//! Layer upon layer from the surface up, and the light on the way down: a team has a component of a profile.

use core::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, PI};

use isobar_core::{Field, FieldMut, Lanes, Real, Row, any_of_warp, out_of_line};

use crate::fields::azimuth::RadianceViews;
use crate::physics::azimuth::operator::SUNS;
use crate::physics::azimuth::square::{Square, for_rows, times_column, whole_inverse, whole_product};
use crate::schedule::azimuth::batch::{Batch, Places, of_warp, read, read_back, warps, write};
use crate::schedule::azimuth::surface::SurfacePlaces;

/// A component of a profile: an item.
///
/// With the light `D` down and `U` up at a layer's top and `D'` and `U'` at its bottom, and with what is below of
/// reflection `P` and source `p`,
///
/// ```text
/// U' = P D' + p,   D' = T D + R U' + s_down,   U = R D + T U' + s_up,
/// U' = X D + x,    X = (1 - P R)^-1 P T,        x = (1 - P R)^-1 (P s_down + p),
/// ```
///
/// so that the layer with what is below has the reflection `R + T X` and the source `s_up + T x`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AddLayers<'a, R, const N: usize> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// The layers' operators.
    pub operators: Field<'a, R>,
    /// The surface, if it is not Lambertian, at the rows of [`super::surface::SurfacePlaces`].
    pub surface: Field<'a, R>,
    /// The beams at each level, as [`super::beams::SunBeams`] leaves them.
    pub beams: Field<'a, R>,
    /// `X` of each layer and component, `n * n` rows.
    pub passage: FieldMut<'a, R>,
    /// `D` and `U` at each level, `2 n` rows a sun.
    pub light: FieldMut<'a, R>,
    /// Radiances upward of each component at `((m * levels + level) * suns + sun) * views + view`.
    pub up: FieldMut<'a, R>,
    /// Downward.
    pub down: FieldMut<'a, R>,
    /// Are the radiances of all levels wanted? Otherwise upward at the top and downward at the surface. 0 or 1.
    pub levels: u32,
    /// Fluxes, where they are wanted.
    pub outputs: RadianceViews<'a, R>,
}

/// What the surface makes of light.
pub(super) struct Ground<R, const N: usize> {
    pub(super) reflection: Square<R, N>,
    source: [Row<R, N>; SUNS],
}

impl<R: Real, const N: usize> AddLayers<'_, R, N> {
    pub(crate) fn items(&self) -> usize {
        warps::<N>(self.batch.profiles()) * self.batch.components as usize
    }

    /// A warp has a component of some profiles.
    #[inline(always)]
    pub(crate) fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) {
        let (profiles, warps) = (self.batch.profiles(), warps::<N>(self.batch.profiles()));
        for profile in of_warp::<N, W>(index % warps, lanes, profiles) {
            self.component(index / warps, profile);
        }
    }

    #[inline(always)]
    fn component(&self, m: usize, profile: usize) {
        let (below, source) = out_of_line(Self::upward, (self, m, profile));
        out_of_line(Self::downward, (self, m, profile, &below, &source));
        for view in 0..self.batch.views as usize {
            for sun in 0..self.batch.suns() {
                out_of_line(Self::seen, (self, m, profile, view, sun));
            }
        }
        if m == 0 && !self.outputs.upward_flux.is_empty() {
            self.fluxes(profile);
        }
    }

    /// The beam of a sun at a level, without what goes on straight.
    #[inline(always)]
    pub(super) fn beam(&self, sun: usize, profile: usize, level: usize) -> R {
        self.beams.at(level * self.batch.suns() + sun, profile)
    }

    #[inline(always)]
    pub(super) fn square(&self, row: usize, profile: usize) -> Square<R, N> {
        let n = self.batch.n();
        let mut matrix = [Row::ZERO; N];
        for_rows!(i < n, N => {
            if i < n {
                matrix[i] = read(&self.operators, row + i * n, profile, n);
            }
        });
        matrix
    }

    /// Sources of a layer up and down for a sun whose beam at its top is `beam`.
    #[inline(always)]
    fn sources(&self, places: &Places, m: usize, sun: usize, profile: usize, beam: R) -> [Row<R, N>; 2] {
        let n = self.batch.n();
        let vector = |row: usize| -> Row<R, N> { read(&self.operators, row, profile, n) };
        let [mut up, mut down] = if m == 0 { [vector(places.up()), vector(places.down())] } else { [Row::ZERO; 2] };
        up.add_scaled(beam, &vector(places.sun_reflection(sun)));
        down.add_scaled(beam, &vector(places.sun_transmission(sun)));
        [up, down]
    }

    /// Adds all layers; returns reflection and source of the whole.
    #[inline(always)]
    fn upward((this, m, profile): (&Self, usize, usize)) -> (Square<R, N>, [Row<R, N>; SUNS]) {
        let (n, suns, layers) = (this.batch.n(), this.batch.suns(), this.batch.layers());
        let Ground { reflection: mut below, mut source } = this.ground(m, profile);
        for layer in (0..layers).rev() {
            let places = Places::new(&this.batch, m, layer);
            let (reflection, transmission) =
                (this.square(places.reflection(), profile), this.square(places.transmission(), profile));
            let optics = this.batch.optics(layer, profile);
            let scatters = any_of_warp(this.batch.scatters(&optics, m, layer, profile));
            let (mut back, mut between) = (below, None);
            if scatters {
                let mut resolvent = whole_product(&below, &reflection, n);
                for_rows!(i < n, N => {
                    let mut one = Row::ZERO;
                    one.set(i, R::ONE);
                    resolvent[i] = one.with(&resolvent[i], |one, reflected| one - reflected);
                });
                let resolvent = whole_inverse(&resolvent, n);
                back = whole_product(&resolvent, &below, n);
                between = Some(resolvent);
            }
            let passage = whole_product(&back, &transmission, n);
            for s in 0..suns {
                let [up, down] = this.sources(&places, m, s, profile, this.beam(s, profile, layer));
                let mut x = times_column(&back, &down, n);
                match &between {
                    Some(between) => x.add_scaled(R::ONE, &times_column(between, &source[s], n)),
                    None => x.add_scaled(R::ONE, &source[s]),
                }
                this.put_light(m, layer + 1, s, 1, profile, &x);
                source[s] = times_column(&transmission, &x, n);
                source[s].add_scaled(R::ONE, &up);
            }
            let through = whole_product(&transmission, &passage, n);
            for_rows!(i < n, N => {
                below[i] = reflection[i].with(&through[i], |x, y| x + y);
                if i < n {
                    write(&this.passage, ((m * layers + layer) * n + i) * n, profile, n, &passage[i]);
                }
            });
        }
        (below, source)
    }

    /// The light at all levels.
    #[inline(always)]
    fn downward((this, m, profile, below, source): (&Self, usize, usize, &Square<R, N>, &[Row<R, N>; SUNS])) {
        let (n, layers) = (this.batch.n(), this.batch.layers());
        for s in 0..this.batch.suns() {
            let mut down = Row::ZERO;
            if m == 0 {
                down.set(0, R::from_f64(FRAC_1_SQRT_2) * this.batch.inputs.cosmic_background.at(profile));
            }
            let mut up = times_column(below, &down, n);
            up.add_scaled(R::ONE, &source[s]);
            this.put_light(m, 0, s, 0, profile, &down);
            this.put_light(m, 0, s, 1, profile, &up);
            for layer in 0..layers {
                let places = Places::new(&this.batch, m, layer);
                let mut next = this.light(m, layer + 1, s, 1, profile);
                let [_, mut bottom] = this.sources(&places, m, s, profile, this.beam(s, profile, layer));
                let mut through = Row::ZERO;
                for i in 0..n {
                    let row: Row<R, N> = read_back(&this.passage, ((m * layers + layer) * n + i) * n, profile, n);
                    through.set(i, row.dot(&down));
                }
                next.add_scaled(R::ONE, &through);
                for i in 0..n {
                    let transmission: Row<R, N> = read(&this.operators, places.transmission() + i * n, profile, n);
                    let reflection: Row<R, N> = read(&this.operators, places.reflection() + i * n, profile, n);
                    through.set(i, transmission.dot(&down) + reflection.dot(&next));
                }
                bottom.add_scaled(R::ONE, &through);
                down = bottom;
                this.put_light(m, layer + 1, s, 0, profile, &down);
                this.put_light(m, layer + 1, s, 1, profile, &next);
            }
        }
    }

    /// The radiances that a view sees.
    #[inline(always)]
    fn seen((this, m, profile, view, sun): (&Self, usize, usize, usize, usize)) {
        let (n, layers) = (this.batch.n(), this.batch.layers());
        let at = |row: usize| this.operators.at(row, profile);
        let rows = |row: usize| -> Row<R, N> { read(&this.operators, row, profile, n) };
        let put = |field: &FieldMut<'_, R>, level: usize, levels: usize, value: R| {
            let row = ((m * levels + level) * this.batch.suns() + sun) * this.batch.views as usize + view;
            field.set(row, profile, value);
        };
        let levels = if this.levels != 0 { layers + 1 } else { 1 };
        let mut radiance = if m == 0 { this.batch.inputs.cosmic_background.at(profile) } else { R::ZERO };
        if this.levels != 0 {
            put(&this.down, 0, levels, radiance);
        }
        for layer in 0..layers {
            let places = Places::new(&this.batch, m, layer);
            let (down, up) = (this.light(m, layer, sun, 0, profile), this.light(m, layer + 1, sun, 1, profile));
            let alone = places.of_view_alone(view);
            let mut source = this.beam(sun, profile, layer) * at(places.corner(view, sun) + 1);
            source += if m == 0 { at(alone + 1) } else { R::ZERO };
            source += rows(places.view_transmission(view)).dot(&down);
            source += rows(places.view_reflection(view)).dot(&up);
            radiance = at(alone + 2).mul_add(radiance, source);
            if this.levels != 0 || layer + 1 == layers {
                put(&this.down, if this.levels != 0 { layer + 1 } else { 0 }, levels, radiance);
            }
        }
        radiance = this.ground_seen(m, profile, view, sun, radiance);
        if this.levels != 0 {
            put(&this.up, layers, levels, radiance);
        }
        for layer in (0..layers).rev() {
            let places = Places::new(&this.batch, m, layer);
            let (down, up) = (this.light(m, layer, sun, 0, profile), this.light(m, layer + 1, sun, 1, profile));
            let alone = places.of_view_alone(view);
            let mut source = this.beam(sun, profile, layer) * at(places.corner(view, sun));
            source += if m == 0 { at(alone) } else { R::ZERO };
            source += rows(places.view_reflection(view)).dot(&down);
            source += rows(places.view_transmission(view)).dot(&up);
            radiance = at(alone + 2).mul_add(radiance, source);
            if this.levels != 0 || layer == 0 {
                put(&this.up, layer, levels, radiance);
            }
        }
    }

    /// Irradiances at all levels, from the component that does not depend on azimuth.
    #[inline(always)]
    fn fluxes(&self, profile: usize) {
        let (n, suns) = (self.batch.n(), self.batch.suns());
        let mean: Row<R, N> = Row::of_first(n, |j| self.batch.nodes.mean.at(j));
        let hemisphere = R::from_f64(2.0 * PI);
        let of_flux = R::from_f64(2.0 * PI * FRAC_1_SQRT_2);
        for sun in 0..suns {
            let cosine = self.batch.sun_cosine(sun, profile);
            let mut peak = R::ZERO;
            for level in 0..=self.batch.layers() {
                let (down, up) = (self.light(0, level, sun, 0, profile), self.light(0, level, sun, 1, profile));
                let row = level * suns + sun;
                // The beam without what goes on straight is weaker, and that light is diffuse.
                let scaled = self.beam(sun, profile, level);
                let straight = cosine * scaled * (-(peak / cosine)).exp_m1();
                self.outputs.upward_flux.set(row, profile, of_flux * up.element(0));
                self.outputs.downward_flux.set(row, profile, of_flux * down.element(0) - straight);
                self.outputs.direct_flux.set(row, profile, cosine * scaled + straight);
                let diffuse = mean.dot(&down) + mean.dot(&up);
                self.outputs.actinic_flux.set(row, profile, hemisphere * diffuse + scaled);
                if level < self.batch.layers() {
                    let optics = self.batch.optics(level, profile);
                    let share = optics.peak * self.batch.inputs.single_scattering_albedo.at(level, profile);
                    peak += share * self.batch.inputs.optical_depth.at(level, profile);
                }
            }
        }
    }

    /// A Lambertian surface reflects flux into isotropic light.
    #[inline(always)]
    pub(super) fn ground(&self, m: usize, profile: usize) -> Ground<R, N> {
        let (n, suns) = (self.batch.n(), self.batch.suns());
        let mut ground = Ground { reflection: [Row::ZERO; N], source: [Row::ZERO; SUNS] };
        if self.surface.items() == 0 {
            if m == 0 {
                ground.reflection[0].set(0, self.batch.inputs.surface_parameters.at(0, profile));
                for s in 0..suns {
                    ground.source[s].set(0, R::from_f64(FRAC_1_SQRT_2) * self.lambertian(profile, s));
                }
            }
        } else {
            let places = SurfacePlaces::new(&self.batch, m);
            for i in 0..n {
                ground.reflection[i] = self.turned_row(places.of_row(i), m, profile);
            }
            for s in 0..suns {
                ground.source[s] = Row::of_first(n, |i| self.reflected(places.of_row(i), m, profile, s));
            }
            if m == 0 {
                self.turn_columns(&mut ground);
            }
        }
        ground
    }

    /// What a view has of the ground, which mirrors the light that comes `along` it.
    #[inline(always)]
    pub(super) fn ground_seen(&self, m: usize, profile: usize, view: usize, sun: usize, along: R) -> R {
        let n = self.batch.n();
        let down = self.light(m, self.batch.layers(), sun, 0, profile);
        if self.surface.items() == 0 {
            if m > 0 {
                return R::ZERO;
            }
            let albedo = self.batch.inputs.surface_parameters.at(0, profile);
            return albedo.mul_add(down.element(0) / R::from_f64(FRAC_1_SQRT_2), self.lambertian(profile, sun));
        }
        let places = SurfacePlaces::new(&self.batch, m);
        let row = places.of_row(n + view);
        let mirrored = self.surface.at(places.of_mirror(n + view), profile) * along;
        self.turned_row(row, m, profile).dot(&down) + self.reflected(row, m, profile, sun) + mirrored
    }

    /// A row of a surface's reflection, of nodes that are turned for the component 0.
    #[inline(always)]
    pub(super) fn turned_row(&self, row: usize, m: usize, profile: usize) -> Row<R, N> {
        let n = self.batch.n();
        let mut values: Row<R, N> = read(&self.surface, row, profile, n);
        if m == 0 {
            let axis = self.axis();
            let mut along = R::ZERO;
            for j in 0..n {
                along = values.element(j).mul_add(self.batch.nodes.axis.at(j), along);
            }
            values.add_scaled(-along, &axis);
        }
        values
    }

    #[inline(always)]
    fn axis(&self) -> Row<R, N> {
        Row::of_first(self.batch.n(), |j| self.batch.nodes.axis.at(j))
    }

    /// Turns the directions into which a surface sends light.
    #[inline(always)]
    fn turn_columns(&self, ground: &mut Ground<R, N>) {
        let (n, axis) = (self.batch.n(), self.axis());
        let mut along = Row::ZERO;
        for i in 0..n {
            along.add_scaled(self.batch.nodes.axis.at(i), &ground.reflection[i]);
        }
        for i in 0..n {
            ground.reflection[i].add_scaled(-self.batch.nodes.axis.at(i), &along);
        }
        for s in 0..self.batch.suns() {
            let mut along = R::ZERO;
            for i in 0..n {
                along = ground.source[s].element(i).mul_add(self.batch.nodes.axis.at(i), along);
            }
            ground.source[s].add_scaled(-along, &axis);
        }
    }

    /// What a Lambertian surface emits, and sends up of the beam.
    #[inline(always)]
    fn lambertian(&self, profile: usize, sun: usize) -> R {
        let albedo = self.batch.inputs.surface_parameters.at(0, profile);
        let beam = self.batch.sun_cosine(sun, profile) * self.beam(sun, profile, self.batch.layers());
        let reflected = albedo * beam * R::from_f64(FRAC_1_PI);
        (R::ONE - albedo).mul_add(self.batch.inputs.surface_planck_radiance.at(profile), reflected)
    }

    /// What any other surface emits into a direction, whose row begins at `row`, and sends there of the beam.
    #[inline(always)]
    fn reflected(&self, row: usize, m: usize, profile: usize, sun: usize) -> R {
        let n = self.batch.n();
        let beam = self.batch.sun_cosine(sun, profile) * self.beam(sun, profile, self.batch.layers());
        let reflected = self.surface.at(row + n + sun, profile) * beam * R::from_f64(FRAC_1_PI);
        let emissivity = if m == 0 { self.surface.at(row + n + self.batch.suns(), profile) } else { R::ZERO };
        emissivity.mul_add(self.batch.inputs.surface_planck_radiance.at(profile), reflected)
    }

    #[inline(always)]
    pub(super) fn light_row(&self, m: usize, level: usize, sun: usize, way: usize) -> usize {
        (((m * (self.batch.layers() + 1) + level) * self.batch.suns() + sun) * 2 + way) * self.batch.n()
    }

    /// Light at the nodes: downward (`way` 0) or upward (1).
    #[inline(always)]
    pub(super) fn light(&self, m: usize, level: usize, sun: usize, way: usize, profile: usize) -> Row<R, N> {
        read_back(&self.light, self.light_row(m, level, sun, way), profile, self.batch.n())
    }

    #[inline(always)]
    fn put_light(&self, m: usize, level: usize, sun: usize, way: usize, profile: usize, values: &Row<R, N>) {
        write(&self.light, self.light_row(m, level, sun, way), profile, self.batch.n(), values);
    }
}
