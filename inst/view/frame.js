"use strict";
// Embedded in another page, the colours follow that page, not the system.
function followFrame() {
  try {
    if (!frameElement) return;
    const found = getComputedStyle(parent.document.body).backgroundColor.match(/[\d.]+/g).map(Number);
    const dark = found.length < 4 || found[3] > 0 ? found[0] + found[1] + found[2] < 384 : false;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  } catch (error) {
    // The other page has another origin.
  }
}
