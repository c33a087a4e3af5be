#!/bin/sh
# Checks the includes of the core against the order of folders (tools/rooms.txt):
#
#   sh tools/rooms.sh [FOLDER]   inst/include/tectree if not given
#
# Lists every include against the order, every cycle of folders or files, and every folder that is not
# in the order; the exit status is 0 if there are none.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
core=${1:-$(dirname "$tools")/inst/include/tectree}
find "$core" -name '*.hpp' | sort |
  xargs awk -v rooms="$tools/rooms.txt" -v core="$core" -f "$tools/rooms.awk" "$tools/rooms.txt"
