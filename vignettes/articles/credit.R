data(GermanCredit, package = "caret")
one_factor <- function(prefix) {
  columns <- grep(paste0("^", prefix, "[.]"), names(GermanCredit))
  levels <- sub("^[^.]*[.]", "", names(GermanCredit)[columns])
  factor(levels[max.col(GermanCredit[columns])], levels)
}
credit <- with(GermanCredit, data.frame(
  repaid = factor(Class, c("Bad", "Good"), c("no", "yes")),
  months = Duration, amount = Amount, age = Age,
  account = one_factor("CheckingAccountStatus"), savings = one_factor("SavingsAccountBonds"),
  history = one_factor("CreditHistory"), purpose = droplevels(one_factor("Purpose")),
  employed = one_factor("EmploymentDuration"), property = one_factor("Property")
))
levels(credit$account) <- c("negative", "0-200", "over 200", "none")
levels(credit$savings) <- c("under 100", "100-500", "500-1000", "over 1000", "unknown")
levels(credit$history) <- c(
  "none or all paid", "all paid here", "paid so far", "delays", "critical"
)
