#!/usr/bin/env bash
# Builds the wheel into the folder given, with the k-distributions of data/radiation in it. Needs maturin.
set -euo pipefail
out=${1:?the folder of the wheel}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")"
mkdir -p python/isobar/data
cp ../../data/radiation/ecckd-*.nc ../../data/radiation/LICENSE ../../data/radiation/NOTICE python/isobar/data/
"${MATURIN:-maturin}" build --quiet --release --locked --out "$out" "${@:2}"
