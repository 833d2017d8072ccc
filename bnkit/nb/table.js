"use strict"; (() => {
// Every table that is marked and has no script yet: a notebook may run this before or after it inserts others.
for (const table of document.querySelectorAll("table[data-bnlab-sort]")) {
  if (table.bnlab) continue;
  table.bnlab = true;
  const body = table.tBodies[0], first = [...body.rows], heads = [...table.tHead.rows[0].cells];
  let by = -1, way = 0; // 1: from the least, -1: from the greatest, 0: as it was
  heads.forEach((head, column) => {
    const button = document.createElement("button"), arrow = document.createElement("span");
    button.type = "button";
    button.style.cssText = "font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer";
    button.textContent = head.textContent;
    arrow.ariaHidden = "true";
    head.replaceChildren(button, arrow);
    button.onclick = () => {
      way = by !== column ? 1 : way === 1 ? -1 : way === -1 ? 0 : 1;
      by = column;
      const key = row => { const c = row.cells[column]; return c.title || c.textContent; };
      const missing = s => s === "\u2013", numbers = first.every(r => missing(key(r)) || !isNaN(Number(key(r))));
      const rows = way === 0 ? first : first.slice().sort((a, b) => {
        const x = key(a), y = key(b);
        if (missing(x) || missing(y)) return missing(x) - missing(y); // last, both ways
        if (!numbers) return way * x.localeCompare(y);
        return x === y ? 0 : Number(x) < Number(y) ? -way : way;
      });
      body.append(...rows);
      heads.forEach((h, i) => {
        h.ariaSort = i !== by || way === 0 ? "none" : way > 0 ? "ascending" : "descending";
        h.lastChild.textContent = i !== by || way === 0 ? "" : way > 0 ? " \u25b2" : " \u25bc";
      });
    };
  });
}})();
