// README.md links to the sources of pages, which can be read in the repository. On the site these
// links lead to the pages.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll('a[href^="vignettes/"]').forEach((link) => {
    const source = link.getAttribute("href");
    link.setAttribute("href", source.replace(/^vignettes\/(articles\/)?(.*)\.Rmd/, "articles/$2.html"));
  });
});
