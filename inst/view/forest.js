// The menu of trees: each is a page of its own, made from one template.

const pages = JSON.parse(document.getElementById("trees-data").textContent);
const pick = document.getElementById("pick");

function showTree(at) {
  pick.selectedIndex = at;
  const one = pages.trees[at];
  const fields = { TITLE: one.title, FACTS: one.facts, DATA: one.model };
  document.getElementById("one").srcdoc = pages.template.replace(/@(TITLE|FACTS|DATA)@/g, (_, name) => fields[name]);
  document.getElementById("pick-facts").textContent = one.says;
  document.getElementById("pick-back").disabled = at === 0;
  document.getElementById("pick-next").disabled = at === pages.trees.length - 1;
}

followFrame();
pick.addEventListener("change", () => showTree(pick.selectedIndex));
document.getElementById("pick-back").addEventListener("click", () => showTree(pick.selectedIndex - 1));
document.getElementById("pick-next").addEventListener("click", () => showTree(pick.selectedIndex + 1));
showTree(0);
document.documentElement.dataset.ready = Math.round(performance.now());
