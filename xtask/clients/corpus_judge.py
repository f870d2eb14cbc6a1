"""What others say about an API document: whether openapi-spec-validator accepts it, and how many operations it has.

In: documents, JSON or YAML. Out: a verdict for each, kept in a file of lines by the document's hash, because the
validator takes its time. Nothing is fetched: a reference to another host cannot be followed here.
"""

import hashlib
import importlib.metadata
import json
import multiprocessing
import os
import signal
import socket

import yaml
from openapi_spec_validator import validate
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
# Seconds for one document, of the validator's.
PATIENCE = int(os.environ.get("CORPUS_PATIENCE", "240"))
VERSION = importlib.metadata.version("openapi-spec-validator")


class OutOfPatience(Exception):
    """The validator did not come to an end."""


def no_network(*_args, **_kwargs):
    raise OSError("no network here")


def ring(*_):
    raise OutOfPatience


def parse(path, text):
    """The document as plain data."""
    if path.endswith(".json"):
        return json.loads(text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, loader)


def pointed(document, item):
    """What a path item is, once its references inside the document are followed."""
    for _ in range(10):
        reference = item.get("$ref") if isinstance(item, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return item
        item = document
        for step in reference[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            item = item.get(step, {}) if isinstance(item, dict) else {}
    return {}


def operations(document):
    """Every pair of path and method, as `METHOD /path`; counted without any of our own code."""
    paths = document.get("paths") or {}
    found = []
    for path, item in paths.items():
        item = pointed(document, item)
        if path.startswith("x-") or not isinstance(item, dict):
            continue
        newest = str(document.get("openapi", "")).startswith("3.2")
        names = METHODS if newest else METHODS[:-1]
        found += [f"{name.upper()} {path}" for name in names if isinstance(item.get(name), dict)]
        if newest:
            found += [f"{name} {path}" for name in item.get("additionalOperations", {})]
    return found


def judge(path):
    """The verdict on one document: accepted, rejected with the reason, or undecided."""
    with open(path, "rb") as file:
        text = file.read()
    verdict = {"hash": hashlib.sha256(text).hexdigest(), "by": VERSION}
    signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        document = parse(path, text)
        verdict["operations"] = len(operations(document))
        validate(document, base_uri="file://" + path)
        verdict["verdict"] = "accepted"
    except OutOfPatience:
        verdict["verdict"] = "undecided"
        verdict["why"] = f"no verdict after {PATIENCE} s"
    except OpenAPIValidationError as error:
        verdict["verdict"] = "rejected"
        verdict["why"] = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    except Exception as error:  # whatever the parser or the validator stumbles over is no acceptance
        verdict["verdict"] = "rejected"
        verdict["why"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    finally:
        signal.alarm(0)
    return verdict


def offline():
    """Makes this process, a worker, unable to find any host."""
    socket.getaddrinfo = no_network


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def known(cache):
    """The verdicts of earlier runs with this version of the validator, by hash."""
    found = {}
    if os.path.exists(cache):
        with open(cache, encoding="utf-8") as lines:
            for line in lines:
                verdict = json.loads(line)
                if verdict["by"] == VERSION:
                    found[verdict["hash"]] = verdict
    return found


def verdicts(paths, cache, say):
    """The verdict on each document, by path; new ones are added to the cache as they come."""
    found = known(cache)
    hashes = {path: hash_of(path) for path in paths}
    missing = sorted((path for path in paths if hashes[path] not in found), key=os.path.getsize, reverse=True)
    if missing:
        say(f"{len(missing)} documents are new to the validator")
        with multiprocessing.Pool(initializer=offline, maxtasksperchild=20) as pool, open(cache, "a", encoding="utf-8") as file:
            for verdict in pool.imap_unordered(judge, missing):
                found[verdict["hash"]] = verdict
                file.write(json.dumps(verdict) + "\n")
                file.flush()
    return {path: found[hashes[path]] for path in paths}
