# The path of one row down the tree.

# list(node =, value = the row's value of what each node tests), or NULL.
row_path <- function(fit, path, env) {
  if (is.null(path)) {
    return(NULL)
  }
  if (!is.data.frame(path) || nrow(path) != 1L) {
    tec_abort("argument", c(
      "{.arg path} must be a data frame of one row.",
      x = if (is.data.frame(path)) "It has {nrow(path)} rows." else "It is {describe(path)}.",
      i = "For example {.code path = newdata[1, ]}."
    ))
  }
  values <- code_rows(fit, path, env, "path")
  node <- predict_paths(fit, values, 1L)[[1L]]$node
  variable <- fit$tree$variable[node]
  value <- rep("", length(node))
  for (i in which(fit$tree$kind[node] != 0L)) {
    value[i] <- value_text(fit$columns, variable[i], values[[variable[i]]], 4L)
  }
  list(node = node, value = value)
}

# The width and colour of the branch to each node.
# None is wider than `most` inches.
branch_pens <- function(view, ink, most, usual = 1) {
  on <- view$on_path
  most <- 96 * most
  width <- if (attr(view, "looks")$by_rows) {
    pmax(0.6, min(10, most) * view$n / max(view$n))
  } else {
    ifelse(on, max(usual, min(3, most)), usual)
  }
  data.frame(width = width, colour = ifelse(on, ink$text, ink$line))
}
