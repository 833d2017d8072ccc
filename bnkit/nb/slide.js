// The slider of nb.Slide: everything it shows was computed beforehand, at each position. Go fills in the data
// (slide.go) and has slide(root, data, style) called once for each block (page.js).
function slide(root, data, style) {
  const {positions, target, parents, tables, scores, statements, holds} = data, k = target.states.length;
  const uid = "bns" + (window.bnlabSliders = (window.bnlabSliders || 0) + 1);
  const refresh = []; // functions of a position
  const label = shown(data.label), nats = x => x.toFixed(4);

  const value = make("output", {for: uid});
  const slider = make("input", {type: "range", id: uid, min: 0, max: positions.length - 1, step: 1,
    oninput: () => update()});
  slider.value = data.start;
  refresh.push(at => {
    value.textContent = round(positions[at]);
    slider.setAttribute("aria-valuetext", round(positions[at]));
  });

  // The held-out score, a curve with a point at the position.
  const curve = make("div", {class: "curve"});
  if (scores) {
    const w = 420, h = 190, left = 66, right = 14, top = 12, bottom = 34;
    const low = Math.min(...scores), high = Math.max(...scores), span = high > low ? high - low : 1;
    const x = i => left + (w - left - right) * i / Math.max(1, positions.length - 1);
    const y = s => h - bottom - (h - top - bottom) * (s - low) / span;
    const mark = make("circle", {r: 5, class: "mark"}), tip = make("title");
    const at = (a, b, anchor, text) => make("text", {x: a, y: b, "text-anchor": anchor}, text);
    mark.append(tip);
    curve.append(make("h3", {}, `Held-out log score of ${shown(target.name)}, in nats a case`),
      make("svg", {viewBox: `0 0 ${w} ${h}`, role: "img", style: `width:${w}px;max-width:100%`,
        "aria-label": `Held-out log score against ${label}`},
      make("path", {class: "arc", d: `M${left} ${top}V${h - bottom}H${w - right}`}),
      make("polyline", {class: "line", points: scores.map((s, i) => `${x(i)},${y(s)}`).join(" ")}),
      at(left - 6, top + 4, "end", nats(high)), at(left - 6, h - bottom + 4, "end", high > low ? nats(low) : ""),
      at(left, h - bottom + 16, "start", round(positions[0])),
      at(w - right, h - bottom + 16, "end", round(positions[positions.length - 1])),
      at((left + w - right) / 2, h - 4, "middle", short(data.label, 54)), mark));
    refresh.push(i => {
      mark.setAttribute("cx", x(i));
      mark.setAttribute("cy", y(scores[i]));
      tip.textContent = String(scores[i]);
    });
  }

  // The table of the target: each cell in colour, and how far it has come from where the slider began.
  const total = tables[0].length / k, most = 64, body = make("tbody");
  for (let row = 0; row < Math.min(total, most); row++) {
    const states = [];
    for (let i = parents.length - 1, rest = row; i >= 0; i--) {
      states[i] = rest % parents[i].states.length;
      rest = Math.floor(rest / parents[i].states.length);
    }
    const tr = make("tr", {}, ...states.map((s, i) => make("th", {scope: "row"}, shown(parents[i].states[s]))));
    for (let s = 0; s < k; s++) {
      const td = make("td", {class: "p"}), cell = row * k + s;
      tr.append(td);
      refresh.push(at => {
        const p = tables[at][cell], change = p - tables[data.start][cell];
        td.title = String(p);
        td.style.setProperty("--p", p.toFixed(3));
        td.replaceChildren(number(p), make("small", {}, Math.abs(change) < 0.0005 ? "" :
          (change < 0 ? " −" : " +") + Math.abs(change).toFixed(3)));
      });
    }
    if (data.cases) tr.append(make("td", {}, round(data.cases[row])));
    body.append(tr);
  }
  const heads = [...parents.map(p => make("th", {scope: "col", class: "parent"}, shown(p.name))),
    ...target.states.map(s => make("th", {scope: "col"}, shown(s))),
    ...data.cases ? [make("th", {scope: "col"}, "cases")] : []];
  const given = parents.length ? " | " + parents.map(p => shown(p.name)).join(", ") : "";
  const table = make("div", {}, make("table", {}, make("caption", {}, `P(${shown(target.name)}${given})`),
    make("thead", {}, make("tr", {}, ...heads)), body));
  if (total > most) table.append(make("p", {}, `… ${total - most} more rows`));

  // How probable it is that each statement holds, where the fit weighs them.
  const list = make("ul", {class: "holds"});
  (statements || []).forEach((s, i) => {
    const p = make("span", {class: "nats"}), bar = make("div", {class: "key m0"});
    list.append(make("li", {}, shown(s) + " ", p, bar));
    refresh.push(at => {
      p.textContent = number(holds[at][i]);
      p.title = String(holds[at][i]);
      bar.style.width = 100 * holds[at][i] + "%";
    });
  });

  const status = make("p", {role: "status"});
  const best = scores ? scores.indexOf(Math.max(...scores)) : -1;
  refresh.push(at => {
    status.textContent = scores ? `Held-out log score ${nats(scores[at])} nats a case; the highest is ` +
      `${nats(scores[best])}, at ${round(positions[best])}.` : `${label}: ${round(positions[at])}`;
  });
  root.append(make("style", {}, style), make("section", {"aria-label": "Slider of " + label, class: "bnx"},
    make("div", {class: "slide"}, make("label", {for: uid}, label), slider, value), status,
    make("div", {class: "tables"}, make("div", {}, curve, list.children.length ?
      make("h3", {}, "How probable it is that each statement holds") : "", list), table)));
  function update() {
    refresh.forEach(f => f(Number(slider.value)));
  }
  update();
}
