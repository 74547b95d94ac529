//! What is left of outputs that were not finished: nothing, whatever ended the command.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

use crate::common::{data, said};
use tempfile::TempDir;

/// Tendencies of the demonstration's columns.
fn pbl(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.arg("pbl").arg(data().join("pbl/columns.nc")).args(["--dt", "60", "--device", "cpu", "--quiet", "-o"]);
    command.arg(folder.join("out.nc")).args(more);
    command
}

/// Work of hours.
fn endless(folder: &Path) -> Child {
    let mut command = pbl(folder, &["--steps", "1000000000"]);
    // SAFETY: the call is safe between fork and exec. Shells have background jobs ignore SIGINT, and so would these.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGHUP] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    while unfinished(folder).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn unfinished(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.starts_with(".isobar-")).collect()
}

fn good(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

/// What shells do to a command.
fn shell(before: &str, command: &Command) -> Output {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    Command::new("bash").args(["-c", &format!("{before} exec {}", words.join(" "))]).output().unwrap()
}

#[test]
fn a_signal_ends_a_command_with_nothing_left() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = endless(folder.path());
        // SAFETY: the child is ours, and has not been waited for.
        unsafe { libc::kill(child.id().cast_signed(), signal) };
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
        assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    }
}

#[test]
fn what_the_dead_leave_the_next_run_removes() {
    let folder = tempfile::tempdir().unwrap();
    let mut living = endless(folder.path());
    let of_living = unfinished(folder.path());
    let mut killed = pbl(folder.path(), &["--steps", "1000000000"]).spawn().unwrap();
    let start = Instant::now();
    while unfinished(folder.path()).len() < 2 {
        assert!(start.elapsed() < Duration::from_secs(60) && killed.try_wait().unwrap().is_none());
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(unfinished(folder.path()).len(), 2);
    // Not ours: other names, and folders.
    fs::write(folder.path().join(".isobar-settings"), "").unwrap();
    fs::create_dir(folder.path().join(".isobar-folder")).unwrap();
    good(&mut pbl(folder.path(), &[]));
    let mut expected = [of_living.clone(), vec![".isobar-folder".into(), ".isobar-settings".into(), "out.nc".into()]];
    expected[0].sort();
    let mut expected = expected.concat();
    expected.sort();
    assert_eq!(names(folder.path()), expected);
    living.kill().unwrap();
    living.wait().unwrap();
}

#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out.nc"), "as it was").unwrap();
    // The limit counts blocks of 1024 bytes; SIGXFSZ would end the process.
    let output = shell("ulimit -f 4;", &pbl(folder.path(), &[]));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("out.nc: cannot write: File too large"), "{}", said(&output));
    assert_eq!(names(folder.path()), ["out.nc"]);
    assert_eq!(fs::read_to_string(folder.path().join("out.nc")).unwrap(), "as it was");
}

/// A disk of some kilobytes; gone when dropped.
struct Disk(TempDir);

impl Disk {
    fn mount(kilobytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={kilobytes}k");
        let mut mount = Command::new("mount");
        let done = mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output();
        done.is_ok_and(|output| output.status.success()).then_some(Self(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_keeps_what_was_there() {
    let Some(disk) = Disk::mount(16) else {
        println!("SKIPPED: a full disk, for a file system cannot be mounted here");
        return;
    };
    let folder = disk.0.path();
    fs::write(folder.join("out.nc"), "as it was").unwrap();
    let output = pbl(folder, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("out.nc: cannot write: No space left on device"), "{}", said(&output));
    assert_eq!(names(folder), ["out.nc"]);
    assert_eq!(fs::read_to_string(folder.join("out.nc")).unwrap(), "as it was");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_work() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if File::create(folder.path().join("root")).is_ok() {
        println!("SKIPPED: a folder that cannot be written, for this user may write to all");
        return;
    }
    // Hours of work would show.
    let output = pbl(folder.path(), &["--steps", "1000000000"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("out.nc: cannot write: Permission denied"), "{}", said(&output));
}

#[test]
fn of_several_at_once_one_whole_file_stays() {
    let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = |folder: &Path| -> Vec<u8> {
        let path: PathBuf = folder.join("out.nc");
        // The same command line, for the output has it.
        let mut command = pbl(Path::new(""), &[]);
        good(command.current_dir(folder));
        fs::read(path).unwrap()
    };
    let expected = whole(one.path());
    let children: Vec<Child> =
        (0..6).map(|_| pbl(Path::new(""), &[]).current_dir(many.path()).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
        assert!(fs::read(many.path().join("out.nc")).unwrap() == expected);
    }
    assert_eq!(names(many.path()), ["out.nc"]);
}
