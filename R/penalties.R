# The rule that gives each split its complexity penalty: weakest links, or rpart's.

# rpart's rule removes splits during growth, so it affects which ones are searched.
grown_by_rpart <- function(fit, risk, floor, relative) {
  fit$tree <- keep_pieces(
    fit$tree,
    tec_grown_by_rpart_(
      fit$tree, length(fit$columns$name), core_risk(fit, risk), floor, relative
    )
  )
  fit
}

# The table by which a fit was pruned, if it has this risk and these penalties.
own_cptable <- function(fit, risk, penalties) {
  same <- identical(fit$pruning$risk, risk) && penalties == own_penalties(fit)
  if (same) fit[["cptable"]]
}

# Those of the pruning, else those of the settings; converted and older trees may have neither.
own_penalties <- function(fit) {
  fit$pruning$penalties %||% fit$control$penalties %||% "weakest_link"
}

resolve_penalties <- function(fit, penalties) {
  if (is.null(penalties)) {
    return(own_penalties(fit))
  }
  match_choice(penalties, penalty_rules, "penalties", "prune")
}
