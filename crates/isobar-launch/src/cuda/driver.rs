//! Loads NVIDIA's driver when it is first needed.
//!
//! `cust` calls the driver's functions as if they were linked. A program linked with `libcuda.so.1` or `nvcuda.dll`
//! would not even start where there is no driver, not to compute on the CPU either. So this module defines the
//! functions that `cust` calls, each as a jump through a slot, and [`load`] fills the slots from the driver that it
//! finds.

use std::arch::global_asm;
use std::ffi::{CStr, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Loads the driver, once.
///
/// # Errors
/// The system loader's words, as in 'libcuda.so.1: cannot open shared object file'.
pub(super) fn load() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(fill).clone()
}

/// The system's loader of libraries.
#[cfg(unix)]
mod system {
    use std::ffi::{CStr, c_char, c_int, c_void};

    unsafe extern "C" {
        fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        fn dlerror() -> *const c_char;
    }

    /// An open library, for good.
    pub(super) struct Library(*mut c_void);

    impl Library {
        /// The driver by its own name.
        pub(super) fn driver() -> Result<Self, String> {
            /// Resolve everything at once (`RTLD_NOW`).
            const NOW: c_int = 2;
            // SAFETY: the name ends with a zero; the driver's constructors are those that every CUDA program runs.
            let library = unsafe { dlopen(c"libcuda.so.1".as_ptr(), NOW) };
            if library.is_null() { Err(last_error()) } else { Ok(Self(library)) }
        }

        /// The address of a function, or null.
        pub(super) fn function(&self, name: &CStr) -> *mut c_void {
            // SAFETY: the library is open, and the name ends with a zero.
            unsafe { dlsym(self.0, name.as_ptr()) }
        }
    }

    fn last_error() -> String {
        // SAFETY: dlerror has no condition; what it answers is a string until the next call on this thread.
        unsafe {
            let text = dlerror();
            if text.is_null() {
                "it cannot be loaded".to_owned()
            } else {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            }
        }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::{CStr, c_char, c_void};

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn LoadLibraryA(file: *const c_char) -> *mut c_void;
        fn GetProcAddress(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }

    /// An open library, for good.
    pub(super) struct Library(*mut c_void);

    impl Library {
        /// The driver by its own name, from where the system looks for libraries.
        pub(super) fn driver() -> Result<Self, String> {
            // SAFETY: the name ends with a zero; the driver's start is that of every CUDA program.
            let library = unsafe { LoadLibraryA(c"nvcuda.dll".as_ptr()) };
            if library.is_null() {
                return Err(format!("nvcuda.dll: {}", std::io::Error::last_os_error()));
            }
            Ok(Self(library))
        }

        /// The address of a function, or null.
        pub(super) fn function(&self, name: &CStr) -> *mut c_void {
            // SAFETY: the library is open, and the name ends with a zero.
            unsafe { GetProcAddress(self.0, name.as_ptr()) }
        }
    }
}

/// One function of the driver.
struct Function {
    name: &'static CStr,
    slot: &'static AtomicPtr<c_void>,
}

fn fill() -> Result<(), String> {
    let library = system::Library::driver()?;
    for function in FUNCTIONS {
        let address = library.function(function.name);
        // A function that this driver lacks keeps `missing`.
        if !address.is_null() {
            function.slot.store(address, Ordering::Release);
        }
    }
    Ok(())
}

/// What every slot holds until the driver is loaded: `CUDA_ERROR_NOT_FOUND`.
extern "C" fn missing() -> u32 {
    500
}

/// The jump, with the arguments where the caller put them: `$slot` holds the address.
#[cfg(target_arch = "x86_64")]
macro_rules! jump {
    () => {
        "jmp qword ptr [rip + {slot}]"
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! jump {
    () => {
        "adrp x16, {slot}\nldr x16, [x16, :lo12:{slot}]\nbr x16"
    };
}

/// Defines a function of the driver as a jump through its slot.
#[cfg(unix)]
macro_rules! define {
    ($name:ident) => {
        global_asm!(
            ".pushsection .text.isobar_driver, \"ax\"",
            concat!(".globl ", stringify!($name)),
            concat!(".hidden ", stringify!($name)),
            concat!(".type ", stringify!($name), ", @function"),
            concat!(stringify!($name), ":"),
            jump!(),
            concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
            ".popsection",
            slot = sym slots::$name,
        );
    };
}
#[cfg(windows)]
macro_rules! define {
    ($name:ident) => {
        global_asm!(
            ".text",
            concat!(".globl ", stringify!($name)),
            concat!(stringify!($name), ":"),
            jump!(),
            slot = sym slots::$name,
        );
    };
}

macro_rules! functions {
    ($($name:ident)*) => {
        #[allow(non_upper_case_globals, reason = "a slot is named after its function")]
        mod slots {
            use super::{AtomicPtr, c_void, missing};
            $(pub(super) static $name: AtomicPtr<c_void> = AtomicPtr::new(missing as *mut c_void);)*
        }

        $(define!($name);)*

        static FUNCTIONS: &[Function] = &[$(Function {
            // The name has no zero inside; `concat` ends it with one.
            name: match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => panic!("a name ends with one zero"),
            },
            slot: &slots::$name,
        }),*];

        mod jumps {
            unsafe extern "C" {
                $(pub(super) fn $name();)*
            }
        }

        /// Keeps the jumps in a program whose linker sees their callers later.
        #[used]
        static JUMPS: &[unsafe extern "C" fn()] = &[$(jumps::$name),*];
    };
}

// Every function of the driver that cust 0.3.2 names: the words cu[A-Z]... in its sources that cust_raw 0.11.3
// declares, and cuFuncSetAttribute and cuStreamGetCaptureInfo, which we call. A new version of cust that calls another
// one fails to link and names it.
functions! {
cuArray3DCreate_v2 cuArray3DGetDescriptor_v2 cuArrayDestroy cuCtxCreate_v2 cuCtxDestroy_v2
cuCtxGetApiVersion cuCtxGetCacheConfig cuCtxGetCurrent cuCtxGetDevice cuCtxGetFlags cuCtxGetLimit
cuCtxGetSharedMemConfig cuCtxGetStreamPriorityRange cuCtxPopCurrent_v2 cuCtxPushCurrent_v2
cuCtxSetCacheConfig cuCtxSetCurrent cuCtxSetLimit cuCtxSetSharedMemConfig cuCtxSynchronize
cuDestroyExternalMemory cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount cuDeviceGetName
cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxRetain
cuDevicePrimaryCtxSetFlags_v2 cuDeviceTotalMem_v2 cuDriverGetVersion cuEventCreate cuEventDestroy_v2
cuEventElapsedTime cuEventQuery cuEventRecord cuEventSynchronize cuExternalMemoryGetMappedBuffer
cuFuncGetAttribute cuFuncSetAttribute cuFuncSetCacheConfig cuFuncSetSharedMemConfig cuGetErrorString
cuGraphAddKernelNode cuGraphCreate cuGraphDebugDotPrint cuGraphDestroy cuGraphGetEdges cuGraphGetNodes
cuGraphKernelNodeGetParams cuGraphNodeGetType cuImportExternalMemory cuInit cuLaunchHostFunc
cuLaunchKernel cuLinkAddData_v2 cuLinkComplete cuLinkCreate_v2 cuLinkDestroy cuMemAdvise
cuMemAllocAsync cuMemAllocHost_v2 cuMemAllocManaged cuMemAlloc_v2 cuMemFreeAsync cuMemFreeHost
cuMemFree_v2 cuMemGetInfo_v2 cuMemPrefetchAsync cuMemcpy2D_v2 cuMemcpyAtoH_v2 cuMemcpyDtoDAsync_v2
cuMemcpyDtoD_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 cuMemcpyHtoA_v2 cuMemcpyHtoDAsync_v2
cuMemcpyHtoD_v2 cuMemsetD16Async cuMemsetD16_v2 cuMemsetD32Async cuMemsetD32_v2 cuMemsetD8Async
cuMemsetD8_v2 cuModuleGetFunction cuModuleGetGlobal_v2 cuModuleLoad cuModuleLoadData cuModuleLoadDataEx
cuModuleUnload cuOccupancyAvailableDynamicSMemPerBlock cuOccupancyMaxActiveBlocksPerMultiprocessor
cuOccupancyMaxPotentialBlockSize cuStreamCreateWithPriority cuStreamDestroy_v2 cuStreamGetCaptureInfo
cuStreamGetFlags cuStreamGetPriority cuStreamSynchronize cuStreamWaitEvent cuSurfObjectCreate cuSurfObjectDestroy
cuSurfObjectGetResourceDesc cuTexObjectCreate cuTexObjectDestroy cuTexObjectGetResourceDesc
cuTexObjectGetResourceViewDesc
}
