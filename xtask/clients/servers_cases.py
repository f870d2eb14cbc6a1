"""What is asked of the reference MCP servers: every tool at least once, and what they refuse."""

# Differs from call to call, whoever asks.
CLOCK = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^\"\s]*"
FILE_TIMES = r"(created|modified|accessed): [^\n\"\\]*"
TASK_ID = r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}"


class Case:
    """One call of a tool; `moving` is what may differ in the answers."""

    def __init__(self, server, tool, arguments=None, moving=None, is_environment=False):
        self.server, self.tool, self.arguments = server, tool, arguments or {}
        self.moving, self.is_environment = moving, is_environment


def everything(server="everything"):
    """All kinds of content, progress, questions."""
    calls = [
        ("echo", {"message": "Grüße ✓ 🍎 \" \\ \n </tag>"}),
        ("echo", {"message": ""}),
        ("echo", {"message": "x" * 40_000}),
        ("get-annotated-message", {"messageType": "success", "includeImage": True}),
        ("get-annotated-message", {"messageType": "error"}),
        ("get-annotated-message", {"messageType": "debug", "includeImage": False}),
        ("get-resource-links", {"count": 10}),
        ("get-resource-links", {}),
        ("get-resource-links", {"count": 11}),
        ("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
        ("get-resource-reference", {"resourceType": "Blob", "resourceId": 2}),
        ("get-resource-reference", {}),
        ("get-resource-reference", {"resourceId": -1}),
        ("get-structured-content", {"location": "Chicago"}),
        ("get-structured-content", {"location": "New York"}),
        ("get-structured-content", {"location": "Atlantis"}),
        ("get-sum", {"a": 1, "b": 2}),
        ("get-sum", {"a": 0.1, "b": 0.2}),
        ("get-sum", {"a": 1e300, "b": -5}),
        ("get-sum", {"a": 1}),
        ("get-tiny-image", {}),
        ("gzip-file-as-resource", {"name": "a.gz", "data": "data:text/plain;base64,aGVsbG8=", "outputType": "resource"}),
        ("gzip-file-as-resource", {"name": "a.gz", "data": "data:text/plain;base64,aGVsbG8="}),
        ("gzip-file-as-resource", {"name": "a.gz", "data": "http://127.0.0.1:9/"}),
        ("trigger-long-running-operation", {"duration": 1, "steps": 4}),
        ("trigger-elicitation-request", {}),
    ]
    moving = {"get-resource-reference": r"\d{1,2}:\d\d:\d\d( [AP]M)?|\"blob\": \"[^\"]*\""}
    cases = [Case(server, tool, arguments, moving.get(tool)) for tool, arguments in calls]
    return cases + [
        Case(server, "get-env", is_environment=True),
        Case(server, "simulate-research-query", {"topic": "water"}, TASK_ID),
        Case(server, "toggle-simulated-logging", {}, TASK_ID),
        Case(server, "toggle-simulated-logging", {}, TASK_ID),
        Case(server, "toggle-subscriber-updates", {}, TASK_ID),
        Case(server, "toggle-subscriber-updates", {}, TASK_ID),
    ]


def filesystem(files):
    """Reads, changes, reads again; the order counts."""
    a, new = f"{files}/a.txt", f"{files}/new/n.txt"
    edits = [{"oldText": "two", "newText": "TWO"}]
    calls = [
        ("list_allowed_directories", {}),
        ("read_file", {"path": a}),
        ("read_text_file", {"path": a, "head": 2}),
        ("read_text_file", {"path": a, "tail": 1}),
        ("read_text_file", {"path": a, "tail": 1, "head": 1}),
        ("read_text_file", {"path": f"{files}/größe.md"}),
        ("read_text_file", {"path": f"{files}/empty.txt"}),
        ("read_text_file", {"path": f"{files}/nothing.txt"}),
        ("read_text_file", {"path": "/etc/passwd"}),
        ("read_text_file", {"path": f"{files}/../../etc/passwd"}),
        ("read_media_file", {"path": f"{files}/dot.png"}),
        ("read_media_file", {"path": f"{files}/beep.wav"}),
        ("read_multiple_files", {"paths": [a, f"{files}/nothing.txt", f"{files}/inner/b.json"]}),
        ("read_multiple_files", {"paths": []}),
        ("create_directory", {"path": f"{files}/new"}),
        ("write_file", {"path": new, "content": "ä\n\"quoted\"\t{}\r\nlast"}),
        ("read_text_file", {"path": new}),
        ("edit_file", {"path": a, "edits": edits, "dryRun": True}),
        ("read_text_file", {"path": a}),
        ("edit_file", {"path": a, "edits": edits}),
        ("edit_file", {"path": a, "edits": edits}),
        ("read_text_file", {"path": a}),
        ("list_directory", {"path": files}),
        ("list_directory", {"path": f"{files}/nothing"}),
        ("list_directory_with_sizes", {"path": files, "sortBy": "size"}),
        ("list_directory_with_sizes", {"path": files}),
        ("directory_tree", {"path": files}),
        ("directory_tree", {"path": files, "excludePatterns": ["inner"]}),
        ("move_file", {"source": new, "destination": f"{files}/inner/n.txt"}),
        ("move_file", {"source": new, "destination": f"{files}/inner/n.txt"}),
        ("search_files", {"path": files, "pattern": "**/*.txt"}),
        ("search_files", {"path": files, "pattern": "**/*.txt", "excludePatterns": ["inner/**"]}),
        ("get_file_info", {"path": a}),
    ]
    return [Case("filesystem", tool, arguments, FILE_TIMES) for tool, arguments in calls]


def memory():
    """A graph built, read and taken apart."""
    pump = {"name": "pump", "entityType": "machine", "observations": ["hums", "ist laut ✓"]}
    pipe = {"name": "pipe", "entityType": "part", "observations": []}
    feeds = {"from": "pump", "to": "pipe", "relationType": "feeds"}
    calls = [
        ("read_graph", {}),
        ("create_entities", {"entities": [pump, pipe]}),
        ("create_entities", {"entities": [pump]}),
        ("create_relations", {"relations": [feeds]}),
        ("add_observations", {"observations": [{"entityName": "pipe", "contents": ["leaks"]}]}),
        ("add_observations", {"observations": [{"entityName": "nobody", "contents": ["leaks"]}]}),
        ("search_nodes", {"query": "laut"}),
        ("open_nodes", {"names": ["pipe", "nobody"]}),
        ("read_graph", {}),
        ("delete_observations", {"deletions": [{"entityName": "pump", "observations": ["hums"]}]}),
        ("delete_relations", {"relations": [feeds]}),
        ("delete_entities", {"entityNames": ["pipe"]}),
        ("read_graph", {}),
    ]
    return [Case("memory", tool, arguments) for tool, arguments in calls]


def thinking():
    """Numbers, flags and branches of thoughts."""
    first = {"thought": "first", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 2}
    calls = [
        first,
        {**first, "thoughtNumber": 2, "isRevision": True, "revisesThought": 1},
        {**first, "thoughtNumber": 3, "branchFromThought": 1, "branchId": "b", "needsMoreThoughts": True},
        {**first, "nextThoughtNeeded": False},
        {**first, "nextThoughtNeeded": "false"},
        {**first, "thoughtNumber": 0},
        {"thought": "first"},
    ]
    return [Case("sequential-thinking", "sequentialthinking", arguments) for arguments in calls]


def time():
    """Now, and elsewhere."""
    return [
        Case("time", "get_current_time", {"timezone": "Europe/Berlin"}, CLOCK),
        Case("time", "get_current_time", {"timezone": "Mars/Base"}),
        Case("time", "get_current_time", {}),
        Case("time", "convert_time", convert("Asia/Tokyo"), CLOCK),
        Case("time", "convert_time", {**convert("Asia/Tokyo"), "time": "25:99"}, CLOCK),
    ]


def convert(target):
    return {"source_timezone": "UTC", "time": "12:30", "target_timezone": target}


def git(repo):
    """A commit from the first look to the second branch."""
    here = {"repo_path": repo}
    calls = [
        ("git_status", {}),
        ("git_diff_unstaged", {}),
        ("git_diff_unstaged", {"context_lines": 0}),
        ("git_diff_staged", {}),
        ("git_add", {"files": ["readme"]}),
        ("git_add", {"files": ["nothing"]}),
        ("git_diff_staged", {"context_lines": 1}),
        ("git_reset", {}),
        ("git_add", {"files": ["readme"]}),
        ("git_commit", {"message": "second\n\nwith „quotes“"}),
        ("git_log", {}),
        ("git_log", {"max_count": 1}),
        ("git_log", {"start_timestamp": "2026-01-01", "end_timestamp": None}),
        ("git_show", {"revision": "HEAD"}),
        ("git_show", {"revision": "nothing"}),
        ("git_create_branch", {"branch_name": "side", "base_branch": "main"}),
        ("git_create_branch", {"branch_name": "side"}),
        ("git_checkout", {"branch_name": "side"}),
        ("git_checkout", {"branch_name": "nowhere"}),
        ("git_diff", {"target": "HEAD~1"}),
        ("git_diff", {"target": "--output=made-up.txt"}),
        ("git_branch", {"branch_type": "local"}),
        ("git_branch", {"branch_type": "all", "contains": "HEAD"}),
        ("git_status", {"repo_path": "/"}),
    ]
    return [Case("git", tool, {**here, **arguments}) for tool, arguments in calls]


def fetch(page):
    """A page on this machine, in pieces too."""
    calls = [
        {"url": page},
        {"url": page, "raw": True},
        {"url": page, "max_length": 10, "start_index": 5},
        {"url": page + "nothing"},
        {"url": "http://127.0.0.1:9/"},
        {"url": page, "max_length": 0},
        {"url": "no url"},
    ]
    return [Case("fetch", "fetch", arguments) for arguments in calls]
