//! What a variable of an output is, and the numbers that it can hold.

use super::Unit;
use crate::calendar::units::{Since, are_of_times};

/// A number that a variable can hold: `f32`, `f64` or `i32`.
pub trait Sample: sealed::Sealed {
    /// NetCDF's usual mark of a value that is not there.
    const FILL: Self;
}

impl Sample for f32 {
    const FILL: Self = 9.969_21e36;
}

impl Sample for f64 {
    const FILL: Self = 9.969_209_968_386_869e36;
}

impl Sample for i32 {
    const FILL: Self = -2_147_483_647;
}

pub(super) mod sealed {
    use netcdf_writer::{NcFillValueType, NcWriteType};

    use super::super::header::Kind;

    pub trait Sealed: NcWriteType + NcFillValueType + Copy + Into<f64> + Sync {
        #[doc(hidden)]
        const KIND: Kind;
        /// Writes numbers as files have them, each to as many bytes as it has.
        #[doc(hidden)]
        fn encode(values: &[Self], bytes: &mut [u8]);
    }
    macro_rules! sealed {
        ($($number:ident $kind:ident)*) => {$(
            impl Sealed for $number {
                const KIND: Kind = Kind::$kind;
                fn encode(values: &[Self], bytes: &mut [u8]) {
                    for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(size_of::<Self>())) {
                        bytes.copy_from_slice(&value.to_be_bytes());
                    }
                }
            }
        )*};
    }
    sealed!(f32 Float f64 Double i32 Int u8 UnsignedByte);
}

/// A variable of an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputVariable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its dimensions, slowest first.
    pub dimensions: &'a [&'a str],
    /// Its unit.
    pub units: &'a str,
    /// What it is, in words.
    pub long_name: &'a str,
    /// Its CF standard name, if it has one.
    pub standard_name: Option<&'a str>,
    /// What the reference model calls it, if it has it.
    pub reference_name: Option<&'a str>,
}

impl OutputVariable<'_> {
    /// Whether its units are known, those of times too.
    pub(super) fn check_units(&self) -> Result<(), String> {
        if are_of_times(self.units) {
            return Since::of(self.units, None).map(drop);
        }
        self.units.parse::<Unit>().map(drop).map_err(|problem| problem.to_string())
    }
}
