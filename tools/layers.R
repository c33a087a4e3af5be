# Checks R/ against tools/layers.txt: each file is in one layer, no function calls one of a higher
# layer, and no files call each other in a circle. Run at the root: Rscript tools/layers.R

lines <- grep("^#", readLines("tools/layers.txt"), value = TRUE, invert = TRUE)
opens <- grepl("^[a-z]+:$", lines)
layer_of <- rep(rev(seq_len(sum(opens))), table(cumsum(opens))) # from the roof down
layer_name <- rev(sub(":$", "", lines[opens]))
names <- strsplit(trimws(lines[!opens]), " +")
layer <- stats::setNames(rep(layer_of[!opens], lengths(names)), paste0(unlist(names), ".R"))

files <- setdiff(list.files("R", "[.]R$"), "RcppExports.R")
faults <- c(
  sprintf("R/%s is in no layer", setdiff(files, names(layer))),
  sprintf("there is no R/%s", setdiff(names(layer), files)),
  sprintf("R/%s is in two layers", names(layer)[duplicated(names(layer))])
)

is_definition <- function(e) {
  is.call(e) && as.character(e[[1L]])[1L] %in% c("<-", "=") && is.symbol(e[[2L]])
}
used_in <- function(e) {
  f <- function() NULL
  body(f) <- e
  codetools::findGlobals(f)
}
parts <- do.call(rbind, lapply(files, function(file) {
  expressions <- as.list(parse(file.path("R", file), keep.source = FALSE))
  name <- vapply(expressions, function(e) if (is_definition(e)) as.character(e[[2L]]) else "", "")
  data.frame(file = rep(file, length(name)), name, expression = I(expressions))
}))
defined <- parts[nzchar(parts$name), ]
home <- stats::setNames(defined$file, defined$name)
calls <- do.call(rbind, lapply(seq_len(nrow(parts)), function(i) {
  to <- intersect(used_in(parts$expression[[i]]), names(home))
  to <- to[home[to] != parts$file[i]]
  data.frame(
    from = rep(parts$file[i], length(to)), caller = rep(parts$name[i], length(to)),
    to = unname(home[to]), callee = to
  )
}))

up <- calls[which(layer[calls$from] < layer[calls$to]), ]
faults <- c(faults, sprintf(
  "R/%s: %s() of %s calls %s() of %s (R/%s)", up$from, up$caller, layer_name[layer[up$from]],
  up$callee, layer_name[layer[up$to]], up$to
))

# Files that call none of the remaining files, or that none of them calls, are in no circle.
left <- unique(calls[c("from", "to")])
repeat {
  inner <- left$from %in% left$to & left$to %in% left$from
  if (all(inner)) break
  left <- left[inner, ]
}
circle <- calls[paste(calls$from, calls$to) %in% paste(left$from, left$to), ]
faults <- c(faults, sprintf(
  "R/%s: in a circle of files, %s() calls %s() (R/%s)", circle$from, circle$caller, circle$callee,
  circle$to
))

writeLines(faults)
if (length(faults)) quit(status = 1L)
