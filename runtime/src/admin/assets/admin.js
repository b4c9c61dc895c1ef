// Pages work without this: it adds a box that selects all rows of a list.
"use strict";
for (const head of document.querySelectorAll("th[data-all]")) {
  const boxes = head.closest("table").querySelectorAll("tbody input[name=ids]");
  const all = document.createElement("input");
  all.type = "checkbox";
  all.setAttribute("aria-label", "Select all on this page");
  const look = () => {
    const ticked = [...boxes].filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  for (const box of boxes) box.addEventListener("change", look);
  head.replaceChildren(all);
  look();
}
