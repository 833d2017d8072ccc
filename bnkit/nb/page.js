// What the blocks of nb.Explore and nb.Slide share. Whatever comes from the user's data enters the page as a text node
// or an attribute, never as HTML.

// shown writes characters that command a page instead of being seen as escapes.
const shown = s => s.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
  c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const short = (s, n) => [...shown(s)].length > n ? [...shown(s)].slice(0, n - 1).join("") + "…" : shown(s);
const number = p => p === 0 ? "0" : p === 1 ? "1" : p < 0.0005 ? "<0.001" : p > 0.9995 ? ">0.999" : p.toFixed(3);
const round = x => String(Number(x.toPrecision(4)));

// make returns an element; attributes that start with "on" are listeners, and text is no HTML.
function make(tag, attributes, ...children) {
  const svg = ["svg", "g", "rect", "ellipse", "path", "text", "title", "circle", "polyline"].includes(tag);
  const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

// takeOver starts what is drawn in the place of the static pictures of a block: of those that nothing has yet.
function takeOver(kind, id, start) {
  document.querySelectorAll(`[data-bnlab-${kind}="${id}"]:not([data-live])`).forEach(host => {
    host.setAttribute("data-live", "");
    const root = host.attachShadow({mode: "open"});
    const jupyter = document.body.getAttribute("data-jp-theme-light");
    if (jupyter) host.setAttribute("data-theme", jupyter === "true" ? "light" : "dark");
    start(root);
  });
}
