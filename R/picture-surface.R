# The partition of two predictors: its rectangles, and its chart.

surface_picture <- function(fit, rows, options) {
  if (length(fit$columns$name) < 2L) {
    tec_abort("argument", c(
      "{.code type = \"surface\"} needs two predictors.",
      x = "The tree has {length(fit$columns$name)}."
    ))
  }
  pair <- picture_columns(fit, options$predictors, 2L)
  used <- sort(unique(c(needed_columns(fit), pair)))
  values <- code_newdata(fit, rows$data, used, rows$env, arg = "data")
  fixed <- fixed_values(fit, values, setdiff(used, pair), options$at, rows$env)
  points <- lapply(values[pair], as.double)
  cells <- lapply(1:2, function(i) {
    x <- points[[i]]
    range <- suppressWarnings(range(x[is.finite(x)], column_cuts(fit$tree, pair[i])))
    column_cells(fit, pair[i], if (all(is.finite(range))) padded(range, 0.03) else c(0, 1))
  })
  size <- lengths(lapply(cells, `[[`, "value"))
  grid <- vector("list", length(fit$columns$name))
  for (j in names(fixed)) {
    grid[[as.integer(j)]] <- rep(as_code(fit, as.integer(j), fixed[[j]]), prod(size))
  }
  grid[[pair[1L]]] <- as_code(fit, pair[1L], rep(cells[[1L]]$value, size[2L]))
  grid[[pair[2L]]] <- as_code(fit, pair[2L], rep(cells[[2L]]$value, each = size[1L]))
  node <- matrix(predict_coded(fit, grid, prod(size), "node"), size[1L])
  boxes <- merge_cells(node)
  answer <- boxes$left + (boxes$low - 1L) * size[1L]
  table <- data.frame(
    node = boxes$node,
    xmin = cells[[1L]]$from[boxes$left], xmax = cells[[1L]]$to[boxes$right],
    ymin = cells[[2L]]$from[boxes$low], ymax = cells[[2L]]$to[boxes$high],
    prediction = predict_coded(fit, grid, prod(size))[answer]
  )
  truth <- node_response(fit, rows$data, rows$y, rows$env)
  as_picture(
    table, "surface", fit = picture_facts(fit), columns = pair, fixed = fixed,
    points = data.frame(x = points[[1L]], y = points[[2L]], response = truth)
  )
}

# The fixed values of the other columns, named by their numbers.
fixed_values <- function(fit, values, others, at, env) {
  if (is.null(at)) {
    typical <- function(j) {
      x <- values[[j]]
      if (fit$columns$kind[j] == "numeric") {
        return(stats::median(as.double(x), na.rm = TRUE))
      }
      which.max(tabulate(x, length(fit$columns$levels[[j]])))
    }
    return(stats::setNames(lapply(others, typical), others))
  }
  at <- check_newdata(at, "at")
  if (nrow(at) != 1L) {
    tec_abort("argument", c("{.arg at} must be one row.", x = "It has {nrow(at)}."))
  }
  stats::setNames(lapply(code_newdata(fit, at, others, env, arg = "at")[others], as.double), others)
}

# Rectangles of equal cells: along the first dimension, then those alike in the next lines.
merge_cells <- function(node) {
  open <- data.frame(node = integer(), left = integer(), right = integer(), low = integer())
  done <- list()
  close <- function(gone, high) {
    if (any(gone)) done[[length(done) + 1L]] <<- cbind(open[gone, ], high = high)
  }
  for (line in seq_len(ncol(node))) {
    runs <- rle(node[, line])
    right <- cumsum(runs$lengths)
    now <- data.frame(node = runs$values, left = right - runs$lengths + 1L, right = right)
    key <- function(t) paste(t$node, t$left, t$right)
    same <- match(key(now), key(open))
    close(!seq_along(open$node) %in% same, line - 1L)
    now$low <- ifelse(is.na(same), line, open$low[same])
    open <- now
  }
  close(rep(TRUE, nrow(open)), ncol(node))
  out <- do.call(rbind, done)
  rownames(out) <- NULL
  out
}

surface_chart <- function(picture, facts, palette, ink) {
  response <- facts$fit$response
  points <- facts$points
  seen <- !is.na(points$x) & !is.na(points$y) & !is.na(points$response)
  points <- points[seen, , drop = FALSE]
  # If there are many rows, an evenly spaced selection.
  if (nrow(points) > 3000L) points <- points[round(seq(1, nrow(points), length.out = 3000)), ]
  fill <- surface_colours(response, palette, picture$prediction, points$response)
  pale <- if (is_dark(ink$ground)) 0.55 else 0.45
  ground <- rep(ink$ground, nrow(picture))
  columns <- facts$columns
  for (axis in 1:2) {
    levels <- facts$fit$columns$kind[columns[axis]] != "numeric"
    if (levels) points[[axis]] <- points[[axis]] + aside(nrow(points), axis)
  }
  list(
    title = response_title(facts, "Prediction"), keys = fill$keys,
    caption = fixed_text(facts),
    x = column_axis(facts, columns[1L], range(picture$xmin, picture$xmax)),
    y = column_axis(facts, columns[2L], range(picture$ymin, picture$ymax)),
    layers = list(
      chart_layer("rect", xmin = picture$xmin, xmax = picture$xmax, ymin = picture$ymin,
        ymax = picture$ymax, colour = mixed_colours(fill$boxes, ground, pale), frame = ink$line
      ),
      chart_layer("point", x = points$x, y = points$y, colour = fill$points, frame = ink$frame,
        width = max(0.4, min(1, 12 / sqrt(nrow(points) + 1)))
      )
    )
  )
}

# Rows of one level side by side; their order has no meaning.
aside <- function(n, turn) ((seq_len(n) * c(0.754878, 0.569840)[turn]) %% 1 - 0.5) * 0.7

# list(boxes, points, keys)
surface_colours <- function(response, palette, prediction, truth) {
  if (response$task == "classification") {
    colours <- class_palette(list(response = response), palette)
    return(list(
      boxes = colours[as.integer(prediction)], points = colours[truth],
      keys = list(text = show_label(response$levels), colours = colours)
    ))
  }
  ends <- class_palette(list(response = response), palette)
  marks <- pretty(c(prediction, truth), 4L)
  all <- value_colours(c(prediction, truth, marks), ends)
  box <- seq_along(prediction)
  list(
    boxes = all[box], points = all[length(box) + seq_along(truth)],
    keys = list(text = number_text(marks), colours = utils::tail(all, length(marks)))
  )
}

mixed_colours <- function(colours, ground, share) {
  mix <- grDevices::col2rgb(colours) * share + grDevices::col2rgb(ground) * (1 - share)
  grDevices::rgb(t(mix), maxColorValue = 255)
}

fixed_text <- function(facts) {
  fixed <- facts$fixed
  if (length(fixed) == 0L) {
    return(NULL)
  }
  columns <- facts$fit$columns
  text <- vapply(names(fixed), function(j) {
    j <- as.integer(j)
    paste(show_names(columns$name[j]), "=", value_text(columns, j, fixed[[as.character(j)]], 4L))
  }, "")
  more <- length(text) - 4L
  paste("At", paste(c(utils::head(text, 4L), if (more > 0L) paste(more, "more")), collapse = ", "))
}
