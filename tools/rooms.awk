# Reads tools/rooms.txt, then all headers of the core, and prints one line for each include that violates
# the order of rooms, each circle of rooms or files, and each room that is not listed. rooms.sh calls it.

# The target of the include `path` in a file of `folder`.
function resolve(folder, path,   parts, kept, n, i, k, out) {
  n = split(folder == "" ? path : folder "/" path, parts, "/")
  k = 0
  for (i = 1; i <= n; i++) {
    if (parts[i] == "..") k--
    else if (parts[i] != ".") kept[++k] = parts[i]
  }
  out = kept[1]
  for (i = 2; i <= k; i++) out = out "/" kept[i]
  return out
}

function room_of(file) {
  return sub(/\/[^\/]*$/, "", file) ? file : ""
}

# Walks from `node` along `to[graph, node]`; a node that occurs again on the current path closes a circle.
function walk(graph, node, way,   next_nodes, n, i, at) {
  state[graph, node] = "open"
  n = split(to[graph, node], next_nodes, " ")
  for (i = 1; i <= n; i++) {
    at = next_nodes[i]
    if (state[graph, at] == "open") {
      way = way " > " node " > "
      print "circle of " graph ": " substr(way, index(way, " > " at " > ") + 3) at
      circles++
      way = substr(way, 1, length(way) - length(" > " node " > "))
    } else if (state[graph, at] == "") {
      walk(graph, at, way " > " node)
    }
  }
  state[graph, node] = "done"
}

function add(graph, from, at) {
  if ((graph, from, at) in known) return
  known[graph, from, at] = 1
  to[graph, from] = to[graph, from] " " at
  if (!((graph, from) in listed)) {
    listed[graph, from] = 1
    nodes[graph, ++count[graph]] = from
  }
}

FNR == 1 && FILENAME != rooms {
  file = substr(FILENAME, length(core) + 2)
  room = room_of(file)
  here[room] = 1
}

FILENAME == rooms {
  if (/^#/ || NF == 0) next
  floors++
  for (i = 1; i <= NF; i++) floor[$i] = floors
  next
}

/^#include <tectree\// {
  print file ":" FNR ": the core names its headers in quotes, relative to the file"
  bad++
}

/^#include "/ {
  path = $2
  gsub(/"/, "", path)
  included = resolve(room, path)
  add("files", file, included)
  other = room_of(included)
  # A header outside all rooms, the umbrella header, may include everything and is included by nothing.
  if (other == "") {
    print file ":" FNR ": includes " included ", which is for users of the core"
    bad++
  } else if (room != "" && other != room) {
    if (floor[other] < floor[room]) {
      print file ":" FNR ": " room " includes " included ", of a room above it"
      bad++
    } else {
      add("rooms", room, other)
    }
  }
}

END {
  for (name in here) if (name != "" && !(name in floor)) { print "room " name " is not in " rooms; bad++ }
  for (name in floor) if (!(name in here)) { print rooms " names " name ", which is no room"; bad++ }
  for (i = 1; i <= count["rooms"]; i++)
    if (state["rooms", nodes["rooms", i]] == "") walk("rooms", nodes["rooms", i], "")
  for (i = 1; i <= count["files"]; i++)
    if (state["files", nodes["files", i]] == "") walk("files", nodes["files", i], "")
  exit bad + circles > 0
}
