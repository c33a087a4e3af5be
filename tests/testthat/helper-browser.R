# Pages in a headless Chromium, through chromote.

skip_without_browser <- function() {
  skip_on_cran()
  skip_if_not_installed("chromote")
  skip_if(is.null(suppressMessages(chromote::find_chrome())), "no Chromium here")
}

# One browser for all test files of a session; its files lie in tempdir().
started <- new.env()

the_browser <- function() {
  skip_without_browser()
  if (is.null(started$browser)) {
    home <- tempfile("browser")
    dir.create(home)
    # Without libraries that were loaded before R, such as those of sanitizers.
    folders <- c(TMPDIR = home, XDG_CONFIG_HOME = home, XDG_CACHE_HOME = home)
    withr::local_envvar(c(folders, LD_PRELOAD = ""))
    root <- .Platform$OS.type == "unix" && Sys.info()[["effective_user"]] == "root"
    args <- unique(c(chromote::default_chrome_args(), if (root) "--no-sandbox"))
    started$browser <- chromote::Chromote$new(chromote::Chrome$new(args = args))
    # A busy machine may take longer than the usual 10 seconds.
    started$browser$default_timeout <- 60
    withr::defer(started$browser$close(), envir = testthat::teardown_env())
  }
  started$browser
}

# Opens the page of a tree in a tab, until the calling function ends: list(tab =, run = a function
# of a script that returns its value, errors = a function that returns what the page complained of).
open_page <- function(view, width = 1280, height = 720, dark = FALSE, env = parent.frame()) {
  file <- tempfile(fileext = ".html")
  write_utf8(view$html, file)
  tab <- the_browser()$new_session(width = width, height = height)
  tab$Emulation$setDeviceMetricsOverride(
    width = width, height = height, deviceScaleFactor = 1, mobile = width < 600
  )
  scheme <- list(name = "prefers-color-scheme", value = if (dark) "dark" else "light")
  tab$Emulation$setEmulatedMedia(features = list(scheme))
  said <- new.env()
  said$errors <- character()
  note <- function(text) said$errors <- c(said$errors, text)
  tab$Runtime$enable()
  tab$Log$enable()
  tab$Runtime$exceptionThrown(
    callback_ = function(m) note(m$exceptionDetails$exception$description)
  )
  tab$Log$entryAdded(callback_ = function(m) note(m$entry$text))
  loaded <- tab$Page$loadEventFired(wait_ = FALSE)
  tab$Page$navigate(paste0("file://", file), wait_ = FALSE)
  tab$wait_for(loaded)
  withr::defer(tab$close(), envir = env)
  list(tab = tab, run = function(script) page_value(tab, script), errors = function() said$errors)
}

page_value <- function(tab, script) {
  out <- tab$Runtime$evaluate(script, returnByValue = TRUE, awaitPromise = TRUE)
  if (!is.null(out$exceptionDetails)) stop(out$exceptionDetails$exception$description)
  out$result$value
}

# Keys as a keyboard sends them.
press <- function(page, ...) {
  for (key in c(...)) {
    page$tab$Input$dispatchKeyEvent(type = "keyDown", key = key)
    page$tab$Input$dispatchKeyEvent(type = "keyUp", key = key)
  }
}
