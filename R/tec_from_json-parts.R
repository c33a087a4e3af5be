# Tested in test-tec_json.R and test-tec_json-random.R.
# Reads the text, the parts of a tree, and the parts that all models share.

# Text without the name of the format is refused before the parser reads it, however long it is.
check_json_name <- function(text) {
  if (!grepl("\"tectree\"", text, fixed = TRUE, useBytes = TRUE)) {
    abort_export(
      "{.arg json} is not a model that {.fn tec_json} wrote.",
      x = "It lacks {.code \"format\": \"tectree\"}."
    )
  }
}

# A parser calls itself for each level, so very many levels would end the session. No model has more
# than ten.
check_json_depth <- function(text, most = 50L) {
  bytes <- charToRaw(text)
  state <- list(depth = 0L, most = 0L, inside = 0L, slashes = 0L)
  for (from in seq(1, length(bytes), by = 1e6)) {
    state <- json_depth(bytes[from:min(from + 999999, length(bytes))], state)
    if (state$most > most) {
      abort_export(
        "{.arg json} is not a model that {.fn tec_json} wrote.",
        x = "It has more than {most} nested lists or objects."
      )
    }
  }
}

# The change of the depth at each byte: brackets and braces.
json_steps <- replace(integer(256L), c(0x5b, 0x7b, 0x5d, 0x7d) + 1, c(1L, 1L, -1L, -1L))

# Brackets inside strings do not count. `state`, after the bytes before: the depth, the largest so
# far, whether a string is open, and how many backslashes came last.
json_depth <- function(bytes, state) {
  n <- length(bytes)
  quote <- bytes == as.raw(0x22)
  slash <- bytes == as.raw(0x5c)
  # A quote after an odd number of backslashes belongs to a string.
  plain <- which(!slash)
  run <- seq_len(n) - c(-state$slashes, plain)[cumsum(!slash) + 1L]
  quote <- quote & c(state$slashes, run[-n]) %% 2L == 0L
  inside <- (state$inside + cumsum(quote)) %% 2L
  step <- json_steps[as.integer(bytes) + 1L]
  depth <- state$depth + cumsum(step * (1L - inside))
  list(depth = depth[n], most = max(state$most, depth), inside = inside[n], slashes = run[n])
}

# JSON starts with a bracket. Other text of one line is the name of a file.
read_json_text <- function(json) {
  if (!is.character(json) || length(json) == 0L || anyNA(json)) {
    tec_abort("argument", c(
      "{.arg json} must be text, or the name of a file.", x = "It is {describe(json)}."
    ))
  }
  json <- unclass(json)
  if (length(json) == 1L && !grepl("^(\xef\xbb\xbf)?[[:space:]]*[[{]", json, useBytes = TRUE)) {
    json <- read_json_file(json)
  }
  text <- enc2utf8(paste(json, collapse = "\n"))
  # enc2utf8() escapes bytes that are not text.
  if (!all(validEnc(json)) || !validUTF8(text)) {
    tec_abort("argument", c(
      "{.arg json} must be text in UTF-8.", x = "It has bytes that are not.",
      i = "Read a file in another encoding with {.code readLines(file(name, encoding = ))}."
    ))
  }
  if (startsWith(text, "\ufeff")) substring(text, 2L) else text
}

read_json_file <- function(name) {
  valid <- validEnc(name)
  if (!valid || !file.exists(name)) {
    said <- "It is neither."
    if (valid && nchar(name) <= 200L) said <- "There is no file {.file {name}}."
    tec_abort("argument", c("{.arg json} must be text of JSON, or the name of a file.", x = said))
  }
  if (dir.exists(name)) {
    tec_abort("argument", c(
      "{.arg json} must be the name of a file.", x = "{.file {name}} is a folder."
    ))
  }
  tryCatch(
    readLines(name, encoding = "UTF-8", warn = FALSE),
    error = but_limits(function(e) abort_export("{.file {name}} cannot be read.")),
    warning = function(w) abort_export("{.file {name}} cannot be read.")
  )
}

json_levels <- function(parts) {
  if (parts$task == "classification") read_strings(parts$response$levels)
}

json_column_list <- function(columns) {
  list(
    name = vapply(columns, `[[`, "", "name"), kind = vapply(columns, `[[`, "", "kind"),
    levels = lapply(columns, function(x) if (x$kind != "numeric") read_strings(x$levels)),
    ptype = lapply(columns, json_ptype)
  )
}

json_response <- function(parts, levels) {
  list(
    name = parts$response$name, task = parts$task, levels = levels,
    ptype = json_ptype(parts$response)
  )
}

json_cost_matrix <- function(cost, levels) {
  if (is.null(cost)) {
    return(NULL)
  }
  cost <- do.call(rbind, lapply(cost, read_numbers))
  structure(cost, dimnames = list(levels, levels))
}

read_numbers <- function(x) vapply(x, function(v) if (is.null(v)) NA_real_ else as.double(v), 0)

json_criterion <- function(x) {
  do.call(tec_criterion, c(list(x$name), lapply(x[names(x) != "name"], as.double)))
}

json_ptype <- function(x) {
  switch(x$type,
    Date = structure(numeric(), class = "Date"),
    POSIXct = structure(numeric(), class = c("POSIXct", "POSIXt"), tzone = x$zone %||% ""),
    difftime = structure(numeric(), class = "difftime", units = x$units),
    ordered = ordered(character()), factor = factor(character()), character = character(),
    logical = logical(), integer = integer(), double = numeric(), stop("unknown type ", x$type)
  )
}

# A node in the form that assemble_tree() accepts.
json_record <- function(x, columns, classes) {
  out <- list(
    n = x$n, weight = x$weight, prob = read_numbers(x$shares %||% x$prob), impurity = x$impurity,
    yval = if (is.null(classes)) x$value else match(x$value, classes)
  )
  if (is.null(x$column)) {
    return(out)
  }
  children <- as.integer(read_numbers(x$children))
  split <- json_record_split(x, columns)
  default <- if (!is.null(x$default)) match(x$default, children) - 1L
  surrogates <- lapply(x$surrogates, function(s) {
    c(json_record_split(s, columns), list(
      flipped = s$children[[1L]] != children[1L], agree = s$agree %||% NA, adj = s$adj %||% NA
    ))
  })
  c(out, split[names(split) != "cut"], list(
    children = children, default = default, surrogates = surrogates
  ))
}

json_record_split <- function(x, columns) {
  variable <- match(x$column, columns$name)
  kind <- match(x$kind, split_kinds) - 1L
  labels <- columns$levels[[variable]]
  groups <- lapply(x$groups, function(g) match(read_strings(g), labels))
  breaks <- switch(x$kind, level = as.double(length(groups[[1L]])), read_numbers(x$breaks))
  if (x$kind == "intervals" && length(breaks) == length(x$children) - 2L) breaks <- c(breaks, Inf)
  codes <- if (x$kind == "subset") unlist(groups)
  branch <- if (x$kind == "subset") rep(seq_along(groups) - 1L, lengths(groups))
  by <- order(as.integer(codes))
  list(
    variable = variable, kind = kind, breaks = breaks, cut = c(breaks, 0)[1L],
    levels = codes[by], branch = branch[by]
  )
}

# The values of nodes that are read and not computed.
json_facts <- function(fit, parts) {
  read <- function(name) read_numbers(lapply(parts$nodes, `[[`, name))
  fit$tree$impurity <- read("impurity")
  fit$tree$gain <- read("gain")
  fit$tree$score <- read("score")
  fit$tree$exact <- as.logical(read("exact"))
  fit$tree$test <- json_tests(parts$nodes)
  fit$cost <- json_cost_matrix(parts$cost, fit$response$levels)
  check_fit(fit)
  fit
}

# The tests of splits found by p values; NULL if there are none.
json_tests <- function(nodes) {
  tested <- vapply(nodes, function(node) !is.null(node$test), NA)
  if (!any(tested)) {
    return(NULL)
  }
  out <- matrix(NA_real_, length(nodes), 5L, dimnames = list(NULL, test_fields))
  out[tested, ] <- do.call(rbind, lapply(nodes[tested], function(node) read_numbers(node$test)))
  out
}
