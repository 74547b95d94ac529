//! Slabs in memory, and the one among them that a team works on.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Real};

use crate::physics::scattering::matrix::Matrix;
use crate::schedule::scattering::streams::{Streams, width};

/// Stacks of layers: what each reflects, lets through and emits. Matrices have the element of
/// `(slab * order + row, profile * order + column)`, vectors that of `(slab, profile * order + stream)`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slabs<'a, R> {
    /// Reflection of light from above.
    pub reflection_above: Field<'a, R>,
    /// Reflection of light from below.
    pub reflection_below: Field<'a, R>,
    /// Transmission downward.
    pub transmission_down: Field<'a, R>,
    /// Transmission upward.
    pub transmission_up: Field<'a, R>,
    /// Radiance emitted upward at the top.
    pub source_up: Field<'a, R>,
    /// Radiance emitted downward at the bottom.
    pub source_down: Field<'a, R>,
}

impl<'a, R: Copy> Slabs<'a, R> {
    /// Homogeneous layers without sunlight: the same from above and below.
    #[must_use]
    pub fn homogeneous(reflection: Field<'a, R>, transmission: Field<'a, R>, source: Field<'a, R>) -> Self {
        Self {
            reflection_above: reflection,
            reflection_below: reflection,
            transmission_down: transmission,
            transmission_up: transmission,
            source_up: source,
            source_down: source,
        }
    }
}

/// [`Slabs`], to write.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SlabsMut<'a, R> {
    /// Reflection of light from above.
    pub reflection_above: FieldMut<'a, R>,
    /// Reflection of light from below.
    pub reflection_below: FieldMut<'a, R>,
    /// Transmission downward.
    pub transmission_down: FieldMut<'a, R>,
    /// Transmission upward.
    pub transmission_up: FieldMut<'a, R>,
    /// Radiance emitted upward at the top.
    pub source_up: FieldMut<'a, R>,
    /// Radiance emitted downward at the bottom.
    pub source_down: FieldMut<'a, R>,
}

/// The warps that `rows * profiles` pairs need, for matrices of an order.
#[must_use]
pub(crate) fn warps(order: usize, rows: usize, profiles: usize) -> usize {
    (rows * profiles).div_ceil(WARP / width(order))
}

/// Which pair of a row (a layer, say) and a profile each team has; pairs of neighbouring profiles are neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<const N: usize, const W: usize> {
    /// The lanes.
    pub streams: Streams<N, W>,
    /// Each lane's row.
    pub row: [usize; W],
    /// Each lane's profile.
    pub profile: [usize; W],
    /// Does the lane have a pair and a column?
    pub inside: [bool; W],
}

impl<const N: usize, const W: usize> Pairs<N, W> {
    /// The pairs of warp number `index`. Teams beyond the last pair have that too, and write nothing.
    #[inline(always)]
    #[must_use]
    pub fn new(streams: Streams<N, W>, index: usize, rows: usize, profiles: usize) -> Self {
        // There is a pair if there is an item; this spares the compiler the division by zero.
        let profiles = profiles.max(1);
        let last = (rows * profiles).saturating_sub(1);
        let pair: [usize; W] = core::array::from_fn(|lane| index * streams.teams() + streams.team(lane));
        Self {
            streams,
            row: core::array::from_fn(|lane| pair[lane].min(last) / profiles),
            profile: core::array::from_fn(|lane| pair[lane].min(last) % profiles),
            inside: core::array::from_fn(|lane| pair[lane] <= last && streams.has_column(lane)),
        }
    }

    /// These profiles, with other rows.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, row: impl Fn(usize) -> usize) -> Self {
        Self { row: self.row.map(row), ..*self }
    }

    /// The order of the matrices.
    #[inline(always)]
    #[must_use]
    pub fn order(&self) -> usize {
        self.streams.order()
    }

    /// Where a field has the lane's element of a vector.
    #[inline(always)]
    fn item(&self, lane: usize) -> usize {
        self.item_of(self.order(), lane)
    }

    /// Where a field of matrices of an order has the lane's column; the last one for a lane beyond the order.
    #[inline(always)]
    fn item_of(&self, order: usize, lane: usize) -> usize {
        self.profile[lane] * order + self.streams.column(lane).min(order - 1)
    }

    /// The lane's stream; the last one for a lane without a column.
    #[inline(always)]
    #[must_use]
    pub fn stream(&self, lane: usize) -> usize {
        self.streams.column(lane).min(self.streams.order() - 1)
    }

    /// A matrix.
    #[inline(always)]
    #[must_use]
    pub fn matrix<R: Real>(&self, field: &Field<'_, R>) -> Matrix<R, N, W> {
        self.matrix_of(self.order(), field)
    }

    /// A matrix of this order, which may be less than that of the matrices in registers.
    #[inline(always)]
    #[must_use]
    pub fn matrix_of<R: Real>(&self, order: usize, field: &Field<'_, R>) -> Matrix<R, N, W> {
        // SAFETY: `gather` asks for what is inside only.
        self.gather(order, field.levels(), field.items(), |row, item| unsafe { field.get(row, item) })
    }

    /// A matrix that this lane wrote before.
    #[inline(always)]
    #[must_use]
    pub fn matrix_again<R: Real>(&self, field: &FieldMut<'_, R>) -> Matrix<R, N, W> {
        // SAFETY: `gather` asks for what is inside only.
        self.gather(self.order(), field.levels(), field.items(), |row, item| unsafe { field.get(row, item) })
    }

    /// Where each lane's column of a matrix begins in a field of these sizes: row and item. Checked once for the whole
    /// column, as [`Field`] promises it: what would be outside is the last.
    #[inline(always)]
    fn places(&self, order: usize, levels: usize, items: usize) -> ([usize; W], [usize; W]) {
        let place = |lane: usize| (self.row[lane] * order, self.item_of(order, lane));
        debug_assert!((0..W).all(|lane| place(lane).0 + order <= levels && place(lane).1 < items));
        let row = core::array::from_fn(|lane| place(lane).0.min(levels.saturating_sub(order)));
        (row, core::array::from_fn(|lane| place(lane).1.min(items.saturating_sub(1))))
    }

    /// The matrix of `at(row, item)`, which is called for places inside `levels` and `items` only.
    #[inline(always)]
    fn gather<R: Real>(
        &self,
        order: usize,
        levels: usize,
        items: usize,
        at: impl Fn(usize, usize) -> R,
    ) -> Matrix<R, N, W> {
        let mut matrix = Matrix::ZERO;
        if levels < order || items == 0 {
            return matrix;
        }
        let (row, item) = self.places(order, levels, items);
        for_each_row!(i in self, N, W: {
            if i < order {
                matrix.rows[i] = core::array::from_fn(|lane| {
                    let value = at(row[lane] + i, item[lane]);
                    if self.streams.column(lane) < order { value } else { R::ZERO }
                });
            }
        });
        matrix
    }

    /// A vector, each lane its element.
    #[inline(always)]
    #[must_use]
    pub fn vector<R: Real>(&self, field: &Field<'_, R>) -> [R; W] {
        core::array::from_fn(|lane| {
            let value = field.at(self.row[lane], self.item(lane));
            if self.streams.has_column(lane) { value } else { R::ZERO }
        })
    }

    /// A vector that this lane wrote before.
    #[inline(always)]
    #[must_use]
    pub fn vector_again<R: Real>(&self, field: &FieldMut<'_, R>) -> [R; W] {
        core::array::from_fn(|lane| {
            let value = field.at(self.row[lane], self.item(lane));
            if self.streams.has_column(lane) { value } else { R::ZERO }
        })
    }

    /// A value of `(row, profile)`, the same in all lanes of a team.
    #[inline(always)]
    #[must_use]
    pub fn value<R: Real>(&self, field: &Field<'_, R>) -> [R; W] {
        core::array::from_fn(|lane| field.at(self.row[lane], self.profile[lane]))
    }

    /// A value of `(stream, profile)`, each lane that of its stream.
    #[inline(always)]
    #[must_use]
    pub fn of_stream<R: Real>(&self, field: &Field<'_, R>) -> [R; W] {
        core::array::from_fn(|lane| field.at(self.stream(lane), self.profile[lane]))
    }

    /// Writes a matrix.
    #[inline(always)]
    pub fn put<R: Real>(&self, field: &FieldMut<'_, R>, matrix: &Matrix<R, N, W>) {
        self.put_of(self.order(), field, matrix);
    }

    /// Writes a matrix of this order, which may be less than that of the matrices in registers.
    #[inline(always)]
    pub fn put_of<R: Real>(&self, order: usize, field: &FieldMut<'_, R>, matrix: &Matrix<R, N, W>) {
        if field.levels() < order || field.items() == 0 {
            return;
        }
        let (row, item) = self.places(order, field.levels(), field.items());
        for_each_row!(i in self, N, W: {
            for (lane, &value) in matrix.rows[i].iter().enumerate() {
                if self.inside[lane] && self.streams.column(lane) < order && i < order {
                    // SAFETY: `places` is inside the field, which has as many rows as the order or more.
                    unsafe { field.put(row[lane] + i, item[lane], value) };
                }
            }
        });
    }

    /// Writes a vector, each lane its element.
    #[inline(always)]
    pub fn put_vector<R: Real>(&self, field: &FieldMut<'_, R>, own: &[R; W]) {
        for (lane, &value) in own.iter().enumerate() {
            if self.inside[lane] {
                field.set(self.row[lane], self.item(lane), value);
            }
        }
    }

    /// Writes radiances of `(row * order + stream, profile)`, each lane its own.
    #[inline(always)]
    pub fn put_radiance<R: Real>(&self, field: &FieldMut<'_, R>, own: &[R; W]) {
        for (lane, &value) in own.iter().enumerate() {
            if self.inside[lane] {
                field.set(self.row[lane] * self.order() + self.stream(lane), self.profile[lane], value);
            }
        }
    }
}

/// The slab that each team works on. Its parts are read when they are wanted: registers do not hold all of them.
#[derive(Clone, Copy, Debug)]
pub struct Slab<'a, 'b, R, const N: usize, const W: usize> {
    /// All slabs.
    pub slabs: &'b Slabs<'a, R>,
    /// Which one.
    pub pairs: Pairs<N, W>,
    /// Teams whose slab is the identity instead: no slab at all.
    pub missing: [bool; W],
}

impl<R: Real, const N: usize, const W: usize> Slab<'_, '_, R, N, W> {
    #[inline(always)]
    fn matrix(&self, field: &Field<'_, R>, missing: R) -> Matrix<R, N, W> {
        let mut matrix = self.pairs.matrix(field);
        for_each_row!(i in self.pairs, N, W: {
            for (lane, element) in matrix.rows[i].iter_mut().enumerate() {
                if self.missing[lane] {
                    *element = if self.pairs.streams.column(lane) == i { missing } else { R::ZERO };
                }
            }
        });
        matrix
    }

    #[inline(always)]
    fn vector(&self, field: &Field<'_, R>) -> [R; W] {
        let own = self.pairs.vector(field);
        core::array::from_fn(|lane| if self.missing[lane] { R::ZERO } else { own[lane] })
    }

    /// Reflection of light from above.
    #[inline(always)]
    #[must_use]
    pub fn reflection_above(&self) -> Matrix<R, N, W> {
        self.matrix(&self.slabs.reflection_above, R::ZERO)
    }

    /// Reflection of light from below.
    #[inline(always)]
    #[must_use]
    pub fn reflection_below(&self) -> Matrix<R, N, W> {
        self.matrix(&self.slabs.reflection_below, R::ZERO)
    }

    /// Transmission downward.
    #[inline(always)]
    #[must_use]
    pub fn transmission_down(&self) -> Matrix<R, N, W> {
        self.matrix(&self.slabs.transmission_down, R::ONE)
    }

    /// Transmission upward.
    #[inline(always)]
    #[must_use]
    pub fn transmission_up(&self) -> Matrix<R, N, W> {
        self.matrix(&self.slabs.transmission_up, R::ONE)
    }

    /// Emission upward, each lane its element.
    #[inline(always)]
    #[must_use]
    pub fn source_up(&self) -> [R; W] {
        self.vector(&self.slabs.source_up)
    }

    /// Emission downward, each lane its element.
    #[inline(always)]
    #[must_use]
    pub fn source_down(&self) -> [R; W] {
        self.vector(&self.slabs.source_down)
    }
}
