# How colour-blind people see colours, and how far apart two colours look.

# The full deficiencies of Machado, Oliveira and Fernandes (2009), "A Physiologically-based
# Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and
# Computer Graphics 15(6), 1291-1298: matrices for linear RGB.
colour_visions <- list(
  usual = diag(3),
  protanopia = matrix(c(
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998
  ), 3, byrow = TRUE),
  deuteranopia = matrix(c(
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881
  ), 3, byrow = TRUE),
  tritanopia = matrix(c(
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900
  ), 3, byrow = TRUE)
)

seen_as <- function(colours, vision) {
  rgb <- t(grDevices::col2rgb(colours)) / 255
  linear <- ifelse(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055)^2.4)
  linear <- pmin(pmax(linear %*% t(colour_visions[[vision]]), 0), 1)
  back <- ifelse(linear <= 0.0031308, linear * 12.92, 1.055 * linear^(1 / 2.4) - 0.055)
  grDevices::rgb(back)
}

as_lab <- function(colours) {
  grDevices::convertColor(t(grDevices::col2rgb(colours)) / 255, "sRGB", "Lab", to.ref.white = "D65")
}

# CIEDE2000 as in Sharma, Wu and Dalal (2005), Color Research and Application 30(1), 21-30,
# of the rows of two matrices of L, a, b.
colour_distance <- function(first, second) {
  degrees <- function(x) x * pi / 180
  root <- function(c) sqrt(c^7 / (c^7 + 25^7))
  chroma <- function(lab) sqrt(lab[, 2]^2 + lab[, 3]^2)
  g <- 0.5 * (1 - root((chroma(first) + chroma(second)) / 2))
  parts <- lapply(list(first, second), function(lab) {
    a <- (1 + g) * unname(lab[, 2])
    b <- unname(lab[, 3])
    list(l = unname(lab[, 1]), c = sqrt(a^2 + b^2), h = (atan2(b, a) * 180 / pi) %% 360)
  })
  one <- parts[[1]]
  two <- parts[[2]]
  grey <- one$c * two$c == 0
  turn <- two$h - one$h
  turn <- ifelse(grey, 0, ifelse(turn > 180, turn - 360, ifelse(turn < -180, turn + 360, turn)))
  sum <- one$h + two$h
  hue <- ifelse(abs(one$h - two$h) <= 180, sum / 2, ifelse(sum < 360, sum / 2 + 180, sum / 2 - 180))
  hue <- ifelse(grey, sum, hue)
  l <- (one$l + two$l) / 2
  c <- (one$c + two$c) / 2
  t <- 1 - 0.17 * cos(degrees(hue - 30)) + 0.24 * cos(degrees(2 * hue)) +
    0.32 * cos(degrees(3 * hue + 6)) - 0.2 * cos(degrees(4 * hue - 63))
  light <- (two$l - one$l) / (1 + 0.015 * (l - 50)^2 / sqrt(20 + (l - 50)^2))
  strong <- (two$c - one$c) / (1 + 0.045 * c)
  tint <- 2 * sqrt(one$c * two$c) * sin(degrees(turn / 2)) / (1 + 0.015 * c * t)
  rotation <- -sin(degrees(60 * exp(-((hue - 275) / 25)^2))) * 2 * root(c)
  sqrt(light^2 + strong^2 + tint^2 + rotation * strong * tint)
}

# The least distance of any two.
least_distance <- function(colours) {
  lab <- as_lab(colours)
  pairs <- utils::combn(length(colours), 2L)
  min(colour_distance(lab[pairs[1L, ], , drop = FALSE], lab[pairs[2L, ], , drop = FALSE]))
}
