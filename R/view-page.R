# Tested in test-view-page.R and test-view-json.R.

view_tree <- function(fit, file, newrow, data, title, env) {
  others <- if (!is.null(data)) code_rows(fit, check_newdata(data, "data"), env, "data")
  model <- view_model(fit, others)
  if (!is.null(newrow)) {
    model$row <- row_lines(fit, code_rows(fit, one_row(newrow), env, "newrow"))
  }
  text <- utf8(format.tec_tree(fit, width = 80L))
  structure(
    list(html = view_page(fit, model, text, title), file = file, text = text),
    class = "tec_view"
  )
}

check_view_title <- function(title) {
  if (is.null(title)) {
    return(invisible())
  }
  if (!is.character(title) || length(title) != 1L || is.na(title)) {
    tec_abort("argument", c(
      "{.arg title} must be one string, or NULL.", x = "It is {describe(title)}."
    ))
  }
}

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
view_page <- function(fit, model, text, title = NULL) {
  page_of_tree(list(
    title = html_text(title %||% paste("Decision tree for", show_names(fit$response$name))),
    facts = html_text(paste(
      c(paste0("Grown by ", grown_by(fit)), size_of_tree(fit), priors_text(fit)), collapse = "; "
    )),
    data = json(model), text = html_text(paste(text, collapse = "\n"))
  ))
}

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

# JSON for the page. jsonlite writes numbers with at most 15 digits, too few for a threshold that a
# row may lie on; and within a page no text may close its element.

# Vectors of one entry become scalars, but for those in I(). NULL entries of lists are left out.
json <- function(x) {
  if (is.list(x)) {
    x <- x[!vapply(x, is.null, NA)]
    values <- vapply(x, json, "")
    if (is.null(names(x))) {
      return(paste0("[", paste(values, collapse = ","), "]"))
    }
    return(paste0("{", paste0("\"", names(x), "\":", values, collapse = ","), "}"))
  }
  single <- length(x) == 1L && !inherits(x, "AsIs")
  text <- if (is.character(x)) json_strings(x) else json_numbers(unclass(x))
  if (single) text else paste0("[", paste(text, collapse = ","), "]")
}

json_numbers <- function(x) {
  if (is.logical(x)) {
    return(ifelse(is.na(x), "null", ifelse(x, "true", "false")))
  }
  out <- if (is.integer(x)) as.character(x) else exact_number(x)
  out[is.na(x)] <- "null"
  # Above the largest double: JSON has no infinity, but readers parse this number as infinite.
  sub("Inf", "1e999", out, fixed = TRUE)
}

# In quotes, with all special characters of JSON and HTML escaped.
json_strings <- function(x) {
  x <- utf8(x)
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  special <- unique(unlist(regmatches(x, gregexpr("[\u0001-\u001f<>&\u007f\u2028\u2029]", x))))
  for (sign in special) {
    x <- gsub(sign, sprintf("\\u%04x", utf8ToInt(sign)), x, fixed = TRUE)
  }
  paste0("\"", x, "\"", recycle0 = TRUE)
}

# Bytes that are not UTF-8 are shown as bytes.
utf8 <- function(x) {
  x <- enc2utf8(x)
  bad <- !validUTF8(x)
  x[bad] <- iconv(x[bad], "UTF-8", "UTF-8", sub = "byte")
  x
}
