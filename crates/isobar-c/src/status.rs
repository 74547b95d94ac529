//! What became of a call, and the message of a failure.

use std::cell::RefCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use isobar_interface::{CallError, Category, UsualFloats};

use crate::ISOBAR_VERSION;

/// What became of a call: negative where it failed. `isobar_last_error` has the message.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// Done, but for items that are not valid and were flagged, as the option `bad_items` asks for: they have no
    /// numbers. The message is about the first of them.
    Flagged = 1,
    /// A pointer is null where something is needed.
    Null = -1,
    /// A struct is of another version of the interface.
    Version = -2,
    /// A text is not UTF-8.
    Text = -3,
    /// There is no scheme, field or option of this name.
    Name = -4,
    /// A value, a size, a shape, or options that do not go together.
    Value = -5,
    /// An array has elements of another kind, or lies elsewhere.
    Kind = -6,
    /// A file is missing or wrong.
    File = -7,
    /// There is no memory.
    Memory = -8,
    /// A device is not there or failed.
    Device = -9,
    /// The run was stopped.
    Stopped = -10,
    /// An error of Isobar itself.
    Panic = -11,
}

/// A failure: its status and its message.
pub(crate) struct Failure(pub(crate) Status, pub(crate) String);

impl Failure {
    /// A pointer is null.
    pub(crate) fn null(what: &str) -> Self {
        Self(Status::Null, format!("{what} is null"))
    }

    /// A struct is of another version.
    pub(crate) fn version(what: &str, version: u32) -> Self {
        let text = format!("{what} has version {version}, and this library's is {ISOBAR_VERSION}");
        Self(Status::Version, text)
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let status = match error.category() {
            Category::Kind => Status::Kind,
            Category::Value => Status::Value,
            Category::Name => Status::Name,
            Category::File => Status::File,
            Category::Memory => Status::Memory,
            Category::Stopped => Status::Stopped,
            Category::Device => Status::Device,
        };
        Self(status, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the message for the calling thread.
pub(crate) fn keep(message: String) {
    LAST.with(|last| *last.borrow_mut() = message);
}

/// Does what a function of the interface does: its failure, or a panic, becomes the status and the message. The
/// caller's floating-point environment is kept, and traps are off meanwhile.
pub(crate) fn guarded(work: impl FnOnce() -> Result<Status, Failure>) -> Status {
    let _usual = UsualFloats::here();
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(status)) => status,
        Ok(Err(Failure(status, message))) => {
            keep(message);
            status
        }
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            keep(format!("an error of Isobar itself, please report it: {text}"));
            Status::Panic
        }
    }
}

/// Copies the message of the calling thread's last failure to `message`, as far as it fits into `size` bytes with the 0
/// at its end, and returns its length without that. `message` may be null: then the length alone is the answer.
///
/// # Safety
/// `message` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_last_error(message: *mut c_char, size: usize) -> usize {
    LAST.with(|last| {
        let last = last.borrow();
        if !message.is_null() && size > 0 {
            // A character of UTF-8 is not cut.
            let mut length = last.len().min(size - 1);
            while !last.is_char_boundary(length) {
                length -= 1;
            }
            // SAFETY: there is room for `size` bytes, and `length` is less.
            unsafe {
                message.copy_from_nonoverlapping(last.as_ptr().cast(), length);
                message.add(length).write(0);
            }
        }
        last.len()
    })
}
