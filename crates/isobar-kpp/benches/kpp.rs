//! How long it takes until a mechanism can be integrated: from its text to species, rate program and tables.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::fmt::Write;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_kpp::Reader;

/// The stratosphere with NOx: small, with inlined settings and KPP's sunlight.
const CHAPMAN_NOX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/mechanisms/chapman_nox.kpp");

/// A large mechanism: 500 species in a ring, 1,000 reactions.
fn ring() -> String {
    let species = 500;
    let mut text = "#DEFVAR\n".to_owned();
    (0..species).for_each(|i| writeln!(text, "S{i} = IGNORE;").expect("a string"));
    text += "#DEFFIX M = IGNORE;\n#EQUATIONS\n";
    for i in 0..species {
        let (next, far) = ((i + 1) % species, (i + 7) % species);
        writeln!(text, "S{i} = S{next} : ARR_ac({}.0E-5, -0.7);", i + 1).expect("a string");
        writeln!(text, "S{i} + M = S{far} + M : 1.0E-15*EXP(-{i}./TEMP)*SUN;").expect("a string");
    }
    text
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    let chapman_nox = std::fs::read_to_string(CHAPMAN_NOX).expect("a file of the repository");
    let reader = Reader::new().sun_from_time();
    for (name, text) in [("chapman_nox", chapman_nox), ("ring of 500", ring())] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| reader.read_text("mechanism.kpp", &text).expect("a mechanism"));
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
