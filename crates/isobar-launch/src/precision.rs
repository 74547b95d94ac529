//! The precisions in which models compute.

use isobar_core::Real;

use crate::Plain;

/// A precision in which models compute, whose numbers travel to a device: `f32` or `f64`.
///
/// A crate of a scheme has a trait of its own over this one, with what is compiled there for each precision, so that
/// programs that use the scheme do not compile its kernels again.
pub trait Precision: Real + Plain {}

impl Precision for f32 {}
impl Precision for f64 {}

/// Writes a crate's own `Precision`, a trait of `f32` and `f64`, with generic functions that are compiled in that crate
/// for both, and not again in every program that uses them.
///
/// ```
/// # use isobar_launch::Error;
/// fn add_up<R: Precision>(values: Vec<R>, sum: &mut R) -> Result<(), Error> {
///     *sum = values.into_iter().fold(R::ZERO, |sum, value| sum + value);
///     Ok(())
/// }
///
/// isobar_launch::compiled_here! {
///     /// A precision in which sums are computed: `f32` or `f64`.
///     pub trait Precision {
///         fn sum(values: Vec<Self>, sum: &mut Self) = add_up;
///     }
/// }
///
/// let mut sum = 0.0_f32;
/// Compiled::sum(vec![1.0_f32, 2.0], &mut sum)?;
/// assert_eq!(sum, 3.0);
/// # Ok::<(), Error>(())
/// ```
#[macro_export]
macro_rules! compiled_here {
    (
        $(#[$attribute:meta])*
        pub trait Precision $(: $bound:path $(, $bounds:path)*)? {
            $(fn $name:ident($($argument:ident: $type:ty),*) = $function:path;)*
        }
    ) => {
        $(#[$attribute])*
        pub trait Precision: Compiled $(+ $bound $(+ $bounds)*)? {}

        /// What is compiled here.
        pub trait Compiled: $crate::Precision {
            $(
                /// See the function of this name.
                ///
                /// # Errors
                /// Its own.
                #[allow(private_interfaces, reason = "the crate alone calls it")]
                fn $name($($argument: $type),*) -> Result<(), $crate::Error>
                where
                    Self: Precision;
            )*
        }

        $crate::compiled_here!(@for f32 $($name($($argument: $type),*) = $function;)*);
        $crate::compiled_here!(@for f64 $($name($($argument: $type),*) = $function;)*);
    };
    (@for $real:ident $($name:ident($($argument:ident: $type:ty),*) = $function:path;)*) => {
        impl Precision for $real {}

        impl Compiled for $real {
            $(
                #[allow(private_interfaces, reason = "as above")]
                fn $name($($argument: $type),*) -> Result<(), $crate::Error> {
                    $function($($argument),*)
                }
            )*
        }
    };
}
