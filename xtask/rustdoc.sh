#!/bin/sh
# rustdoc that holds the error codes of compile_fail tests: a stable one ignores them, and any other mistake would pass for the
# one that is meant. The variable is for rustdoc alone, so that nothing else is built in another way.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
