//! `isobar data fetch` against a server of its own.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use crate::common::said;

/// What the server says to a request for a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    Good,
    /// One byte of the content is another.
    Changed,
    /// The connection ends in the middle.
    Truncated,
    /// The server says so, and the content is shorter.
    Short,
    /// More than the file has.
    Long,
    NotFound,
}

/// The size of the first file that is asked for.
const BYTES: usize = 847_552;

/// A server with the files of a folder, or with zeros where there are none; ends with the test. Returns its address.
fn serve(folder: &Path, answer: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/files", listener.local_addr().unwrap());
    let folder = folder.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            reader.read_line(&mut request).unwrap();
            // The rest of the header.
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 2 {
                line.clear();
            }
            let name = request.split(' ').nth(1).unwrap().strip_prefix("/files/").unwrap();
            let mut content = fs::read(folder.join(name)).unwrap_or_else(|_| vec![0; BYTES]);
            let (mut status, mut length) = ("200 OK", content.len());
            match answer {
                Answer::Good => {}
                Answer::Changed => content[1000] ^= 1,
                Answer::Truncated => content.truncate(5000),
                Answer::Short => {
                    content.truncate(5000);
                    length = 5000;
                }
                Answer::Long => {
                    content.push(0);
                    length += 1;
                }
                Answer::NotFound => {
                    (status, content) = ("404 Not Found", b"there is none".to_vec());
                    length = content.len();
                }
            }
            // A client that has had enough closes the connection.
            let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(&content);
        }
    });
    address
}

fn fetch(dir: &Path, url: &str) -> Output {
    command("rrtmg-lw", dir, url).output().expect("the command starts")
}

fn command(set: &str, dir: &Path, url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["data", "fetch", set, "--url", url, "--dir"]).arg(dir);
    command.env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
    command
}

/// The download is curl's.
fn has_curl() -> bool {
    let found = Command::new("curl").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: downloads, for curl is not installed");
    }
    found
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).map(|entries| entries.map(|e| e.unwrap().file_name().into_string().unwrap()));
    let mut names: Vec<String> = entries.map(Iterator::collect).unwrap_or_default();
    names.sort();
    names
}

#[test]
fn good_files_are_fetched_once_and_never_overwritten() {
    if !has_curl() {
        return;
    }
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let coefficients = dir.join("coeff");
    let url = serve(&coefficients, Answer::Good);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("a/new/folder");
    let output = fetch(&data, &url);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(names(&data), ["RRTMG_LW_DATA", "RRTMG_LW_DATA_DBL"]);
    for name in names(&data) {
        assert!(fs::read(data.join(&name)).unwrap() == fs::read(coefficients.join(&name)).unwrap(), "{name}");
    }
    // Not even asked for again.
    let output = fetch(&data, "http://127.0.0.1:1/nobody");
    assert!(output.status.success() && said(&output).matches("is there").count() == 2, "{}", said(&output));
    // Another file of the name stays.
    fs::write(data.join("RRTMG_LW_DATA"), b"mine").unwrap();
    let output = fetch(&data, &url);
    assert!(!output.status.success() && said(&output).contains("move it away first"), "{}", said(&output));
    assert_eq!(fs::read(data.join("RRTMG_LW_DATA")).unwrap(), b"mine");
}

/// What is fetched is known by its name, without a folder.
#[test]
fn rrtmgp_is_fetched_and_found_by_name() {
    if !has_curl() {
        return;
    }
    let Some(reference) = isobar_golden::find("rrtmgp") else { return };
    // As RRTMGP's repository calls the reference's files.
    let published = tempfile::tempdir().unwrap();
    let of = [
        ("rrtmgp-clouds-lw-bnd.nc", "cloud/rrtmgp-clouds-lw-bnd.nc"),
        ("rrtmgp-clouds-lw-g256.nc", "cloud/rrtmgp-clouds-lw-g256.nc"),
        ("rrtmgp-clouds-sw-bnd.nc", "cloud/rrtmgp-clouds-sw-bnd.nc"),
        ("rrtmgp-clouds-sw-g224.nc", "cloud/rrtmgp-clouds-sw-g224.nc"),
        ("rrtmgp-gas-lw-g256.nc", "coeff/lw-g256.nc"),
        ("rrtmgp-gas-sw-g224.nc", "coeff/sw-g224.nc"),
    ];
    for (name, file) in of {
        fs::copy(reference.join(file), published.path().join(name)).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let fetched = folder.path().join("data");
    // One file that differs is refused, and those before it stay.
    let wrong = serve(published.path(), Answer::Changed);
    let output = command("rrtmgp", &fetched, &wrong).output().unwrap();
    let text = said(&output);
    assert!(output.status.code() == Some(1) && text.contains("rrtmgp-gas-lw-g256.nc: SHA-256 "), "{text}");
    assert_eq!(names(&fetched), [""; 0]);
    let url = serve(published.path(), Answer::Good);
    let output = command("rrtmgp", &fetched, &url).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(names(&fetched), of.map(|(name, _)| name));
    let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["radiation", "columns.nc", "-o"])
        .arg(folder.path().join("fluxes.nc"))
        .args(["--kdist", "rrtmgp-gas-lw-g256.nc", "--kdist", "rrtmgp-gas-sw-g224.nc", "--device", "cpu"])
        .args(["--clouds", "rrtmgp-clouds-lw-bnd.nc", "--clouds", "rrtmgp-clouds-sw-g224.nc"])
        .current_dir(crate::common::data().join("radiation"))
        .env("ISOBAR_DATA", &fetched)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("RRTMGP, 16 bands, 256 g-points"), "{}", said(&output));
}

#[test]
fn bad_answers_leave_nothing() {
    if !has_curl() {
        return;
    }
    let nowhere = tempfile::tempdir().unwrap();
    for (answer, text) in [
        (Answer::Changed, "instead of bcfdee24b63a4c909522a329b8e16c539f0173c7e5aea2caf933ab4fe28c5c97: refused"),
        (Answer::Truncated, "/files/RRTMG_LW_DATA: "),
        (Answer::Short, "the file ends after 5000 of 847552 bytes"),
        (Answer::Long, "more than the expected 847552 bytes"),
        (Answer::NotFound, "404"),
    ] {
        let url = serve(nowhere.path(), answer);
        let folder = tempfile::tempdir().unwrap();
        let output = fetch(folder.path(), &url);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{answer:?}: {said}");
        assert!(said.contains(text) && said.starts_with("isobar: http://127.0.0.1:"), "{answer:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_eq!(names(folder.path()), [""; 0], "{answer:?}");
    }
    // Nobody answers.
    let folder = tempfile::tempdir().unwrap();
    let output = fetch(folder.path(), "http://127.0.0.1:1");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn without_curl_the_error_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let (data, programs) = (folder.path().join("data"), folder.path().join("none"));
    let output = command("rrtmg-lw", &data, "http://127.0.0.1:1").env("PATH", programs).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("isobar: http://127.0.0.1:1/RRTMG_LW_DATA: the program curl,"), "{said}");
    assert_eq!(names(&data), [""; 0]);
}
