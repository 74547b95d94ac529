//! Elementary functions of every value of a slice, in place, with the widest vectors of the processor.
//!
//! The bits are those of the functions in [`super::double`] and [`super::single`]: only the speed depends on the
//! processor.

#![allow(unreachable_pub, reason = "multiversion repeats the visibility in a module of its own")]

macro_rules! in_place {
    ($module:ident, $float:ident, $functions:ident: $($name:ident)*) => {
        #[doc = concat!("Functions of slices of `", stringify!($float), "`.")]
        pub mod $module {
            use crate::math::$functions;

            $(
                #[doc = concat!("See [`crate::Real::", stringify!($name), "`].")]
                #[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
                pub fn $name(values: &mut [$float]) {
                    for x in values {
                        *x = $functions::$name(*x);
                    }
                }
            )*

            /// See [`crate::Real::powf`]: each value to the same power.
            #[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
            pub fn powf(values: &mut [$float], power: $float) {
                for x in values {
                    *x = $functions::powf(*x, power);
                }
            }
        }
    };
}

in_place!(f64, f64, double: exp exp_m1 ln ln_1p sqrt cbrt tanh sin cos tan asin acos atan);
in_place!(f32, f32, single: exp exp_m1 ln ln_1p sqrt cbrt tanh sin cos tan asin acos atan);
