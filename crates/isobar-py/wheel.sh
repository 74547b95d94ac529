#!/usr/bin/env bash
# Builds the wheel into the folder given, with the k-distributions of data/radiation in it. Needs maturin, whose options
# may follow; without, it is optimised.
set -euo pipefail
out=${1:?the folder of the wheel}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")"
mkdir -p python/isobar/data
cp ../../data/radiation/ecckd-*.nc ../../data/radiation/LICENSE ../../data/radiation/NOTICE python/isobar/data/
options=("${@:2}")
[ ${#options[@]} != 0 ] || options=(--release)
"${MATURIN:-maturin}" build --quiet --locked --out "$out" "${options[@]}"
