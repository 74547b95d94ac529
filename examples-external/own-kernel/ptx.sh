#!/usr/bin/env bash
# Compiles the kernel to kernel.ptx. Needs the component rust-src (`rustup component add rust-src`), no CUDA toolkit.
set -euo pipefail
cd "$(dirname "$0")/kernel"
export RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Ctarget-cpu=sm_80 -Clinker=true'
target=${CARGO_TARGET_DIR:-../target}
cargo rustc --release --lib --crate-type cdylib --target nvptx64-nvidia-cuda -Zbuild-std=core -- --emit=asm
cp "$target/nvptx64-nvidia-cuda/release/deps/precipitable_water.s" ../kernel.ptx
