//! One file over the network.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use isobar_io::{AtomicFile, Error};
use sha2::{Digest as _, Sha256};

use crate::commands::Failure;
use crate::commands::progress::Progress;

/// No server takes longer to answer, or between two blocks.
const PATIENCE: Duration = Duration::from_secs(60);

/// Downloads a file of a known size and SHA-256. It gets its name when it is complete and right; otherwise nothing is
/// left.
pub(super) fn download(url: &str, path: &Path, (bytes, sha256): (u64, &str), quiet: bool) -> Result<(), Failure> {
    let failed = |what: String| Failure(format!("{url}: {what}"));
    let agent = ureq::Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_recv_body(Some(PATIENCE))
        .user_agent(concat!("isobar/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent();
    let response = agent.get(url).call().map_err(|error| failed(error.to_string()))?;
    let mut file = AtomicFile::create(path)?;
    let mut body = response.into_body().into_with_config().limit(bytes + 1).reader();
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
