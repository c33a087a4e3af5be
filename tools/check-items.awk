# Reads R CMD check's 00check.log and prints one line per item: result, "check", item, message. An item that
# ends in OK passed; one with a NOTE, WARNING or ERROR failed; the outcome is on the item's own line or
# alone on a later line. A NOTE that the file `expected` explains passed. The tests belong to another stage.
# A log without a Status line is an unfinished check.
BEGIN {
  while (expected != "" && (getline line < expected) > 0) {
    if (line ~ /^#/ || split(line, part, "\t") < 3) continue
    pattern[part[1]] = part[2]
    reason[part[1]] = part[3]
  }
}
function finish() {
  if (item == "") return
  gsub(/\t/, " ", said)
  explained = outcome == "NOTE" && (item in pattern) && said ~ pattern[item]
  if (length(said) > 300) said = substr(said, 1, 300) " ..."
  if (explained) print "pass\tcheck\t" item "\t1\texpected note:" said " (" reason[item] ")"
  else if (outcome == "OK") print "pass\tcheck\t" item "\t1\t"
  else if (outcome ~ /^(NOTE|WARNING|ERROR|FAILED|FAIL)$/)
    print "fail\tcheck\t" item "\t1\t" outcome ":" said
  else if (outcome == "SKIPPED" && item != "tests") print "skip\tcheck\t" item "\t1\t" said
  item = ""; outcome = ""; said = ""
}
/^\* (checking|creating|loading) / {
  finish()
  if (!match($0, / \.\.\./)) next
  item = substr($0, 3, RSTART - 3)
  sub(/^checking /, "", item)
  rest = substr($0, RSTART + RLENGTH)
  sub(/^ *\[[^]]*\]/, "", rest)
  sub(/^ +/, "", rest)
  outcome = rest
  sub(/[^A-Z].*/, "", outcome)
  next
}
/^\* DONE/ { finish(); next }
/^Status: / { finish(); ended = 1; next }
item != "" {
  line = $0
  sub(/^ +/, "", line)
  sub(/^\[[^]]*\] */, "", line)
  if (line ~ /^(OK|NOTE|WARNING|ERROR)$/) outcome = line
  else said = said " | " line
}
END {
  finish()
  if (!ended) print "fail\tcheck\tthe check comes to its end\t1\tno status line in its log"
}
