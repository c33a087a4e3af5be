# Files of tec_json() with one change, and an independent reader for those that are accepted.

# Every number of the text in turn becomes each of some others; strings are left alone.
number_mutations <- function(json) {
  json <- unclass(json)
  at <- gregexpr(
    "\"(?:[^\"\\\\]|\\\\.)*\"(*SKIP)(*F)|-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?", json, perl = TRUE
  )[[1L]]
  from <- as.integer(at)
  to <- from + attr(at, "match.length") - 1L
  others <- function(x) {
    value <- as.numeric(x)
    out <- c(
      format(c(value + 1, -value - 1, value + 0.5, value * 1000 + 7), digits = 17), "0", "1e999",
      "null", "\"x\"", "[]"
    )
    setdiff(trimws(out), x)
  }
  unlist(lapply(seq_along(from), function(i) {
    before <- substr(json, 1L, from[i] - 1L)
    after <- substr(json, to[i] + 1L, nchar(json))
    paste0(before, others(substr(json, from[i], to[i])), after)
  }))
}

valid_by_schema <- function(json) {
  python <- Filter(has_jsonschema, c("python3", "/usr/bin/python3"))[1L]
  skip_if(is.na(python), "no python3-jsonschema here")
  schema <- system.file("export", "tree.schema.json", package = "tectree")
  file <- withr::local_tempfile(lines = json)
  code <- paste(
    "import json,sys,jsonschema as j;",
    "s,t=[json.load(open(f,encoding='utf-8')) for f in sys.argv[1:]];",
    "j.Draft7Validator.check_schema(s); j.validate(t,s)"
  )
  args <- c("-W ignore -c", shQuote(code), shQuote(schema), file)
  system2(python, args, stdout = FALSE, stderr = FALSE) == 0L
}

# Predictions straight from the parsed file, for rows whose values are all known.
json_walk <- function(parts, rows) {
  vapply(seq_len(nrow(rows)), function(r) {
    i <- 1L
    while (!is.null(parts$nodes[[i]]$column)) {
      node <- parts$nodes[[i]]
      x <- rows[[node$column]][r]
      branch <- if (length(node$breaks)) {
        sum(unlist(node$breaks) < x) + 1L
      } else {
        which(vapply(node$groups, function(g) as.character(x) %in% unlist(g), NA))
      }
      i <- node$children[[branch]]
    }
    as.integer(i)
  }, 0L)
}

# "refused", or "read" where the tree is what the file says; anything else is an error.
json_outcome <- function(json, rows) {
  fit <- tryCatch(tec_from_json(json), error = identity, warning = identity)
  if (inherits(fit, "condition")) {
    if (inherits(fit, c("tec_error_export", "tec_error_argument"))) {
      return("refused")
    }
    stop("raw: ", conditionMessage(fit))
  }
  said <- jsonlite::parse_json(json)
  again <- jsonlite::parse_json(unclass(tec_json(fit)))
  if (!isTRUE(all.equal(said, again, tolerance = 0))) stop("another tree came back")
  node <- predict(fit, rows, "node")
  if (!identical(node, json_walk(said, rows))) stop("other nodes than the file says")
  response <- as.vector(predict(fit, rows))
  if (!identical(as.character(response), as.character(lapply(said$nodes[node], `[[`, "value")))) {
    stop("other values")
  }
  prob <- if (said$task == "classification") predict(fit, rows, "prob") else 1
  if (any(prob < 0) || any(abs(rowSums(as.matrix(prob)) - 1) > 1e-8)) stop("shares do not sum to 1")
  utils::capture.output(print(fit), print(summary(fit)))
  "read"
}

json_cases <- function() {
  set.seed(3)
  d <- data.frame(
    x = round(stats::rnorm(60), 1),
    size = factor(sample(c("s", "m", "l"), 60, TRUE), c("s", "m", "l"), ordered = TRUE),
    colour = sample(c("red", "blue", "green"), 60, TRUE)
  )
  d$z <- d$x + round(stats::rnorm(60) / 4, 1)
  d$y <- factor(
    ifelse(
      d$x + as.integer(d$size) / 2 + (d$colour == "red") + stats::rnorm(60) / 3 > 1.2, "yes", "no"
    )
  )
  cost <- matrix(c(0, 2, 1, 0), 2)
  grow <- function(...) tec_tree(..., data = d, max_depth = 3, min_bucket = 5, prune = "none")
  list(
    surrogates = list(fit = grow(y ~ ., missing = "surrogate"), rows = d),
    cost = list(
      fit = grow(y ~ ., cost = cost, missing = "majority", nominal = "multiway"), rows = d
    ),
    numbers = list(
      fit = grow(x ~ size + colour, missing = "fractional", criterion = "l2"), rows = d
    ),
    intervals = list(fit = grow(y ~ x, intervals = 3, missing = "drop"), rows = d)
  )
}

# A date, a time of a zone and a difference, by which a number rises.
data_of_times <- function() {
  data.frame(
    day = as.Date("2020-01-01") + 0:59,
    time = as.POSIXct("2020-01-01", tz = "Asia/Tokyo") + (0:59)^2,
    wait = as.difftime((0:59) / 3, units = "hours"), y = seq_len(60)
  )
}

# A function of a change of the parsed file `p` of a fit, and of the text of the error it gives.
json_refuses <- function(fit) {
  parts <- jsonlite::parse_json(unclass(tec_json(fit)))
  function(change, text) {
    changed <- list2env(list(p = parts))
    eval(substitute(change), changed)
    json <- jsonlite::toJSON(changed$p, auto_unbox = TRUE, digits = NA, null = "null")
    fault <- expect_error(tec_from_json(json), class = "tec_error_export")
    said <- gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(fault)))
    expect_match(said, text, fixed = TRUE)
  }
}
