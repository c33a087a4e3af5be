# Tested in test-view-page.R and test-view-model.R.

# The tree as the page has it: plain vectors by node, in pre-order, without entries that no node
# points to. inst/view/model.js reads them.

view_model <- function(fit, data = NULL, row = NULL) {
  tree <- fit$tree
  inner <- tree$kind != 0L
  used <- c(needed_columns(fit), optional_columns(fit))
  by_set <- which(tree$kind == 4L)
  sets <- set_positions(tree, by_set)
  breaks <- which(tree$kind %in% 1:3)
  weighted <- any(abs(tree$weight - tree$n) > 1e-9 * pmax(1, tree$n))
  model <- list(
    response = fit$response$name, task = fit$response$task, range = range(tree$yval),
    colours = I(class_palette(fit, NULL)), names = I(fit$columns$name),
    columns = lapply(used, view_column, fit = fit, sizes = view_sizes(fit, used, data)),
    unknown = tree$unknown, cost = if (!is.null(fit$cost)) {
      lapply(seq_len(nrow(fit$cost)), function(i) I(unname(fit$cost[i, ])))
    },
    kind = I(tree$kind), variable = I(ifelse(inner, match(tree$variable, used) - 1L, NA)),
    kids = I(ifelse(inner, tree$n_children, 0L)),
    child = I(pool(tree$child, tree$child_start, tree$n_children, which(inner))),
    usual = I(tree$default_child), n = I(tree$n), weight = if (weighted) I(tree$weight),
    value = I(tree$yval - (fit$response$task == "classification")),
    breaks = I(pool(tree$breaks, tree$break_start, tree$break_count, breaks)),
    setSize = I(tree$level_count[by_set]), level = I(tree$level[sets]),
    levelChild = I(tree$level_child[sets]), surrogates = view_surrogates(tree, used)
  )
  shown <- show_names(fit$response$name)
  if (shown != fit$response$name) model$shownResponse <- shown
  model$zone <- unlist(lapply(model$columns, `[[`, "zone"))[1L]
  c(model, view_classes(fit), if (!is.null(row)) list(row = row_lines(fit, row)))
}

# The entries of a pool that belong to some nodes, in their order.
pool <- function(values, start, count, nodes) {
  values[rep(start[nodes], count[nodes]) + sequence(count[nodes])]
}

# Shares are written as counts if possible, which is shorter and more informative.
view_classes <- function(fit) {
  if (fit$response$task != "classification") {
    return(NULL)
  }
  tree <- fit$tree
  cells <- tree$prob * tree$weight
  whole <- round(cells)
  counts <- is.null(fit$class_factors) && all(abs(cells - whole) < 1e-6 * pmax(1, whole))
  cells <- if (counts) whole else tree$prob
  # A leaf that no training row reached has the shares of its parent.
  cells[tree$weight == 0, ] <- tree$prob[tree$weight == 0, ]
  shown <- show_label(fit$response$levels)
  list(
    classes = I(fit$response$levels), counts = counts, cells = I(as.vector(t(cells))),
    smooth = if (smooths(fit)) smoothing(fit)$rows,
    smoothTo = if (smooths(fit) && smooths_to_root(fit)) I(smoothing(fit)$to),
    shownClasses = if (!identical(shown, fit$response$levels)) I(shown)
  )
}

view_column <- function(j, fit, sizes) {
  columns <- fit$columns
  ptype <- columns$ptype[[j]]
  out <- list(name = columns$name[j], kind = columns$kind[j], needed = j %in% needed_columns(fit))
  shown <- show_names(out$name)
  if (shown != out$name) out$shownName <- shown
  if (!is.symbol(fit$predictors[[j]])) out$computed <- TRUE
  if (out$kind != "numeric") {
    out$levels <- I(columns$levels[[j]])
    shown <- show_label(columns$levels[[j]])
    if (!identical(shown, columns$levels[[j]])) out$shown <- I(shown)
    return(out)
  }
  out$type <- quantity(ptype)
  if (out$type == "difftime") out$unit <- units(ptype)
  if (out$type == "POSIXct") {
    zone <- attr(ptype, "tzone") %||% ""
    out$zone <- if (nzchar(zone[1L])) zone[1L] else Sys.timezone() %||% "UTC"
  }
  out[[if (sizes$measured) "deviation" else "largest"]] <- sizes$size[j]
  out
}

# As in explain(); without data, the page uses the value of the row.
view_sizes <- function(fit, used, data) {
  values <- rep(list(NA_real_), length(fit$columns$name))
  none <- if (is.null(data)) 0 else 1
  list(size = change_sizes(fit, used, values, data, none), measured = !is.null(data))
}

view_surrogates <- function(tree, used) {
  if (!tree$by_surrogate || length(tree$surrogate_variable) == 0L) {
    return(NULL)
  }
  at <- sequence(tree$surrogate_count, from = tree$surrogate_start + 1L)
  by_set <- tree$surrogate_kind[at] == 4L
  size <- ifelse(by_set, tree$surrogate_level_count[at], 0L)
  sets <- rep(tree$surrogate_level_start[at], size) + sequence(size)
  list(
    count = I(tree$surrogate_count), variable = I(match(tree$surrogate_variable[at], used) - 1L),
    kind = I(tree$surrogate_kind[at]), flipped = I(as.integer(tree$surrogate_flipped[at])),
    cut = I(tree$surrogate_cut[at]), setSize = I(size), level = I(tree$level[sets]),
    levelChild = I(tree$level_child[sets])
  )
}

# A row as the page reads it: "name = value" lines. `values` are coded.
row_lines <- function(fit, values) {
  columns <- fit$columns
  used <- c(needed_columns(fit), optional_columns(fit))
  text <- vapply(used, function(j) field_text(columns, j, values[[j]]), "")
  paste(paste(quoted_field(columns$name[used]), text, sep = " = "), collapse = "\n")
}

field_text <- function(columns, j, x) {
  if (length(x) == 0L || is.na(x)) {
    return("NA")
  }
  if (columns$kind[j] != "numeric") {
    return(quoted_field(columns$levels[[j]][x]))
  }
  ptype <- columns$ptype[[j]]
  if (inherits(ptype, "Date")) {
    return(format(x))
  }
  if (inherits(ptype, "POSIXct")) {
    return(time_text(as.POSIXct(x), attr(ptype, "tzone") %||% ""))
  }
  exact_number(as.numeric(x))
}

# In the time zone, or in UTC if the clock of the zone shows the hour twice.
time_text <- function(x, zone) {
  shown <- function(x, zone) format(x, "%Y-%m-%d %H:%M:%OS6", tz = zone)
  text <- shown(x, zone)
  twice <- text %in% shown(x + c(-3600, 3600), zone)
  if (twice) paste0(shown(x, "UTC"), "Z") else text
}

quoted_field <- function(x) {
  odd <- grepl("[=,;\t\r\n\"]|^\\s|\\s$|^(NA|NaN|missing|)$", x)
  x[odd] <- paste0("\"", gsub("\"", "\"\"", x[odd], fixed = TRUE), "\"")
  x
}

# ---- the page ----

#' @rdname tec_view
#' @param x The result of `tec_view()`.
#' @param viewer A function that shows a file, or `NULL` for the browser.
#' @export
print.tec_view <- function(x, viewer = getOption("viewer"), ...) {
  refuse_dots("tec_view", ...)
  if (!is.null(viewer) && !is.function(viewer)) {
    tec_abort("argument", c(
      "{.arg viewer} must be a function, or {.code NULL}.", x = "It is {describe(viewer)}."
    ))
  }
  file <- x$file
  if (is.null(file) || !file.exists(file)) {
    # RStudio's viewer shows what lies below tempdir().
    folder <- tempfile("tec_view_")
    dir.create(folder)
    file <- file.path(folder, "index.html")
    write_utf8(x$html, file)
  }
  if (is.function(viewer)) {
    viewer(file)
  } else if (interactive()) {
    utils::browseURL(file)
  } else {
    cat("A page of ", round(nchar(x$html, "bytes") / 1000), " kB: ", file, "\n", sep = "")
  }
  invisible(x)
}

#' @rawNamespace S3method(knitr::knit_print, tec_view)
knit_print.tec_view <- function(x, options = list(), ...) {
  if (!knitr::is_html_output(excludes = c("markdown", "gfm", "epub", "epub2"))) {
    return(knitr::asis_output(paste(c("", "```", x$text, "```", ""), collapse = "\n")))
  }
  # knitr's own default of out.height is NULL.
  height <- options$out.height %||% "560px"
  frame <- paste0(
    "<iframe title=\"Decision tree\" loading=\"lazy\" style=\"width:100%;height:",
    html_text(height), ";border:0\" srcdoc=\"", html_text(x$html), "\"></iframe>"
  )
  knitr::asis_output(paste0("\n\n```{=html}\n", frame, "\n```\n\n"))
}

# The page: fixed parts from inst/view, filled in.
# `texts`: title, facts, data and text.
page_of_tree <- function(texts) {
  names <- c(
    "model", "changes", "text", "row", "draw", "fit", "legend", "answer", "fields", "frame", "page"
  )
  scripts <- vapply(paste0(names, ".js"), function(name) package_text("view", name), "")
  fill(package_text("view", "view.html"), c(
    texts, css = package_text("view", "view.css"), js = paste(scripts, collapse = "\n")
  ))
}

# Replaces each {{name}} of the template by its text; the texts are not searched.
fill <- function(template, texts) {
  pieces <- strsplit(template, "[{][{]|[}][}]")[[1L]]
  named <- seq(2L, length(pieces), by = 2L)
  pieces[named] <- unlist(texts[pieces[named]])
  paste(pieces, collapse = "")
}

html_text <- function(x) {
  for (sign in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c("\"", "&quot;"))) {
    x <- gsub(sign[1L], sign[2L], x, fixed = TRUE)
  }
  utf8(x)
}
