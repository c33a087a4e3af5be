# The page as its reader has it.

iris_page <- function(..., env = parent.frame()) {
  open_page(tec_view(full_tree(Species ~ ., iris, min_bucket = 1)), ..., env = env)
}

# A property of every element that a selector finds.
each <- function(page, selector, what) {
  all <- paste0("[...document.querySelectorAll('", selector, "')]")
  unlist(page$run(paste0(all, ".map((n) => n.", what, ")")))
}

shown_nodes_of <- function(page, selector = ".node") {
  as.integer(each(page, selector, "dataset.node"))
}

style_of <- function(page, selector, what) {
  page$run(paste0("getComputedStyle(document.querySelector('", selector, "')).", what))
}

click <- function(page, id) page$run(paste0("document.getElementById('", id, "').click()"))
text_of <- function(page, id) page$run(paste0("document.getElementById('", id, "').textContent"))

# A noisy tree of more than 10,000 nodes.
large_tree <- function() {
  set.seed(1)
  n <- 25000
  d <- as.data.frame(matrix(stats::rnorm(n * 6), n))
  d$y <- factor(sample(3, n, TRUE))
  full_tree(y ~ ., d, min_bucket = 3)
}

test_that("branches open and close, by mouse and by key", {
  slow_test()
  page <- iris_page()
  click(page, "close-all")
  expect_identical(shown_nodes_of(page), 1:3)
  page$run("document.querySelector('#node-3 .more').click()")
  expect_identical(each(page, "#node-3", "getAttribute('aria-expanded')"), "true")
  expect_length(shown_nodes_of(page), 5L)
  # The keyboard is on node 3: back to its parent, on, and closed again.
  focused <- function() page$run("document.activeElement.id")
  expect_identical(focused(), "node-3")
  press(page, "ArrowUp")
  expect_identical(focused(), "node-2")
  press(page, "ArrowDown", "ArrowRight")
  expect_identical(focused(), "node-4")
  expect_match(text_of(page, "node-rule"), "Petal.Width")
  press(page, "ArrowLeft", "ArrowLeft")
  expect_identical(focused(), "node-3")
  expect_length(shown_nodes_of(page), 3L)
  press(page, "Enter", "End")
  expect_identical(focused(), paste0("node-", max(shown_nodes_of(page))))
  press(page, "Home", " ")
  expect_identical(shown_nodes_of(page), 1L)
  expect_identical(each(page, ".node[tabindex=\"0\"]", "id"), "node-1")
  expect_identical(each(page, ".node[aria-selected=true]", "id"), "node-1")
})

test_that("the pointer shows counts and the rule so far, and leaves the keyboard's node after", {
  slow_test()
  page <- iris_page()
  page$run("$('node-2').dispatchEvent(new Event('mouseover', { bubbles: true }))")
  expect_match(text_of(page, "node-facts"), "^50 rows, 33.3% of all. Predicts setosa")
  expect_match(text_of(page, "node-rule"), "Petal.Length \u2264 2.45")
  expect_match(text_of(page, "node-table"), "setosa501.00versicolor00.00")
  page$run("$('tree').dispatchEvent(new Event('mouseleave'))")
  expect_match(text_of(page, "node-title"), "^Node 1,")
})

test_that("the page has a title, and a legend of the colours", {
  slow_test()
  skip_without_browser()
  fit <- full_tree(Species ~ ., iris, min_bucket = 1)
  page <- open_page(tec_view(fit, title = "Irises & <others>"))
  expect_identical(page$run("document.title"), "Irises & <others>")
  expect_identical(page$run("document.querySelector('h1').textContent"), "Irises & <others>")
  expect_identical(text_of(page, "legend"), "setosaversicolorvirginica")
  colours <- each(page, "#legend .key", "style.background")
  rgb <- apply(grDevices::col2rgb(class_colours(3)), 2, paste, collapse = ", ")
  expect_identical(colours, paste0("rgb(", rgb, ")"))
  page <- open_page(tec_view(full_tree(mpg ~ ., mtcars)))
  expect_match(text_of(page, "legend"), "^Prediction: 13.41 .*30.07")
  expect_identical(page$run("document.querySelector('h1').textContent"), "Decision tree for mpg")
  expect_error(tec_view(fit, title = 3), class = "tec_error_argument")
})

# A tree on a level, a number, a date and a truth value.
mixed_tree <- function() {
  set.seed(1)
  n <- 300
  d <- data.frame(
    purpose = factor(sample(c("car, new", "radio = tv", "NA", "education"), n, TRUE)),
    age = round(stats::rnorm(n, 40, 10), 2), when = as.Date("2024-01-01") + sample(n),
    own = seq_len(n) %% 3 == 0
  )
  good <- (d$purpose %in% c("car, new", "NA") & d$age > 40) | (d$own & d$when > "2024-05-01")
  d$y <- factor(ifelse(good, "good", "bad"))
  list(fit = full_tree(y ~ ., d, min_bucket = 2, prune = "none"), data = d)
}

test_that("levels have menus and numbers fields, which make the row that is predicted", {
  slow_test()
  skip_without_browser()
  case <- mixed_tree()
  page <- open_page(tec_view(case$fit))
  expect_identical(
    each(page, "#row-fields [data-column]", "type"), c("select-one", "number", "date", "select-one")
  )
  levels <- each(page, "#field-1 option", "textContent")
  expect_identical(levels, c("", show_label(levels(case$data$purpose))))
  set_field <- function(id, value) {
    page$run(paste0(
      "{ const field = $('field-", id, "'); field.value = ", json_text(value),
      "; field.dispatchEvent(new Event('input', { bubbles: true })); }"
    ))
  }
  for (i in c(1, 7, 20, 33)) {
    row <- case$data[i, ]
    set_field(1, as.character(as.integer(row$purpose)))
    set_field(2, as.character(row$age))
    set_field(3, as.character(row$when))
    set_field(4, as.character(1 + row$own))
    expect_identical(
      page$run("predictRow(readRow($('row').value).row).node + 1"),
      predict(case$fit, row, type = "node")
    )
    answer <- as.character(predict(case$fit, row))
    expect_match(text_of(page, "row-answer"), paste("y is predicted", answer))
    expect_identical(text_of(page, "row-notes"), "")
  }
  # An empty field is a missing value.
  set_field(2, "")
  expect_match(page$run("$('row').value"), "age = \n", fixed = TRUE)
  # What is written as text is shown in the fields.
  page$run("$('row').value = 'age = 33.5, purpose = \"radio = tv\"'")
  page$run("$('row').dispatchEvent(new Event('input'))")
  code <- match("radio = tv", levels(case$data$purpose))
  expect_identical(
    each(page, "#row-fields [data-column]", "value"), c(as.character(code), "33.5", "", "")
  )
  click(page, "row-clear")
  expect_identical(unique(each(page, "#row-fields [data-column]", "value")), "")
  expect_identical(page$errors(), character())
})

test_that("a small tree fills the page", {
  page <- iris_page(width = 1280, height = 720)
  click(page, "zoom-fit")
  room <- page$run("[$('scroll').clientWidth, $('scroll').clientHeight]")
  box <- page$run("(() => {
    const all = [...document.querySelectorAll('.node')].map((n) => n.getBoundingClientRect());
    return [Math.max(...all.map((b) => b.right)) - Math.min(...all.map((b) => b.left)),
      Math.max(...all.map((b) => b.bottom)) - Math.min(...all.map((b) => b.top))]; })()")
  share <- unlist(box) / unlist(room)
  expect_gt(min(share), 0.7)
  expect_lte(max(share), 1)
})

test_that("nodes and the panel show the probabilities of print() and predict()", {
  fit <- tec_tree(Species ~ ., iris)
  page <- open_page(tec_view(fit))
  page$run("showNode(0)")
  prob <- sprintf("%.2f", leaf_shares(fit)[1L, ])
  expect_identical(each(page, "#node-table tbody td:last-child", "textContent"), prob)
  text <- row_lines(fit, code_rows(fit, iris[71, ], globalenv()))
  page$run(paste0("$('row').value = ", json_text(text)))
  page$run("$('row').dispatchEvent(new Event('input'))")
  end <- predict(fit, iris[71, ], type = "node")
  said <- sprintf("%.2f", max(predict(fit, iris[71, ], type = "prob")))
  expect_false(said == sprintf("%.2f", max(fit$tree$prob[end, ])))
  expect_match(text_of(page, "row-answer"), paste("probability", said))
  shown <- page$run(paste0("document.querySelector('#node-", end, " .says').textContent"))
  expect_match(shown, paste("virginica", said), fixed = TRUE)
})

test_that("of many classes the panel lists those that occur", {
  slow_test()
  skip_without_browser()
  d <- data.frame(x = 1:60, y = factor(rep(letters[1:12], each = 5), letters))
  page <- open_page(tec_view(full_tree(y ~ x, d, min_bucket = 1)))
  expect_length(each(page, "#node-table tbody tr", "textContent"), 12L)
  expect_match(text_of(page, "node-table"), "and 14 further classes")
  page$run("showNode(1)")
  shares <- each(page, "#node-table tbody td:last-child", "textContent")
  expect_false(is.unsorted(-as.numeric(shares)))
  expect_equal(sum(as.numeric(shares)), 1, tolerance = 0.05)
})

test_that("search opens what it finds", {
  slow_test()
  page <- iris_page()
  click(page, "close-all")
  look_for <- function(text) {
    page$run(paste0("$('search').value = ", json_text(text), "; runSearch(0); runSearch(1)"))
    text_of(page, "search-count")
  }
  fit <- full_tree(Species ~ ., iris, min_bucket = 1)
  nodes <- as.data.frame(fit)
  hits <- which(nodes$yval == "virginica")
  expect_identical(look_for("VIRGINICA"), paste("1 of", length(hits)))
  found <- function() unlist(page$run("[...search.nodes].map((i) => i + 1)"))
  expect_identical(found(), hits)
  expect_true(hits[1] %in% shown_nodes_of(page))
  expect_identical(look_for("sepal"), paste("1 of", sum(grepl("Sepal", nodes$rule))))
  said <- look_for("7")
  expect_match(said, "^1 of ")
  expect_identical(found()[1], 7L)
  page$run("runSearch(-1)")
  expect_match(text_of(page, "search-count"), paste0("^", length(found()), " of "))
  expect_identical(look_for("zebra"), "None")
  expect_identical(look_for(""), "")
})

test_that("a row typed in shows its path, its answer and what would change it", {
  page <- iris_page()
  fit <- full_tree(Species ~ ., iris, min_bucket = 1)
  type_in <- function(text) {
    page$run(paste0("$('row').value = ", json_text(text)))
    page$run("$('row').dispatchEvent(new Event('input'))")
  }
  row <- iris[71, ]
  type_in(row_lines(fit, code_rows(fit, row, globalenv())))
  told <- explain(fit, row)
  expect_identical(shown_nodes_of(page, ".node.on"), told$path$node)
  expect_identical(text_of(page, "row-answer"), sub("[)][.]$", ").", format(told, width = 200)[1]))
  expect_match(text_of(page, "row-changes"), told$changes$change[1], fixed = TRUE)
  expect_match(text_of(page, "row-path"), "Petal.Length is 4.8, > 2.45: versicolor", fixed = TRUE)
  # Shared out: the sum over parts is said.
  type_in("Petal.Length = 4.8")
  expect_match(text_of(page, "row-answer"), "in [0-9]+ parts, the largest with share")
  expect_match(text_of(page, "row-path"), "The prediction is the weighted mean over them")
  expect_match(text_of(page, "row-notes"), "Not given, so missing: ")
  parts <- each(page, ".says", "textContent")
  expect_gt(sum(grepl("^part 0[.][0-9]+ . ", parts)), 2)
  click(page, "row-clear")
  expect_identical(page$run("document.querySelectorAll('.node.on').length"), 0L)
  expect_identical(text_of(page, "row-answer"), "")
})

test_that("a tree of 10,000 nodes opens in less than 2 s and draws what is in sight", {
  slow_test()
  skip_without_browser()
  fit <- large_tree()
  expect_gt(n_nodes(fit), 10000)
  view <- tec_view(fit)
  ready <- vapply(1:3, function(i) {
    page <- open_page(view)
    as.numeric(page$run("document.documentElement.dataset.ready"))
  }, 0)
  expect_lt(min(ready), 2000)
  page <- open_page(view)
  click(page, "open-all")
  expect_identical(page$run("state.order.length"), n_nodes(fit))
  expect_lt(length(shown_nodes_of(page)), 400)
  page$run("document.getElementById('node-1').focus()")
  press(page, "End")
  expect_identical(page$run("document.activeElement.id"), paste0("node-", n_nodes(fit)))
  expect_identical(page$errors(), character())
})

test_that("a page on paper has all open nodes, one a line, without buttons", {
  page <- iris_page()
  click(page, "open-all")
  page$tab$Emulation$setEmulatedMedia(media = "print")
  page$run("dispatchEvent(new Event('beforeprint'))")
  expect_length(shown_nodes_of(page), n_nodes(full_tree(Species ~ ., iris, min_bucket = 1)))
  expect_identical(style_of(page, ".tools", "display"), "none")
  tops <- each(page, ".node", "getBoundingClientRect().top")
  expect_false(is.unsorted(tops, strictly = TRUE))
  page$run("dispatchEvent(new Event('afterprint'))")
  page$tab$Emulation$setEmulatedMedia(media = "screen")
  expect_identical(style_of(page, ".tools", "display"), "flex")
})

test_that("nothing is wider than a phone, and colours follow the system", {
  skip_without_browser()
  page <- iris_page(width = 360, height = 640, dark = TRUE)
  expect_true(page$run("document.body.classList.contains('outline')"))
  expect_lte(page$run("document.documentElement.scrollWidth"), 360)
  expect_identical(style_of(page, "body", "backgroundColor"), "rgb(20, 23, 26)")
  page <- iris_page(dark = FALSE)
  expect_identical(style_of(page, "body", "backgroundColor"), "rgb(255, 255, 255)")
})

test_that("axe-core finds nothing to complain about", {
  axe <- Sys.getenv("TECTREE_AXE")
  skip_if_not(file.exists(axe), "no axe-core: TECTREE_AXE names its axe.min.js")
  skip_without_browser()
  audit <- function(page, what) {
    page$run(paste(readLines(axe, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
    found <- page$run("axe.run(document).then((r) => JSON.stringify([r.passes.length,
      r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 2).join(' '))]))")
    found <- jsonlite::fromJSON(found, simplifyVector = FALSE)
    expect_gt(found[[1]], 15)
    expect_identical(as.character(unlist(found[[2]])), character(), label = what)
  }
  d <- toy()
  d$x[3] <- NA
  views <- list(
    iris = tec_view(full_tree(Species ~ ., iris), newrow = iris[71, ]),
    parts = tec_view(full_tree(y ~ ., d, min_bucket = 1), newrow = d[3, ]),
    number = tec_view(full_tree(mpg ~ ., mtcars), newrow = mtcars[1, ]),
    large = tec_view(large_tree())
  )
  for (name in names(views)) {
    audit(open_page(views[[name]], dark = name != "large"), paste(name, "on a laptop"))
    light <- name %in% c("iris", "parts")
    if (light) audit(open_page(views[[name]], width = 390, height = 800), paste(name, "on a phone"))
  }
})

test_that("a knitted page shows the tree in a frame", {
  slow_test()
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available("2.0"), "no pandoc here")
  skip_without_browser()
  folder <- withr::local_tempdir()
  source <- file.path(folder, "page.Rmd")
  writeLines(c(
    "---", "title: A tree", "output: html_document", "---", "", "```{r}", "library(tectree)",
    "tec_view(tec_tree(Species ~ ., iris))", "```"
  ), source)
  rmarkdown::render(source, quiet = TRUE, envir = new.env(), intermediates_dir = folder)
  html <- paste(readLines(file.path(folder, "page.html"), encoding = "UTF-8"), collapse = "\n")
  page <- open_page(list(html = html))
  page$run("document.querySelector('iframe').scrollIntoView()")
  page$run("new Promise((done) => setTimeout(done, 1000))")
  expect_gt(page$run("frames[0].document.querySelectorAll('.node').length"), 4)
  expect_identical(page$run("frames[0].document.documentElement.dataset.theme"), "light")
})
