//! Parts of kernels that a CPU has once.

/// Calls `work`, on a CPU as a function of its own. It has to be a function with `#[inline(always)]`.
///
/// A kernel is compiled with all that it calls for the vectors of a processor, so that what it calls often stands in it
/// as often: the compiler takes minutes for the products of matrices of an adjoint. A function here is compiled once,
/// on x86-64 for AVX2 and FMA, which kernels need anyway. On a GPU it is inlined as everything is.
///
/// ```
/// use isobar_core::out_of_line;
///
/// #[inline(always)]
/// fn hypotenuse((x, y): (f64, f64)) -> f64 {
///     x.mul_add(x, y * y).sqrt()
/// }
/// assert_eq!(out_of_line(hypotenuse, (3.0, 4.0)), 5.0);
/// ```
///
/// # Panics
/// On a processor of x86-64 without AVX2 or FMA.
#[inline(always)]
pub fn out_of_line<A, T>(work: impl FnOnce(A) -> T, arguments: A) -> T {
    #[cfg(target_arch = "nvptx64")]
    return work(arguments);
    #[cfg(not(target_arch = "nvptx64"))]
    host(work, arguments)
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[inline(always)]
fn host<A, T>(work: impl FnOnce(A) -> T, arguments: A) -> T {
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    fn with_vectors<A, T>(work: impl FnOnce(A) -> T, arguments: A) -> T {
        work(arguments)
    }
    assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"), "the processor has no AVX2 and FMA");
    // SAFETY: the processor has both.
    unsafe { with_vectors(work, arguments) }
}

/// Other processors have their vectors in all functions; without `std` nobody says which there are.
#[cfg(not(any(all(target_arch = "x86_64", feature = "std"), target_arch = "nvptx64")))]
#[inline(never)]
fn host<A, T>(work: impl FnOnce(A) -> T, arguments: A) -> T {
    work(arguments)
}
