# Reads R CMD check's 00check.log and prints a line an item: result, "check", item, what it said.
# An item that ends in OK passed; one with a NOTE, WARNING or ERROR failed; the outcome stands on
# the item's own line or alone on one of the lines below it. A log without a Status line is a check
# that did not come to its end.
function finish() {
  if (item == "") return
  gsub(/\t/, " ", said)
  if (length(said) > 300) said = substr(said, 1, 300) " ..."
  if (outcome == "OK") print "pass\tcheck\t" item "\t1\t"
  else if (outcome ~ /^(NOTE|WARNING|ERROR|FAILED|FAIL)$/)
    print "fail\tcheck\t" item "\t1\t" outcome ":" said
  else if (outcome == "SKIPPED") print "skip\tcheck\t" item "\t1\t" said
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
