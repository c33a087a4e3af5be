  read <- function(data, i) {
    if (!inputs[i] %in% names(data)) stop("no column ", inputs[i])
    x <- data[[inputs[i]]]
    if (is.null(levels[[i]])) as.numeric(x) else match(as.character(x), levels[[i]])
  }
