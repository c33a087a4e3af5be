# J48, the port of C4.5 in Weka, and our trees in its words, line by line:
#   |   petalwidth <= 1.7: Iris-versicolor (48.0/1.0)
# so that the whole trees are compared: attributes, thresholds, leaves, weights and errors.

# Java compiles a method that runs often again and again, on threads of its own; these fits are too
# short to gain by it. The virtual machine starts with RWeka.
skip_without_j48 <- function() {
  withr::local_options(java.parameters = c("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
  skip_if_not_installed("RWeka")
  skip_if_not_installed("rJava")
  skip_without_shared_data()
}

has_setting <- function(...) {
  made <- tryCatch(
    tec_control(...),
    tec_error_unavailable = function(e) NULL,
    tec_error_argument = function(e) NULL
  )
  !is.null(made)
}

skip_unless_available <- function(...) {
  if (!has_setting(...)) {
    skip(paste("This version has not got", toString(paste(names(c(...)), c(...), sep = " = "))))
  }
}

# J48's -U -O.
unpruned_c45 <- function(data, ...) {
  settings <- list(prune = "none", threads = 1, ...)
  if (has_setting(collapse = FALSE)) {
    settings$collapse <- FALSE
  }
  do.call(tec_tree, c(list(class ~ ., data, preset = "c45"), settings))
}

# Several tests ask for the same data, tree of J48 and tree of ours: each is made once.
j48_once <- function(key, make) {
  if (is.null(j48_made[[key]])) j48_made[[key]] <- make
  j48_made[[key]]
}

j48_made <- new.env()

j48_data <- function(folder, name) j48_once(name, read_shared(folder, name))

unpruned_of <- function(folder, name, ...) {
  j48_once(paste("unpruned", name), unpruned_c45(j48_data(folder, name), ...))
}

# J48 -U -O: the peer, and what it says of itself.
unpruned_j48 <- function(folder, name) {
  j48_once(paste("peer", name), fit_j48(j48_data(folder, name), U = TRUE, O = TRUE))
}

fit_j48 <- function(data, ...) {
  # Its default is to drop the rows that have missing values.
  RWeka::J48(class ~ ., data, control = RWeka::Weka_control(...), na.action = stats::na.pass)
}

# The tree's lines, and its counts of leaves and nodes.
read_j48 <- function(fit) {
  lines <- strsplit(rJava::.jcall(fit$classifier, "S", "toString"), "\n", fixed = TRUE)[[1]]
  count <- function(what) as.integer(sub(".*:", "", grep(what, lines, value = TRUE)))
  from <- grep("^-+$", lines)[1] + 2
  to <- grep("^Number of Leaves", lines) - 2
  list(
    lines = lines[from:to], leaves = count("^Number of Leaves"), size = count("^Size of the tree")
  )
}

# Halves go up.
j48_rounded <- function(x, digits) {
  x <- floor(x * 10^digits + 0.5) / 10^digits
  each <- unique(x)
  vapply(each, format, "", digits = 15, scientific = FALSE)[match(x, each)]
}

j48_number <- function(x) j48_rounded(x, 6)

# Always with a decimal.
j48_weight <- function(x) {
  text <- j48_rounded(x, 2)
  ifelse(grepl(".", text, fixed = TRUE), text, paste0(text, ".0"))
}

# Sums of fractions may lie on either side of a half.
without_weights <- function(lines) sub(" \\([0-9./]+\\)$", "", lines)

leaves_as_j48 <- function(fit) {
  tree <- fit$tree
  # Empty leaves are right; J48 shows no more than the class and the weight.
  wrong <- tree$weight * (1 - tree$prob[cbind(seq_along(tree$yval), tree$yval)])
  wrong[tree$weight == 0] <- 0
  shown <- ifelse(wrong > 1e-6, paste0("/", j48_weight(wrong)), "")
  paste0(fit$response$levels[tree$yval], " (", j48_weight(tree$weight), shown, ")")
}

# `leaf`: which nodes are shown as leaves.
j48_lines <- function(fit, leaf = fit$tree$n_children == 0) {
  tree <- fit$tree
  labels <- leaves_as_j48(fit)
  if (leaf[1]) {
    return(paste0(": ", labels[1]))
  }
  lines <- character(length(labels))
  n <- 0
  put <- function(line) {
    n <<- n + 1
    lines[n] <<- line
  }
  number <- rep("", length(labels))
  inner <- tree$kind == 1
  number[inner] <- j48_number(tree$breaks[tree$break_start[inner] + 1])
  visit <- function(node, depth) {
    name <- fit$columns$name[tree$variable[node]]
    children <- tree$child[tree$child_start[node] + seq_len(tree$n_children[node])]
    if (tree$kind[node] == 1) {
      sides <- paste(c("<=", ">"), number[node])
    } else {
      sides <- paste("=", fit$columns$levels[[tree$variable[node]]])
    }
    for (j in seq_along(children)) {
      line <- paste0(strrep("|   ", depth), name, " ", sides[j])
      if (leaf[children[j]]) {
        put(paste0(line, ": ", labels[children[j]]))
      } else {
        put(line)
        visit(children[j], depth + 1)
      }
    }
  }
  visit(1, 0)
  lines[seq_len(n)]
}

# ---- point 5 of C4.5's growth, for the comparison with an unpruned tree that is collapsed --------

# Top down: a node whose subtree makes as many training errors as it would make itself is a leaf.
# `leaf`: which nodes are leaves then; `inside`: which are still there.
collapse_tree <- function(fit) {
  tree <- fit$tree
  own <- tree$weight * (1 - tree$prob[cbind(seq_along(tree$yval), tree$yval)])
  below <- ifelse(tree$n_children == 0, own, 0)
  for (node in rev(seq_along(tree$parent))[-length(tree$parent)]) {
    below[tree$parent[node]] <- below[tree$parent[node]] + below[node]
  }
  leaf <- tree$n_children == 0 | below >= own - 1e-3
  inside <- rep(TRUE, length(leaf))
  for (node in seq_along(leaf)[-1]) {
    above <- tree$parent[node]
    inside[node] <- inside[above] && !leaf[above]
  }
  list(leaf = leaf, inside = inside)
}

# The class of each row in the collapsed tree.
collapsed_classes <- function(fit, data, collapsed) {
  node <- predict(fit, data, type = "node")
  repeat {
    outside <- !collapsed$inside[node]
    if (!any(outside)) break
    node[outside] <- fit$tree$parent[node[outside]]
  }
  factor(fit$response$levels[fit$tree$yval[node]], fit$response$levels)
}

# New rows with values of the columns and between them, to see that thresholds are the same number.
scattered_rows <- function(data, n) {
  predictors <- setdiff(names(data), "class")
  made <- lapply(data[predictors], function(x) {
    at <- sample(length(x), n, TRUE)
    if (!is.numeric(x)) {
      return(x[at])
    }
    other <- x[sample(length(x), n, TRUE)]
    ifelse(stats::runif(n) < 0.5, x[at], (x[at] + other) / 2)
  })
  rows <- list2DF(made)
  rows$class <- data$class[sample(nrow(data), n, TRUE)]
  rows
}
