# A folder with files as on Linux.
proc_with <- function(..., env = parent.frame()) {
  root <- withr::local_tempdir(.local_envir = env)
  files <- list(...)
  for (name in names(files)) {
    dir.create(dirname(file.path(root, name)), FALSE, TRUE)
    writeLines(files[[name]], file.path(root, name))
  }
  root
}

meminfo <- c("MemTotal:       24000000 kB", "MemAvailable:    8000000 kB")
limits <- function(x) paste("Max address space        ", x, "           unlimited    bytes")

test_that("the smallest of all limits counts", {
  none <- withr::local_tempdir()
  proc <- proc_with(meminfo = meminfo)
  expect_equal(free_memory(proc, none), min(8e6 * 1024, heap_memory()))
  proc <- proc_with(
    meminfo = meminfo, `self/limits` = limits("1000000000"),
    `self/status` = c("Name: R", "VmSize:     200000 kB")
  )
  expect_identical(free_memory(proc, none), 1e9 - 200000 * 1024)
  proc <- proc_with(
    meminfo = meminfo, `self/limits` = limits("unlimited"), `self/status` = "VmSize: 200000 kB"
  )
  expect_equal(free_memory(proc, none), min(8e6 * 1024, heap_memory()))
})

test_that("control groups of both versions, and those above them, limit memory", {
  two <- proc_with(meminfo = meminfo, `self/cgroup` = "0::/a/b")
  groups <- proc_with(
    `a/memory.max` = "500000000", `a/memory.current` = "300000000",
    `a/memory.stat` = c("anon 1", "inactive_file 100000000"),
    `a/b/memory.max` = "max", `a/b/memory.current` = "200000000"
  )
  expect_identical(free_memory(two, groups), 3e8)
  one <- proc_with(meminfo = meminfo, `self/cgroup` = c("9:cpu:/a", "4:memory:/host/path"))
  groups <- proc_with(
    `memory/memory.limit_in_bytes` = "400000000", `memory/memory.usage_in_bytes` = "100000000"
  )
  expect_identical(free_memory(one, groups), 3e8)
})

test_that("without information the result is NA, and here there is a number", {
  none <- withr::local_tempdir()
  skip_on_os(c("mac", "windows"))
  expect_true(is.na(machine_memory(none)))
  expect_identical(group_memory(none, none), Inf)
  expect_true(is.na(address_space(none)))
  skip_if_not(file.exists("/proc/meminfo"))
  expect_gt(free_memory(), 0)
})

test_that("vm_stat of macOS is read", {
  expect_identical(mac_memory(c(
    "Mach Virtual Memory Statistics: (page size of 4096 bytes)",
    "Pages free:                               1000.",
    "Pages active:                             5000.",
    "Pages inactive:                           2000.",
    "Pages speculative:                         500.",
    "Pages purgeable:                           100."
  )), 4096 * 3600)
  expect_true(is.na(mac_memory(character())))
})
