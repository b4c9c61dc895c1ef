// Pages work without this: it adds a box that selects all rows of a list.
"use strict";
for (const head of document.querySelectorAll("th[data-all]")) {
  const boxes = head.closest("table").querySelectorAll("tbody input[name=ids]");
  const all = document.createElement("input");
  all.type = "checkbox";
  const words = document.createElement("span");
  words.textContent = "Select all on this page";
  const label = document.createElement("label");
  label.className = "all";
  label.append(all, words);
  const look = () => {
    const ticked = [...boxes].filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  for (const box of boxes) box.addEventListener("change", look);
  head.replaceChildren(label);
  head.closest("thead").classList.add("scripted");
  look();
}
