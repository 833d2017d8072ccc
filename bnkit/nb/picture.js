(() => {
"use strict";
// Draws the SVG in the place of the picture that stands where no script runs; where a browser cannot unpack it, the
// picture stays.
const hosts = document.querySelectorAll('[data-bnlab-figure="ID"]:not([data-live])');
hosts.forEach(async host => {
  host.setAttribute("data-live", "");
  try {
    const packed = Uint8Array.from(atob("SVG"), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const svg = new DOMParser().parseFromString(await new Response(stream).text(), "image/svg+xml").documentElement;
    if (svg.localName !== "svg") return;
    const img = host.querySelector("img");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", img.alt);
    svg.style.cssText = "max-width:100%;height:auto;background:white";
    img.replaceWith(document.importNode(svg, true));
  } catch (e) {}
});
})();
