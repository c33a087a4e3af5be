# Data spread over R processes: each worker of a cluster of the package parallel has a data frame of
# the same name and counts it by memory_counter(). This file merges their answers.

cluster_counter <- function(source, terms, engine, frame) {
  s <- new.env(parent = emptyenv())
  terms <- terms[c("response", "predictors", "weights", "task")] # not the formula's environment
  terms$type <- source$types[[terms$response]]
  ask <- function(f, ...) {
    answers <- ask_workers(source$con, f, ...)
    s$answered <- attributes(answers)[c("bytes", "plan")]
    unname(answers)
  }
  of_all <- function(method, ...) ask("use_part", method, ...)
  close <- function() try(ask("close_part"), silent = TRUE)
  close_at_end(close, frame)
  levels <- ask("part_levels", source$query, c(terms$predictors, terms$response))
  levels <- do.call(Map, c(list(f = function(...) unique(c(...))), levels))
  ask("open_part", source$query, levels, terms, engine)
  counter <- noted_counter(
    s,
    meta = function() merge_meta(of_all("meta"), terms, engine),
    encode = function(codes) invisible(of_all("encode", codes, s$meta$response)),
    cuts = function(column, k) merge_cuts(of_all("cuts", column, k), s$meta$parts, k),
    counts = function(frontier, what) merge_counts(of_all("counts", frontier, what)),
    inside = function(asks) merge_inside(of_all("inside", asks)),
    rows = function(frontier) merge_rows(of_all("rows", frontier), s$meta$response$levels),
    close = close
  )
  ask_meta <- counter$meta
  counter$meta <- function() s$meta <- s$meta %||% ask_meta()
  counter
}

merge_meta <- function(parts, terms, engine) {
  of <- function(what) lapply(parts, `[[`, what)
  columns <- do.call(Map, c(list(f = function(...) merge_column(list(...), engine)), of("columns")))
  weight <- unlist(of("weight"))
  dropped <- sum(unlist(of("dropped")))
  response <- of("response")
  response <- if (response[[1L]]$kind == "class") {
    merge_classes(response, terms)
  } else {
    merge_numbers(response, terms$response)
  }
  list(
    n = sum(unlist(of("n"))), parts = unlist(of("n")), weight = if (!is.null(weight)) sum(weight),
    columns = columns, response = c(response, dropped = dropped), dropped = dropped
  )
}

# By now, the levels of a factor are the same in all parts.
merge_column <- function(parts, engine) {
  of <- function(what) lapply(parts, `[[`, what)
  out <- parts[[1L]]
  values <- unique(unlist(of("values")))
  if (out$kind == "numeric") {
    many <- any(vapply(of("values"), is.null, NA)) || length(values) > engine$max_values
    values <- if (!many) sort(values)
    out$ptype <- c(Filter(is.double, of("ptype")), of("ptype"))[[1L]]
  } else if (is.character(out$ptype)) {
    values <- sort(values, method = "radix")
  }
  out["values"] <- list(values)
  known <- unlist(of("range"))
  out["range"] <- list(if (length(known)) range(known))
  out$missing <- sum(unlist(of("missing")))
  out
}

# Classes are in the order of factor() or code_classes().
merge_classes <- function(parts, terms) {
  out <- parts[[1L]]
  levels <- unique(unlist(lapply(parts, `[[`, "levels")))
  made <- identical(terms$task, "class") && !grepl("factor", terms$type)
  if (made && terms$type == "numeric") {
    levels <- levels[order(as.numeric(levels))]
  } else if (made) {
    levels <- sort(levels)
  } else if (is.character(out$ptype)) {
    levels <- sort(levels, method = "radix")
  }
  list(kind = "class", levels = levels, ptype = out$ptype)
}

# The unit is the first one in which the values of all parts are whole.
merge_numbers <- function(parts, name) {
  some <- Filter(function(part) part$n > 0, parts)
  if (length(some) == 0L) {
    return(parts[[1L]])
  }
  of <- function(what) vapply(some, `[[`, 0, what)
  mean <- stats::weighted.mean(of("mean"), of("n"))
  facts <- list(
    n = sum(of("n")), mean = mean, weight = sum(of("weight")),
    squares = sum(of("squares") + of("weight") * (of("mean") - mean)^2),
    range = range(unlist(lapply(some, `[[`, "range"))), least = least_size(of("least")),
    scales = Reduce(intersect, lapply(some, `[[`, "scales")), exponent = max(of("exponent"))
  )
  c(list(kind = "number"), facts, number_units(facts, name))
}

merge_counts <- function(parts) cell_table(list(add_up(bind_cells(parts))))

# A part of a bin has the smallest and the largest value that any worker found in it.
merge_inside <- function(parts) {
  cells <- bind_cells(parts)
  part <- group_of(unname(cells[c("ask", "part")]))
  cells$value <- -least_of(-cells$value, part)
  cells$least <- least_of(cells$least, part)
  merge_counts(list(cells[setdiff(names(cells), c("ask", "part"))]))
}

# About k of the values that the workers return; each value stands for a share of a worker's rows.
merge_cuts <- function(parts, rows, k) {
  parts <- lapply(parts, function(x) x[!is.na(x)])
  share <- rep(rows / pmax(lengths(parts), 1L), lengths(parts))
  values <- unlist(parts)
  order <- order(values)
  up_to <- cumsum(share[order]) / sum(share)
  unique(values[order][findInterval(seq_len(k - 1) / k, up_to) + 1L])
}

# rbind() merges levels in order of appearance.
merge_rows <- function(parts, levels) {
  lapply(do.call(Map, c(list(f = rbind), parts)), function(rows) {
    y <- rows[["y"]]
    if (is.factor(y)) rows[["y"]] <- factor(y, levels, ordered = is.ordered(y))
    rows
  })
}

# Communication with the workers of a cluster, and errors of workers.

# Like new_source(), with the types of columns. Parts without rows are ignored, as in rbind().
cluster_source <- function(cl, table) {
  if (!is.function(table) && (!is_string(table) || !nzchar(table))) {
    tec_abort("data", c(
      "{.arg data} is a cluster: {.arg table} must name the data frame that each worker has.",
      x = "It is {describe(table)}.",
      i = "For example {.code parallel::clusterEvalQ(cl, part <- read.csv(\"part.csv\"))}, then
           {.code table = \"part\"}.",
      i = "Or give as {.arg table} a function with which each worker reads its part."
    ))
  }
  names(cl) <- seq_along(cl)
  close <- function() try(ask_workers(cl, "forget_part"), silent = TRUE)
  opened <- FALSE
  on.exit(if (!opened) close())
  parts <- ask_workers(cl, "describe_part", table)
  used <- vapply(parts, function(part) part$rows > 0, NA)
  used[1L] <- used[1L] || !any(used)
  types <- lapply(parts[used], `[[`, "types")
  for (worker in names(types)) {
    check_same_types(types[[1L]], types[[worker]], names(types)[1L], worker)
  }
  opened <- TRUE
  list(
    con = cl[used], query = table, names = names(types[[1L]]), types = types[[1L]],
    rows = sum(vapply(parts, `[[`, 0, "rows")),
    close = close
  )
}

check_same_types <- function(first, other, worker, other_worker) {
  lost <- c(setdiff(names(first), names(other)), setdiff(names(other), names(first)))
  differ <- lost[1L]
  if (length(lost) == 0L) differ <- names(first)[first != other[names(first)]][1L]
  if (is.na(differ)) {
    return(invisible())
  }
  found <- c(first[differ], other[differ])
  found <- ifelse(is.na(found), "missing", found)
  tec_abort("cluster", c(
    "The parts of a table must have the same columns, of the same types.",
    x = "{.field {differ}}: {found[1L]} in worker {worker}, {found[2L]} in worker {other_worker}.",
    i = "Change it there: {.code parallel::clusterEvalQ(cl[{other_worker}], part$x <- ...)}."
  ))
}

# Calls a function of this package by its name in each worker, because a worker without the package
# could not read the function itself. The answers are named by worker.
ask_workers <- function(cl, f, ...) {
  cluster_state$turn <- turn <- (cluster_state$turn %||% 0) + 1
  call <- substitute(
    tryCatch(
      c(list(turn = turn), getNamespace("tectree")$answer_call(version, f, arguments)),
      error = function(e) {
        list(turn = turn, failed = list(class = class(e), message = c(e$message, e$body)))
      }
    ),
    list(
      turn = turn, version = getNamespaceVersion("tectree")[["version"]], f = f,
      arguments = list(...)
    )
  )
  # An interrupt waits until all workers have answered, so that no answer is left behind.
  answers <- tryCatch(
    suspendInterrupts({
      answers <- parallel::clusterCall(cl, eval, call)
      Map(own_answer, unclass(cl), answers, turn)
    }),
    error = but_limits(function(e) abort_gone(cl, conditionMessage(e)))
  )
  for (i in seq_along(cl)) check_answer(answers[[i]], turn, names(cl)[i])
  seconds <- vapply(answers, `[[`, 0, "seconds")
  structure(
    lapply(answers, `[[`, "value"), names = names(cl),
    bytes = as.double(utils::object.size(answers)),
    plan = paste(paste(round(seconds, 2), collapse = " + "), "s")
  )
}

# In the coordinator: the number of the last call. In a worker: its counter.
cluster_state <- new.env(parent = emptyenv())

# A worker may first return the answer to an interrupted call of the user.
own_answer <- function(node, answer, turn) {
  by_socket <- inherits(node, c("SOCKnode", "SOCK0node"))
  while (by_socket && !is_answer_to(answer, turn)) answer <- unserialize(node$con)[["value"]]
  answer
}

is_answer_to <- function(answer, turn) is.list(answer) && identical(answer[["turn"]], turn)

# An answer to an earlier call would mix up two trees.
check_answer <- function(answer, turn, worker) {
  if (!is_answer_to(answer, turn)) {
    tec_abort("cluster", c(
      "Worker {worker} gave the answer to an earlier call, which was interrupted.",
      i = "Stop the cluster, create it again and read the parts."
    ))
  }
  failed <- answer$failed
  if (!is.null(failed)) {
    topic <- sub("^tec_error_", "", c(grep("^tec_error_", failed$class, value = TRUE), "cluster"))
    message <- stats::setNames(escape_braces(failed$message), names(failed$message))
    message[1L] <- paste0("Worker ", worker, ": ", message[1L])
    tec_abort(topic[1L], message)
  }
}

abort_gone <- function(cl, message) {
  alive <- vapply(names(cl), function(worker) {
    tryCatch(is.list(parallel::clusterCall(cl[worker], Sys.getpid)), error = function(e) FALSE)
  }, NA)
  gone <- names(cl)[!alive]
  lost <- "{cli::qty(length(gone))}Worker{?s} {gone} no longer answer{?s/}."
  tec_abort("cluster", c(
    if (length(gone)) lost else "The cluster cannot be called.",
    x = escape_braces(message),
    i = "Stop the cluster, create it again and read the parts."
  ))
}

# The functions below run in the workers.

answer_call <- function(version, f, arguments) {
  own <- getNamespaceVersion("tectree")[["version"]]
  if (!identical(version, own)) {
    tec_abort("cluster", "It has version {own} of tectree, but this session has version {version}.")
  }
  started <- sum(proc.time()[1:2])
  value <- do.call(f, arguments, quote = TRUE)
  list(value = value, seconds = sum(proc.time()[1:2]) - started)
}

# The part of a worker, by name, or as it was read when the fit began.
get_part <- function(table) {
  if (is.function(table)) cluster_state$part else get0(table, globalenv(), inherits = FALSE)
}

# An interrupt in a terminal also reaches the workers, which must outlive the fit. They ignore it
# from describe_part() to forget_part().
forget_part <- function() {
  cluster_state$part <- NULL
  tec_ignore_interrupts_(FALSE)
}

describe_part <- function(table) {
  tec_ignore_interrupts_(TRUE)
  if (is.function(table)) cluster_state$part <- table()
  part <- get_part(table)
  if (!is.data.frame(part) && is.function(table)) {
    tec_abort("cluster", c(
      "The function {.arg table} must return a data frame.",
      x = "It returned {describe(part)} there."
    ))
  }
  if (!is.data.frame(part)) {
    tec_abort("cluster", c(
      "It has no data frame {.code {table}} in its global environment.",
      x = "Found there: {describe(part)}.",
      i = "For example {.code parallel::clusterEvalQ(cl, {table} <- read.csv(\"part.csv\"))}."
    ))
  }
  list(rows = as.double(nrow(part)), types = vapply(part, column_type, ""))
}

# Integers and doubles are one type.
column_type <- function(x) {
  class <- if (is.numeric(x) && !is.object(x)) "numeric" else class(x)
  paste(c(class, attr(x, "units")), collapse = " ")
}

send_part <- function(table, columns) get_part(table)[columns]

part_levels <- function(table, columns) {
  lapply(as.list(get_part(table))[columns], levels)
}

# Factors get the levels of all parts, as from rbind().
open_part <- function(table, levels, terms, engine) {
  part <- as.list(get_part(table))
  for (name in names(levels)) {
    x <- part[[name]]
    if (is.factor(x) && !identical(levels(x), levels[[name]])) {
      part[[name]] <- factor(x, levels[[name]], ordered = is.ordered(x))
    }
  }
  y <- part[[terms$response]]
  part[[terms$response]] <- check_response(y, terms$response, length(y))
  check_whole(part, terms$weights, "weights", 0)
  check_whole(part, engine$key, "key", -2^53)
  cluster_state$counter <- memory_counter(
    part, terms$response, terms$predictors, terms$weights, engine$key, terms$task, engine
  )
  NULL
}

check_whole <- function(part, name, arg, least) {
  if (is.null(name)) {
    return(invisible())
  }
  x <- part[[name]]
  right <- is.numeric(x) && !anyNA(x) && all(x == floor(x) & x >= least & x <= 2^53)
  if (!right) {
    tec_abort(arg, c(
      "{.arg {arg}} must be {if (arg == 'key') 'whole numbers' else 'whole numbers, 0 or more'}.",
      x = "Not every row of {.field {name}} has one.",
      i = "Counts must be exact in whatever order they are added."
    ))
  }
}

use_part <- function(method, ...) cluster_state$counter[[method]](...)

close_part <- function() cluster_state$counter <- NULL
