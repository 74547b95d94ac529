//! What signals do to the command.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

/// A command stops by itself when it is asked to.
#[cfg(unix)]
static STOPS_BY_ITSELF: AtomicBool = AtomicBool::new(false);

/// From now on, the command watches for SIGTERM and SIGINT itself.
#[cfg(unix)]
#[cfg(feature = "cli")]
pub(crate) fn leave_to_the_command() {
    STOPS_BY_ITSELF.store(true, Ordering::SeqCst);
}

/// Sets up what holds for all commands.
pub(super) fn set_up() {
    #[cfg(unix)]
    {
        end_with_the_reader();
        // Without threads for it, a signal that ends the process leaves its unfinished files to the next run.
        let _ = remove_unfinished_at_the_end();
    }
}

#[cfg(unix)]
fn end_with_the_reader() {
    // SAFETY: both are set before any thread is started. The default action replaces Rust's ignoring of SIGPIPE: the
    // command ends quietly when whoever reads the output goes away, as in `isobar tables info ... | head`. A file that
    // grows past its limit (`ulimit -f`) is an error of the writer, not the end of the process.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Ends as usual by a signal, but for unfinished files, which are removed before.
#[cfg(unix)]
fn remove_unfinished_at_the_end() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = |signal: i32| {
        // SAFETY: it asks for an action, and changes none but ours.
        let (asked, action) = unsafe {
            let mut action = std::mem::zeroed::<libc::sigaction>();
            (libc::sigaction(signal, std::ptr::null(), &raw mut action), action)
        };
        asked == 0 && action.sa_sigaction == libc::SIG_IGN
    };
    // What the caller has ignored, as `nohup` does, stays ignored.
    let wanted: Vec<i32> = [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|&signal| !ignored(signal)).collect();
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let end = move || {
        for signal in signals.forever() {
            if signal == SIGHUP || !STOPS_BY_ITSELF.load(Ordering::SeqCst) {
                isobar_io::remove_unfinished();
                // It does not return.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    };
    // It needs little, where addresses are limited.
    std::thread::Builder::new().name("signals".into()).stack_size(1 << 16).spawn(end).map(drop)
}
