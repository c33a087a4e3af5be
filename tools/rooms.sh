#!/bin/sh
# The order of the rooms (tools/rooms.txt) against the includes of the core:
#
#   sh tools/rooms.sh [FOLDER]   inst/include/tectree if not given
#
# Lists every include that runs up, every circle of rooms or of files, and every room that the order
# does not name; the exit status is 0 where there is none.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
core=${1:-$(dirname "$tools")/inst/include/tectree}
find "$core" -name '*.hpp' | sort |
  xargs awk -v rooms="$tools/rooms.txt" -v core="$core" -f "$tools/rooms.awk" "$tools/rooms.txt"
