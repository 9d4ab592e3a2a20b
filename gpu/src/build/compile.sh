#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# compile.sh OUT COMMAND...: runs COMMAND -o OUT SOURCE, unless OUT is newer than all CUDA sources.
set -euo pipefail

out=$1
shift
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../main/cuda" && pwd -P)
if [ ! -f "$out" ] || [ -n "$(find "$source" "${BASH_SOURCE[0]}" -newer "$out" -type f | head -n 1)" ]; then
  mkdir -p "$(dirname "$out")"
  "$@" -o "$out" "$source/native.cu"
fi
