#' PlayTennis data
#'
#' The fourteen Saturday mornings of Quinlan's example for ID3, and a version with one cell changed
#' from a set of lecture slides.
#'
#' `play_tennis` is the original. In `play_tennis_slides` the outlook of row 13 is `rain` instead of
#' `overcast`. The information gain of Outlook at the root is therefore 0.2467 bits in the original
#' and 0.2000 on the slides. Those of the other three attributes are the same in both (Humidity
#' 0.1518, Wind 0.0481, Temperature 0.0292). ID3 grows the same tree from either.
#'
#' @format A data frame of 14 rows and 5 factors:
#' \describe{
#'   \item{Outlook}{`sunny`, `overcast` or `rain`}
#'   \item{Temperature}{`hot`, `mild` or `cool`}
#'   \item{Humidity}{`high` or `normal`}
#'   \item{Wind}{`weak` or `strong`}
#'   \item{PlayTennis}{the class: `no` or `yes`}
#' }
#' @source Quinlan, J. R. (1986). Induction of decision trees. *Machine
#'   Learning*, 1, 81-106.
#'
#'   The changed table: Simovici, *Decision Trees II* (lecture slides).
#' @srrstats {G5.1} The data sets of the tests are exported; `data-raw/build.R` makes them.
#' @examples
#' table(play_tennis$Outlook, play_tennis$PlayTennis)
#' which(play_tennis$Outlook != play_tennis_slides$Outlook)
"play_tennis"

#' @rdname play_tennis
"play_tennis_slides"

#' Fruit data
#'
#' A thousand fruits with size, colour and weight, simulated by the generator of a published
#' tutorial on entropy, the Gini index and decision trees. Colour and weight are informative about
#' the fruit; size is almost uninformative.
#'
#' @format A data frame of 1000 rows and 4 columns:
#' \describe{
#'   \item{fruit}{the class, a factor: `apple` (517 rows), `banana` (280) or
#'     `pear` (203)}
#'   \item{size}{a factor: `small` or `big`}
#'   \item{color}{a factor: `red`, `yellow` or `green`}
#'   \item{weight}{a number with one decimal, from 3.3 to 202.6; the source
#'     names no unit}
#' }
#' @source Made by the random generator of a published tutorial on decision
#'   trees.
#' @examples
#' table(fruit$color, fruit$fruit)
#' tapply(fruit$weight, fruit$fruit, mean)
"fruit"

#' The three MONK's problems
#'
#' Six attributes of a robot, in every combination of their values, and the
#' classes of the three problems. The table is made by rule and has no noise; the
#' training samples of the original comparison are not part of it.
#'
#' @details
#' The class is 1 if the rule holds and 0 otherwise:
#'
#' * `monks1`: `a1` equals `a2`, or `a5` is 1.
#' * `monks2`: exactly two of the six attributes have their first value.
#' * `monks3`: `a5` is 3 and `a4` is 1, or `a5` is not 4 and `a2` is not 3.
#'
#' The first problem requires comparing two attributes, the second counting; only the third is easy
#' to express by splits on one attribute at a time.
#'
#' @format A data frame of 432 rows and 9 factors:
#' \describe{
#'   \item{a1, a2, a4}{1, 2 or 3}
#'   \item{a3, a6}{1 or 2}
#'   \item{a5}{1, 2, 3 or 4}
#'   \item{monks1, monks2, monks3}{the classes of the three problems: 0 or 1}
#' }
#' @source Made by rule in `data-raw/build.R`. The problems are those of Thrun
#'   et al. (1991), *The MONK's problems: a performance comparison of different
#'   learning algorithms*, Carnegie Mellon University, CMU-CS-91-197.
#' @examples
#' sapply(monks[c("monks1", "monks2", "monks3")], table)
#'
#' # Leaves and error of the full trees: only the third problem is solved
#' sapply(c("monks1", "monks2", "monks3"), function(problem) {
#'   fit <- tec_tree(reformulate(paste0("a", 1:6), problem), monks, prune = "none")
#'   c(leaves = n_leaves(fit), error = mean(predict(fit, monks) != monks[[problem]]))
#' })
"monks"

#' Balance scale data
#'
#' A weight on each arm of a balance, each at a distance from the middle, in
#' every combination from 1 to 5.
#'
#' @details
#' The class compares the moments `left_weight * left_distance` and
#' `right_weight * right_distance`: `L` if the left one is larger, `R` if the right one is, `B` if
#' they balance. A tree that splits on one column at a time can only approximate the products by
#' steps.
#'
#' @format A data frame of 625 rows and 5 columns:
#' \describe{
#'   \item{left_weight, left_distance}{integers from 1 to 5}
#'   \item{right_weight, right_distance}{integers from 1 to 5}
#'   \item{class}{a factor: `L` (288 rows), `B` (49) or `R` (288)}
#' }
#' @source Made by rule in `data-raw/build.R`. The UCI Machine Learning
#'   Repository has the table as *Balance Scale*; it models an experiment of
#'   developmental psychology (Siegler, 1976).
#' @examples
#' table(balance_scale$class)
#' with(balance_scale, table(class, sign(left_weight * left_distance -
#'   right_weight * right_distance)))
"balance_scale"
