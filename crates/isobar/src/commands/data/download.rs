//! One file over the network, by the system's `curl`: it has the machine's proxies and certificates, and a build has no
//! TLS to compile.

use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use isobar_io::{AtomicFile, Error};
use sha2::{Digest as _, Sha256};

use crate::program::failure::Failure;
use crate::program::progress::Progress;

/// No server takes longer to be reached, or between two blocks; seconds.
const PATIENCE: &str = "60";

/// Downloads a file of a known size and SHA-256. It gets its name when it is complete and right; otherwise nothing is
/// left.
pub(super) fn download(url: &str, path: &Path, (bytes, sha256): (u64, &str), quiet: bool) -> Result<(), Failure> {
    let failed = |what: String| Failure::new(format!("{url}: {what}"));
    let mut file = AtomicFile::create(path)?;
    let mut curl = Curl::start(url).map_err(|error| failed(why_not_started(&error)))?;
    let mut body = curl.0.stdout.take().expect("it is piped");
    let (mut hash, mut done, mut block) = (Sha256::new(), 0, vec![0; 1 << 16]);
    let progress = Progress::new(quiet, bytes, "bytes");
    loop {
        let count = body.read(&mut block).map_err(|error| failed(error.to_string()))?;
        if count == 0 {
            break;
        }
        done += count as u64;
        if done > bytes {
            return Err(failed(format!("more than the expected {bytes} bytes")));
        }
        hash.update(&block[..count]);
        let written = file.write_all(&block[..count]);
        written.map_err(|cause| Error::Io { path: path.to_owned(), action: "write", cause })?;
        progress.reach(done as usize);
    }
    drop(progress);
    curl.end().map_err(failed)?;
    if done != bytes {
        return Err(failed(format!("the file ends after {done} of {bytes} bytes")));
    }
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found != sha256 {
        return Err(failed(format!("SHA-256 {found} instead of {sha256}: refused")));
    }
    file.commit()?;
    Ok(())
}

fn why_not_started(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "the program curl, which downloads it, is not installed".to_owned(),
        _ => format!("curl, which downloads it, does not start: {error}"),
    }
}

/// The program on its way; gone when dropped.
struct Curl(Child);

impl Curl {
    fn start(url: &str) -> std::io::Result<Self> {
        Command::new("curl")
            .args(["--fail", "--silent", "--show-error", "--location", "--globoff", "--output", "-"])
            .args(["--user-agent", concat!("isobar/", env!("CARGO_PKG_VERSION"))])
            .args(["--connect-timeout", PATIENCE, "--speed-time", PATIENCE, "--speed-limit", "1"])
            .args(["--url", url])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map(Self)
    }

    /// After all of its output: what went wrong, if it did.
    fn end(&mut self) -> Result<(), String> {
        let said = self.0.stderr.take().map(first_line).unwrap_or_default();
        match self.0.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) if said.is_empty() => Err(format!("curl: {status}")),
            Ok(_) => Err(said),
            Err(error) => Err(format!("curl: {error}")),
        }
    }
}

impl Drop for Curl {
    fn drop(&mut self) {
        // It has ended, or what it still has is not wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An error of one line, even where curl explains it in several.
fn first_line(mut stderr: ChildStderr) -> String {
    let mut said = Vec::new();
    let _ = stderr.read_to_end(&mut said);
    String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned()
}
