# The memory that this process may still use: the minimum of the free memory of the machine, the
# limits of control groups and of the shell's `ulimit -v`, and R's own limit. In bytes; NA if
# nothing is known.

# `proc`, `groups`: the folders with this information on Linux.
free_memory <- function(proc = "/proc", groups = "/sys/fs/cgroup") {
  known <- c(machine_memory(proc), group_memory(proc, groups), address_space(proc), heap_memory())
  known <- known[is.finite(known)]
  if (length(known)) max(0, min(known)) else NA_real_
}

# The memory that is available without swapping.
machine_memory <- function(proc) {
  available <- field_of_lines(file.path(proc, "meminfo"), "MemAvailable:")
  if (!is.na(available)) {
    return(1024 * available)
  }
  switch(Sys.info()[["sysname"]],
    Darwin = mac_memory(said_by("vm_stat")),
    Windows = 1024 * numbers_in(said_by("powershell", c(
      "-NoProfile", "-Command", "(Get-CimInstance Win32_OperatingSystem).FreePhysicalMemory"
    )))[1L],
    NA_real_
  )
}

mac_memory <- function(lines) {
  size <- numbers_in(sub(".*page size of", "", grep("page size of", lines, value = TRUE)))[1L]
  pages <- grep("^Pages (free|inactive|speculative|purgeable):", lines, value = TRUE)
  size * sum(numbers_in(sub(".*:", "", pages)))
}

# The limits of the control group of this process and of the groups above it, for version 2 or 1.
# Cached files that may be dropped do not count as used.
group_memory <- function(proc, groups) {
  own <- lines_of(file.path(proc, "self", "cgroup"))
  two <- grep("^0::", own, value = TRUE)
  one <- grep("^[0-9]+:([^:]*,)?memory(,[^:]*)?:", own, value = TRUE)
  min(
    Inf, group_room(groups, two, "memory.max", "memory.current", "inactive_file"),
    group_room(
      file.path(groups, "memory"), one, "memory.limit_in_bytes", "memory.usage_in_bytes",
      "total_inactive_file"
    )
  )
}

# `line`: a line of the file that names the group, such as "4:memory:/a/b". In a container the path
# may be that on the host; then only the root of the groups exists.
group_room <- function(root, line, limit, used, dropped) {
  parts <- strsplit(sub("^[^:]*:[^:]*:", "", line), "/", fixed = TRUE)
  parts <- if (length(parts)) parts[[1L]][nzchar(parts[[1L]])]
  folders <- Reduce(file.path, parts, root, accumulate = TRUE)
  room <- vapply(folders, function(folder) {
    most <- numbers_in(lines_of(file.path(folder, limit)))[1L]
    now <- numbers_in(lines_of(file.path(folder, used)))[1L]
    most - now + max(0, field_of_lines(file.path(folder, "memory.stat"), dropped), na.rm = TRUE)
  }, 0)
  min(Inf, room, na.rm = TRUE)
}

address_space <- function(proc) {
  limit <- field_of_lines(file.path(proc, "self", "limits"), "Max address space")
  limit - 1024 * field_of_lines(file.path(proc, "self", "status"), "VmSize:")
}

heap_memory <- function() {
  most <- mem.maxVSize() * 2^20
  if (is.finite(most)) most - 8 * gc(full = FALSE)["Vcells", 1L] else Inf
}

lines_of <- function(file) {
  tryCatch(suppressWarnings(readLines(file)), error = but_limits(function(e) character()))
}

said_by <- function(command, arguments = character()) {
  tryCatch(
    suppressWarnings(system2(command, arguments, stdout = TRUE, stderr = FALSE)),
    error = but_limits(function(e) character())
  )
}

# The number after `field` at the start of a line.
field_of_lines <- function(file, field) {
  lines <- lines_of(file)
  numbers_in(substring(lines[startsWith(lines, field)], nchar(field) + 1L))[1L]
}

# The first word of each line as a number; NA if it is not a number, such as "max".
numbers_in <- function(lines) {
  word <- sub("[.]?([[:space:]].*)?$", "", trimws(lines))
  suppressWarnings(as.numeric(word))
}
