//! Two lists of inputs as one.

/// Makes a set of inputs of two others: what a model takes, and derivatives by its results. The fields of the second
/// follow those of the first; no name is in both.
///
/// ```
/// use isobar_core::fields::InputSet;
/// isobar_core::fields! {
///     /// Profiles.
///     inputs Profiles, ProfileViews {
///         /// Optical depth.
///         optical_depth: Real [] "1";
///     }
/// }
/// isobar_core::fields! {
///     /// Derivatives by results.
///     inputs Cotangents, CotangentViews {
///         /// By the radiance.
///         radiance: Real [] "1" .optional();
///     }
/// }
/// isobar_core::input_pair! {
///     /// Both.
///     AdjointViews { profiles: ProfileViews, cotangents: CotangentViews }
/// }
/// assert_eq!(AdjointViews::<f64>::DECLARED[1].name, "radiance");
/// ```
#[macro_export]
macro_rules! input_pair {
    (
        $(#[doc = $doc:literal])*
        $name:ident { $first:ident: $first_views:ident, $second:ident: $second_views:ident }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $name<'a, R> {
            #[doc = concat!("The [`", stringify!($first_views), "`].")]
            pub $first: $first_views<'a, R>,
            #[doc = concat!("The [`", stringify!($second_views), "`].")]
            pub $second: $second_views<'a, R>,
        }

        const _: () = {
            use $crate::fields::{AnyField, Declared, InputSet};
            const FIRST: &[Declared] = $first_views::<'static, f64>::DECLARED;
            const SECOND: &[Declared] = $second_views::<'static, f64>::DECLARED;
            const BOTH: [Declared; FIRST.len() + SECOND.len()] = {
                let mut both = [FIRST[0]; FIRST.len() + SECOND.len()];
                let mut i = 0;
                while i < both.len() {
                    both[i] = if i < FIRST.len() { FIRST[i] } else { SECOND[i - FIRST.len()] };
                    i += 1;
                }
                both
            };

            impl<'a, R: $crate::Real> InputSet<'a> for $name<'a, R> {
                type Real = R;
                const DECLARED: &'static [Declared] = &BOTH;

                fn empty() -> Self {
                    Self { $first: InputSet::empty(), $second: InputSet::empty() }
                }

                fn visit(&self, visit: &mut dyn FnMut(&'static Declared, AnyField<'a, R>)) {
                    self.$first.visit(visit);
                    self.$second.visit(visit);
                }

                fn build(make: &mut dyn FnMut(&'static Declared) -> AnyField<'a, R>) -> Self {
                    Self { $first: InputSet::build(make), $second: InputSet::build(make) }
                }

                fn range(&self, items: &core::ops::Range<usize>) -> Self {
                    Self { $first: self.$first.range(items), $second: self.$second.range(items) }
                }
            }
        };
    };
}
