"""The reference MCP servers in one configuration file, and the folder they work on, the same every time it is made."""

import os
import shutil
import struct
import subprocess
import zlib

# What every commit says of its time and its author, so that hashes are the same every time.
GIT = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "1767323045 +0000",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_COMMITTER_DATE": "1767323045 +0000",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}
NPM = ["everything", "filesystem", "memory", "sequential-thinking"]
PYPI = ["time", "git", "fetch"]


class World:
    """A folder that is made anew with `make`; its path stays, because results name it."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.files, self.repo = self.path("files"), self.path("repo")

    def path(self, *names):
        """A path in it."""
        return os.path.join(self.folder, *names)

    def make(self):
        """Puts everything back as it was."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.files, "inner", "deep"))
        texts = {
            "a.txt": "one\ntwo\nthree\nfour\n",
            "größe.md": "# Größe\n\n„Äpfel“ ✓ 🍎\n",
            "empty.txt": "",
            "inner/b.json": '{"b": [1, 2.50, null]}\n',
            "inner/deep/c.txt": "deep\n",
        }
        for name, text in texts.items():
            self.write(self.path("files", name), text.encode())
        self.write(self.path("files", "dot.png"), png())
        self.write(self.path("files", "beep.wav"), b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt ")
        os.makedirs(self.repo)
        self.write(self.path("repo", "readme"), b"first\n")
        for words in (["init", "-q", "-b", "main"], ["add", "readme"], ["commit", "-q", "-m", "first"]):
            subprocess.run(["git", *words], cwd=self.repo, check=True, env={**os.environ, **GIT})
        self.write(self.path("repo", "readme"), b"first\nsecond\n")

    @staticmethod
    def write(path, data):
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, (1_700_000_000, 1_700_000_000))

    def servers(self, npm, python=None):
        """The `mcpServers` of a configuration file. `npm` and `python` are the folders of the installed programs."""
        programs = os.path.join(npm, "node_modules", ".bin")
        arguments = {
            "filesystem": {"args": [self.files]},
            "memory": {"env": {"MEMORY_FILE_PATH": self.path("memory.jsonl")}},
            "everything": {"env": {"GREETING": "hello ${SHARED_NAME}"}},
            "time": {"args": ["--local-timezone", "UTC"]},
            "git": {"args": ["--repository", self.repo], "env": GIT},
            # Without Node it reads pages by itself; with it, it would install something first.
            "fetch": {"args": ["--allow-private-ips", "--ignore-robots-txt"], "env": {"PATH": "/nowhere"}},
        }
        found = {name: os.path.join(programs, f"mcp-server-{name}") for name in NPM}
        if python:
            found |= {name: os.path.join(python, "bin", f"mcp-server-{name}") for name in PYPI}
        return {name: {"command": command, **arguments.get(name, {})} for name, command in found.items()}


def png():
    """A picture of one dot."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")
