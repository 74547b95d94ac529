//! The fields of a kernel, said once: what its stage reads, what it writes, and the kernel with views of them.

/// A module with `reads`, `writes` and `kernel`, which takes the views from [`crate::Fields`] and the arguments that
/// are no fields:
///
/// ```text
/// kernel_fields!(position: Sun { declination: R } {
///     column latitude_deg: LATITUDE,          // one value a column, read
///     read exner: EXNER,                      // read
///     write cosine_of_zenith: COSINE_OF_ZENITH,
///     update temperature: TEMPERATURE,        // read and written
/// });
/// ```
macro_rules! kernel_fields {
    (
        $module:ident: $kernel:ident { $($argument:ident: $type:ty),* }
        { $($how:ident $field:ident: $quantity:ident,)* }
    ) => {
        mod $module {
            use super::*;

            pub(super) fn reads() -> Vec<Quantity> {
                [$(kernel_fields!(@reads $how $quantity)),*].into_iter().flatten().collect()
            }

            pub(super) fn writes() -> Vec<Quantity> {
                [$(kernel_fields!(@writes $how $quantity)),*].into_iter().flatten().collect()
            }

            pub(super) fn kernel<'s, 'f: 's, R: Precision>(
                fields: &mut Fields<'f, R>,
                $($argument: $type),*
            ) -> Result<$kernel<'s, R>, Error> {
                Ok($kernel { $($argument,)* $($field: kernel_fields!(@view $how fields $quantity)),* })
            }
        }
    };
    (@reads write $quantity:ident) => { None };
    (@reads $how:ident $quantity:ident) => { Some($quantity) };
    (@writes write $quantity:ident) => { Some($quantity) };
    (@writes update $quantity:ident) => { Some($quantity) };
    (@writes $how:ident $quantity:ident) => { None };
    (@view read $fields:ident $quantity:ident) => { $fields.read($quantity)? };
    (@view column $fields:ident $quantity:ident) => { $fields.read_column($quantity)? };
    (@view $how:ident $fields:ident $quantity:ident) => { $fields.write($quantity)? };
}
