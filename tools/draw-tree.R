# Draws a tree from as.data.frame(fit) with base graphics. Every node is in the middle of its own
# strip, as wide as its text or its branches' strips together, so texts cannot overlap. All lengths
# are in inches and the page is as large as the tree.

line_height <- 0.19
box_padding <- 0.09
strip_gap <- 0.16
row_gap <- 0.42

# The texts: the condition on the way into a node (`edge`), and the lines in its box.
node_texts <- function(nodes, title) {
  is_leaf <- nodes$kind == "leaf"
  prob <- nodes[startsWith(names(nodes), "prob_")]
  share <- if (length(prob) > 0) sprintf(" %.0f%%", 100 * do.call(pmax, prob)) else ""
  value <- if (is.numeric(nodes$yval)) format(nodes$yval, digits = 4) else as.character(nodes$yval)
  list(
    edge = ifelse(is.na(nodes$parent) | nodes$parent == 0, title, as.character(nodes$rule)),
    first = ifelse(is_leaf, value, paste0(nodes$variable, "?")),
    second = paste0(
      "n = ", nodes$n, ifelse(is_leaf, sub(" ", ", ", share), paste0(", ", value, share))
    )
  )
}

# The middle of every node, `x` to the right and `depth` rows down.
node_places <- function(nodes, texts) {
  width <- function(text, font = 1) strwidth(text, units = "inches", font = font)
  own <- pmax(width(texts$edge), width(texts$first, 2), width(texts$second)) +
    2 * box_padding + strip_gap
  parent <- match(nodes$parent, nodes$node)
  strip <- own
  below <- numeric(nrow(nodes))
  for (i in rev(seq_along(own))) {
    strip[i] <- max(own[i], below[i])
    if (!is.na(parent[i])) below[parent[i]] <- below[parent[i]] + strip[i]
  }
  left <- numeric(nrow(nodes))
  used <- (strip - below) / 2
  for (i in seq_along(own)[-1]) {
    p <- parent[i]
    left[i] <- left[p] + used[p]
    used[p] <- used[p] + strip[i]
  }
  box <- pmax(width(texts$first, 2), width(texts$second)) + 2 * box_padding
  list(x = left + strip / 2, depth = nodes$depth, box = box, parent = parent, total = strip[1])
}

box_height <- 2 * line_height + box_padding
row_height <- line_height + box_height + row_gap

draw_nodes <- function(nodes, texts, places) {
  top <- -places$depth * row_height - line_height
  bottom <- top - box_height
  child <- which(!is.na(places$parent))
  p <- places$parent[child]
  bend <- bottom[p] - row_gap / 2
  segments(places$x[p], bottom[p], places$x[p], bend, col = "grey45")
  segments(places$x[p], bend, places$x[child], bend, col = "grey45")
  segments(places$x[child], bend, places$x[child], top[child] + line_height, col = "grey45")

  answers <- as.character(nodes$yval)
  palette <- hcl.colors(max(3, length(unique(answers))), "Pastel 1")
  fill <- ifelse(nodes$kind == "leaf", palette[match(answers, unique(answers))], "white")
  rect(places$x - places$box / 2, bottom, places$x + places$box / 2, top,
    col = fill, border = "grey30")
  # On base lines, so that letters with descenders do not lift their neighbours.
  write <- function(y, label, ...) text(places$x, y, label, adj = c(0.5, 0), ...)
  write(top + 0.06, texts$edge, col = "grey15")
  write(top - line_height, texts$first, font = 2)
  write(top - 2 * line_height, texts$second, col = "grey15")
}

# A device that this R can open: PNG if possible, otherwise SVG or PDF. Returns the path.
open_page <- function(path, width, height) {
  if (capabilities("png")) {
    type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    path <- paste0(path, ".png")
    png(path, width, height, units = "in", res = 150, pointsize = 11, type = type)
  } else if (capabilities("cairo")) {
    path <- paste0(path, ".svg")
    svg(path, width, height, pointsize = 11)
  } else {
    path <- paste0(path, ".pdf")
    pdf(path, width, height, pointsize = 11)
  }
  par(mar = c(0, 0, 0, 0), xaxs = "i", yaxs = "i")
  plot.new()
  path
}

draw_tree <- function(fit, path, title = "") {
  nodes <- as.data.frame(fit)
  texts <- node_texts(nodes, title)
  measured <- open_page(tempfile(), 4, 4)
  places <- node_places(nodes, texts)
  dev.off()
  unlink(measured)

  margin <- 0.2
  height <- (max(places$depth) + 1) * row_height - row_gap + 2 * margin
  path <- open_page(path, places$total + 2 * margin, height)
  plot.window(c(-margin, places$total + margin), c(margin - height, margin))
  draw_nodes(nodes, texts, places)
  dev.off()
  normalizePath(path)
}
