// The explorer of nb.Explore. Go fills in the data (exploredata.go) and has explore(root, data, style) called once for
// each block (page.js).

// projection returns for each cell of a table over the variables from its cell in a table over some of them, to.
// The first variable varies slowest.
function projection(from, to, card) {
  const size = from.reduce((n, v) => n * card[v], 1);
  const step = from.map(() => 0), states = from.map(() => 0), out = new Int32Array(size);
  for (let i = to.length - 1, stride = 1; i >= 0; stride *= card[to[i--]]) step[from.indexOf(to[i])] = stride;
  for (let cell = 0, at = 0; cell < size; cell++) {
    out[cell] = at;
    for (let i = from.length - 1; i >= 0; i--) {
      at += step[i];
      if (++states[i] < card[from[i]]) break;
      at -= step[i] * card[from[i]];
      states[i] = 0;
    }
  }
  return out;
}

// newEngine answers by eliminating the variables of compiled tables, and passing back once. Cluster i sums out
// the last of its variables; its message goes to the later cluster up. ask(weights) takes for each variable the
// likelihood of its states, or nothing, and returns each distribution and log P(findings); null if that is 0.
function newEngine(data, tables) {
  const card = data.vars.map(v => v.states.length);
  const parts = data.clusters.map(c => {
    const own = c.vars[c.vars.length - 1];
    const table = new Float64Array(c.vars.reduce((n, v) => n * card[v], 1)).fill(1);
    for (const f of c.families) {
      const at = projection(c.vars, [...data.vars[f].parents, f], card);
      for (let cell = 0; cell < table.length; cell++) table[cell] *= tables[f][at[cell]];
    }
    const into = c.up < 0 ? null : projection(data.clusters[c.up].vars, c.vars.slice(0, -1), card);
    return {own, k: card[own], table, up: c.up, into};
  });
  return weights => {
    const psi = parts.map(c => c.table.slice()), message = [], p = [];
    let log = 0;
    for (let i = 0; i < parts.length; i++) {
      const {own, k, up, into} = parts[i], t = psi[i], w = weights[own], m = new Float64Array(t.length / k);
      if (w) for (let cell = 0; cell < t.length; cell++) t[cell] *= w[cell % k];
      for (let cell = 0; cell < t.length; cell++) m[(cell / k) | 0] += t[cell];
      const most = m.reduce((a, b) => Math.max(a, b), 0);
      if (!(most > 0)) return null;
      log += Math.log(most);
      for (let cell = 0; cell < m.length; cell++) m[cell] /= most;
      if (into) for (let cell = 0; cell < into.length; cell++) psi[up][cell] *= m[into[cell]];
      message[i] = m;
    }
    for (let i = parts.length - 1; i >= 0; i--) {
      const {own, k, up, into} = parts[i], t = psi[i], sums = new Float64Array(k);
      if (into) {
        const down = new Float64Array(message[i].length);
        for (let cell = 0; cell < into.length; cell++) down[into[cell]] += psi[up][cell];
        for (let cell = 0; cell < t.length; cell++) {
          const m = message[i][(cell / k) | 0];
          t[cell] = m > 0 ? t[cell] * down[(cell / k) | 0] / m : 0;
        }
      }
      for (let cell = 0; cell < t.length; cell++) sums[cell % k] += t[cell];
      const total = sums.reduce((a, b) => a + b, 0);
      for (let cell = 0; cell < t.length; cell++) t[cell] /= total;
      p[own] = Array.from(sums, x => x / total);
    }
    return {p, log};
  };
}

// newSingles answers from distributions computed beforehand, given nothing and given each state: findings on at
// most one variable, where P(x | finding) = Σ P(s | finding) P(x | s).
function newSingles(data, single) {
  const first = [];
  let n = 0;
  data.vars.forEach((v, i) => { first[i] = n; n += v.states.length; });
  const split = flat => data.vars.map((v, i) => flat.slice(first[i], first[i] + v.states.length));
  return weights => {
    const of = data.vars.findIndex((_, i) => weights[i]);
    if (of < 0) return {p: split(single.prior), log: 0};
    const share = split(single.prior)[of].map((x, s) => x * weights[of][s]);
    const total = share.reduce((a, b) => a + b, 0);
    if (!(total > 0)) return null;
    const flat = Array(n).fill(0);
    share.forEach((x, s) => {
      if (x > 0) single.given[first[of] + s].forEach((y, i) => { flat[i] += x / total * y; });
    });
    return {p: split(flat), log: Math.log(total)};
  };
}

// isHard reports whether a finding leaves one state.
const isHard = w => w.filter(x => x > 0).length === 1;

// whatMatters returns the mutual information with the target, in nats, of each variable that is not observed:
// Σ P(v, t) log(P(v, t) / (P(v) P(t))), the highest first.
function whatMatters(ask, data, weights, target) {
  const before = ask(weights);
  if (!before) return [];
  const q = before.p[target];
  const given = q.map((x, t) => {
    if (!(x > 0)) return null;
    const w = weights.slice();
    w[target] = q.map((_, s) => s === t ? (weights[target] ? weights[target][s] : 1) : 0);
    return ask(w);
  });
  const list = [];
  data.vars.forEach((v, i) => {
    if (i === target || !v.states.length || v.hidden || weights[i] && isHard(weights[i])) return;
    let sum = 0;
    before.p[i].forEach((pv, s) => q.forEach((pt, t) => {
      const joint = given[t] ? given[t].p[i][s] * pt : 0;
      if (joint > 0) sum += joint * Math.log(given[t].p[i][s] / pv);
    }));
    list.push({v: i, nats: sum > 1e-14 ? sum : 0});
  });
  return list.sort((a, b) => b.nats - a.nats);
}

// goLine returns the question in Go.
function goLine(data, weights, target) {
  const q = JSON.stringify, parts = [];
  data.vars.forEach((v, i) => {
    const w = weights[i];
    if (!w) return;
    let finding = "infer.Likelihood{" + v.states.map((s, k) => q(s) + ": " + w[k]).join(", ") + "}";
    const left = v.states.filter((_, k) => w[k] > 0).map(s => q(s));
    if (w.every(x => x === 0 || x === 1)) finding = left.length === 1 ? left[0] : `infer.OneOf(${left.join(", ")})`;
    parts.push(q(v.name) + ": " + finding);
  });
  const targets = target >= 0 ? ", " + q(data.vars[target].name) : "";
  return `nb.Table(nb.Must(bnkit.Posterior(${data.go}, infer.Evidence{${parts.join(", ")}}${targets})))`;
}

// explore draws the network in a block, and answers.
function explore(root, data, style) {
  const asks = data.models.map(m => data.clusters ? newEngine(data, m.tables) : newSingles(data, m.single));
  const weights = data.vars.map(() => null);
  for (const [v, w] of data.findings) weights[v] = w;
  let said = null, asked = "", listening = null, over = false; // the cell's last answer, while it answers
  const answering = () => data.live && globalThis.gonb_comm && !over;
  const question = () => JSON.stringify({findings: weights.map((w, v) => [v, w]).filter(f => f[1]), target});
  const discrete = data.vars.map((_, i) => i).filter(i => data.vars[i].states.length);
  let target = data.target, open = -1, answers = [];
  const refresh = []; // what else is drawn anew when the answers change

  function set(v, w) {
    if (!data.clusters && !answering()) weights.fill(null); // one finding at a time
    weights[v] = w && w.every(x => x === w[0]) ? null : w;
    update();
  }
  function toggle(v, s) {
    const w = weights[v];
    set(v, w && isHard(w) && w[s] > 0 ? null : data.vars[v].states.map((_, k) => k === s ? 1 : 0));
  }
  function clear() {
    weights.fill(null);
    update();
  }
  const probabilities = (v, s) => answers.map(a => a ? number(a.p[v][s]) : "–");
  const named = texts => texts.length === 1 ? texts[0] : texts.map((t, i) => data.models[i].name + " " + t).join(", ");

  // The network: one stop of the tab key; arrows move among states and variables.
  const rows = []; // {v, s, g, bars, texts}; s is −1 for the name of a variable
  const svg = make("svg", {viewBox: `0 0 ${data.width} ${data.height}`, role: "group", style:
    `width:${data.width}px;min-width:${Math.round(0.7 * data.width)}px;max-width:100%`,
    "aria-label": "The network. Arrow keys move among variables and states, Enter enters a finding or opens a table."});
  for (const d of data.arcs) {
    svg.append(make("path", {d: d.path, class: "arc"}), make("path", {d: d.head, class: "head"}));
  }
  function press(v, s) {
    focus(rows.findIndex(r => r.v === v && r.s === s));
    if (s < 0) choose(v); else toggle(v, s);
  }
  data.vars.forEach((v, i) => {
    const node = make("g", {role: "group", "aria-label": shown(v.name), transform: `translate(${v.x} ${v.y})`});
    const box = v.states.length ? make("rect", {width: v.w, height: v.h, rx: 6, class: "box"}) :
      make("ellipse", {cx: v.w / 2, cy: v.h / 2, rx: v.w / 2, ry: v.h / 2, class: "box"});
    node.append(box);
    const head = make("g", {class: "name", role: v.states.length ? "button" : "img", tabindex: -1,
      "aria-label": shown(v.name) + (v.states.length ? ", open its table" : ", continuous"),
      onclick: () => v.states.length && press(i, -1)});
    const roof = `M0 22V6a6 6 0 0 1 6 -6H${v.w - 6}a6 6 0 0 1 6 6V22z`;
    if (v.states.length) head.append(make("path", {class: "roof", d: roof}));
    head.append(make("text", {x: v.w / 2, y: v.states.length ? 15.5 : v.h / 2 + 4, "text-anchor": "middle"},
      short(v.name, 26) + (v.hidden ? " (hidden)" : "")), make("title", {}, shown(v.name)));
    node.append(head);
    rows.push({v: i, s: -1, g: head, box});
    const numbers = 40 * data.models.length, left = v.w - numbers - data.bar - 6;
    v.states.forEach((state, s) => {
      const y = 26 + s * data.line, high = (data.line - 5) / data.models.length;
      const g = make("g", {class: "state", role: "button", tabindex: -1, transform: `translate(0 ${y})`,
        onclick: () => press(i, s)});
      const tip = make("title"), texts = [], bars = [];
      g.append(make("rect", {x: 2, width: v.w - 4, height: data.line, class: "row"}), make("rect", {x: left, y: 2,
        width: data.bar, height: data.line - 4, class: "track"}),
        make("text", {x: 8, y: data.line / 2 + 4}, short(state, 16)));
      data.models.forEach((_, m) => {
        bars.push(make("rect", {x: left, y: 2.5 + m * high, height: high, class: "bar m" + m}));
        texts.push(make("text", {x: v.w - numbers + 40 * (m + 1) - 6, y: data.line / 2 + 4, "text-anchor": "end",
          class: "p m" + m}));
      });
      g.append(...bars, ...texts, tip);
      node.append(g);
      rows.push({v: i, s, g, bars, texts, tip});
    });
    svg.append(node);
  });
  let at = 0;
  rows[0].g.setAttribute("tabindex", 0);
  function focus(to) {
    rows[at].g.setAttribute("tabindex", -1);
    at = (to + rows.length) % rows.length;
    rows[at].g.setAttribute("tabindex", 0);
    rows[at].g.focus();
  }
  svg.addEventListener("keydown", e => {
    const heads = rows.map((r, i) => r.s < 0 ? i : -1).filter(i => i >= 0);
    const here = heads.filter(i => i <= at).length - 1;
    const moves = {ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: heads[(here + 1) % heads.length],
      ArrowLeft: heads[(here + heads.length - 1) % heads.length], Home: 0, End: rows.length - 1};
    if (e.key in moves) focus(moves[e.key]);
    else if (e.key === "Enter" || e.key === " ") rows[at].g.dispatchEvent(new MouseEvent("click"));
    else return;
    e.preventDefault();
  });

  // The side: findings, the line of Go, what matters.
  const uid = "bnx" + (window.bnlabExplorers = (window.bnlabExplorers || 0) + 1);
  const findings = make("ul", {class: "findings"}), status = make("p", {role: "status"});
  const spoken = make("p", {role: "status", class: "spoken"}); // the target, for who cannot see the bars
  const line = make("textarea", {readonly: "", rows: 3, "aria-label": "The question as a line of Go",
    spellcheck: "false", onfocus: () => line.select()});
  const copied = make("span", {role: "status"});
  const matters = make("ol", {class: "matters"});
  const pick = make("select", {id: uid + "t", onchange: () => { target = Number(pick.value); update(); }});
  for (const v of discrete) pick.append(make("option", {value: v}, shown(data.vars[v].name)));
  pick.value = target;
  const copy = make("button", {onclick: () => {
    line.select();
    const done = () => { copied.textContent = " copied"; };
    if (navigator.clipboard) navigator.clipboard.writeText(line.value).then(done, () => {});
    else if (document.execCommand("copy")) done();
  }}, "Copy");
  const all = make("button", {class: "all", onclick: clear}, "Undo all");
  const side = make("div", {class: "side"},
    make("div", {}, make("h3", {}, "Findings"), findings, status, spoken, all),
    make("div", {}, make("h3", {}, make("label", {for: uid + "t"}, "What matters for "), pick), matters),
    make("div", {}, make("h3", {}, "As Go"), line, copy, copied));
  const panel = make("div", {class: "panel"});
  const legend = data.models.length < 2 ? "" : make("p", {class: "legend"}, ...data.models.flatMap((m, i) =>
    [make("span", {class: "key m" + i}), " " + shown(m.name) + "  "]));
  root.append(make("style", {}, style), make("section", {"aria-label": "Explorer of a network", class: "bnx"},
    make("p", {class: "hint"}, data.clusters ?
      "Click a state to enter it as a finding, a variable’s name for its table and for likelihood evidence." :
      "This network is too wide for a browser: one finding at a time, computed beforehand" + (data.live ?
        "; several while the cell runs." : ".")),
    legend, make("div", {class: data.width > 650 ? "top wide" : "top"}, make("div", {class: "net"}, svg), side),
    panel));

  // choose opens the tables of a variable, with a slider for each state.
  function choose(v) {
    refresh.length = 0;
    panel.replaceChildren();
    if (v === open) { open = -1; return update(); }
    open = v;
    const of = data.vars[v], sliders = make("div", {class: "sliders"});
    of.states.forEach((state, s) => {
      const slider = make("input", {type: "range", min: 0, max: 1, step: 0.01, id: `${uid}s${s}`, oninput: () => {
        const w = weights[v] ? weights[v].slice() : of.states.map(() => 1);
        w[s] = Number(slider.value);
        if (w.every(x => x === 0)) return refresh.forEach(f => f()); // a finding that no state explains
        set(v, w);
      }});
      const value = make("output", {for: `${uid}s${s}`});
      sliders.append(make("label", {for: `${uid}s${s}`}, shown(state)), slider, value);
      refresh.push(() => {
        slider.value = weights[v] ? weights[v][s] : 1;
        value.textContent = round(Number(slider.value));
      });
    });
    panel.append(make("h3", {}, shown(of.name)),
      make("p", {}, "Likelihood evidence: the probability of a finding given each state."), sliders,
      make("div", {class: "tables"}, ...data.models.map((m, i) => table(v, m, i))));
    update();
  }

  // runs writes ascending numbers, three and more in a row as 1–3.
  function runs(numbers) {
    const text = [];
    for (let i = 0, j; i < numbers.length; i = j) {
      for (j = i + 1; numbers[j] === numbers[j - 1] + 1;) j++;
      if (j - i > 2) text.push(`${numbers[i]}–${numbers[j - 1]}`);
      else text.push(...numbers.slice(i, j));
    }
    return text.join(", ");
  }

  // table returns the table of a variable in a model, with cases and statements.
  function table(v, m, model) {
    const of = data.vars[v], k = of.states.length, p = m.tables[v], most = 64;
    if (!p) return make("p", {}, "Its table is too large to be shown.");
    const counts = m.counts && m.counts[v], bound = m.bound && m.bound[v], used = new Set();
    const parents = of.parents.map(x => data.vars[x]);
    const head = [...parents.map(x => make("th", {scope: "col", class: "parent"}, shown(x.name))),
      ...of.states.map(s => make("th", {scope: "col"}, shown(s)))];
    if (counts) head.push(make("th", {scope: "col"}, "cases"));
    if (bound) head.push(make("th", {scope: "col"}, "bound by"));
    const body = make("tbody"), total = p.length / k;
    for (let row = 0; row < Math.min(total, most); row++) {
      const states = [];
      for (let i = parents.length - 1, rest = row; i >= 0; i--) {
        states[i] = rest % parents[i].states.length;
        rest = Math.floor(rest / parents[i].states.length);
      }
      const tr = make("tr", {}, ...states.map((s, i) => make("th", {scope: "row"}, shown(parents[i].states[s]))));
      let cases = 0;
      for (let s = 0; s < k; s++) {
        const x = p[row * k + s], td = make("td", {title: String(x), class: "p"}, number(x));
        td.style.setProperty("--p", x.toFixed(3));
        if (counts) {
          cases += counts[row * k + s];
          td.append(make("small", {}, ` (${round(counts[row * k + s])})`));
        }
        tr.append(td);
      }
      if (counts) tr.append(make("td", {}, round(cases)));
      if (bound) tr.append(make("td", {}, runs(bound[row].map(i => i + 1))));
      if (bound) bound[row].forEach(i => used.add(i));
      refresh.push(() => tr.classList.toggle("out", !answers[model] ||
        states.some((s, i) => answers[model].p[of.parents[i]][s] === 0)));
      body.append(tr);
    }
    const given = parents.length ? " | " + parents.map(x => shown(x.name)).join(", ") : "";
    const whose = data.models.length > 1 ? shown(m.name) + ": " : "";
    const caption = make("caption", {}, `${whose}P(${shown(of.name)}${given})`);
    const box = make("div", {}, make("table", {}, caption,
      make("thead", {}, make("tr", {}, ...head)), body));
    if (total > most) box.append(make("p", {}, `… ${total - most} more rows`));
    for (const i of [...used].sort((a, b) => a - b)) {
      box.append(make("p", {class: "statement"}, `(${i + 1}) ${shown(m.statements[i])}`));
    }
    return box;
  }

  // tell sends a question to the running cell, once.
  function tell(q) {
    const comm = globalThis.gonb_comm;
    if (listening !== comm) comm.subscribe(data.live + "/answer", (_, text) => {
      const reply = JSON.parse(text);
      if (reply.end) {
        over = true;
        if (weights.filter(w => w).length > 1) weights.fill(null);
      } else said = reply;
      update();
    });
    if (listening !== comm || asked !== q) comm.send(data.live + "/question", q);
    listening = comm;
    asked = q;
  }

  // update asks again and shows the answers.
  function update() {
    const many = !data.clusters && weights.filter(w => w).length > 1;
    const reply = said && said.question === question() ? said : null, waiting = many && !(reply && !reply.error);
    if (data.live && !reply && answering() && weights.some(w => w)) tell(question());
    if (many && !waiting) answers = reply.answers;
    else if (!many) answers = asks.map(ask => ask(weights));
    svg.classList.toggle("waiting", waiting);
    for (const r of rows) {
      const w = weights[r.v];
      if (r.s < 0) {
        r.box.classList.toggle("soft", Boolean(w && !isHard(w)));
        r.box.classList.toggle("hard", Boolean(w && isHard(w)));
        if (r.v === open) r.g.setAttribute("aria-expanded", "true");
        else r.g.removeAttribute("aria-expanded");
        r.g.classList.toggle("target", r.v === target);
        continue;
      }
      const texts = probabilities(r.v, r.s), name = shown(`${data.vars[r.v].name} = ${data.vars[r.v].states[r.s]}`);
      r.bars.forEach((b, m) => b.setAttribute("width", answers[m] ? data.bar * answers[m].p[r.v][r.s] : 0));
      r.texts.forEach((t, m) => { t.textContent = texts[m]; });
      r.tip.textContent = name + ": " + answers.map((a, m) => (answers.length > 1 ? data.models[m].name + " " : "") +
        (a ? a.p[r.v][r.s].toPrecision(6) : "–")).join(", ");
      const found = Boolean(w && isHard(w) && w[r.s] > 0);
      r.g.setAttribute("aria-pressed", found);
      r.g.setAttribute("aria-label", `${name}, probability ${named(texts)}`);
    }
    findings.replaceChildren(...discrete.filter(v => weights[v]).map(v => {
      const of = data.vars[v], w = weights[v], left = of.states.filter((_, s) => w[s] > 0);
      const text = shown(of.name) + (w.every(x => x === 0 || x === 1) ? " = " + left.map(shown).join(" or ") :
        ": likelihood " + of.states.map((s, i) => shown(s) + " " + w[i]).join(", "));
      const undo = {class: "undo", "aria-label": "Undo " + text, onclick: () => set(v, null)};
      return make("li", {}, make("button", undo, "×"), " " + text);
    }));
    const some = weights.some(w => w);
    if (!some) findings.append(make("li", {class: "none"}, "none yet"));
    all.disabled = !some;
    status.textContent = waiting ? reply ? reply.error :
      "Asking the kernel. If its cell has ended, run it again, or undo all." : answers.includes(null) ? "These findings cannot occur together: undo one." : !some ? "" :
      "P(findings) = " + named(answers.map(a => round(Math.exp(a.log))));
    spoken.textContent = shown(data.vars[target].name) + ": " + data.vars[target].states.map((s, i) =>
      `${shown(s)} ${named(probabilities(target, i))}`).join("; ");
    line.value = goLine(data, weights, target);
    copied.textContent = "";
    const lists = !data.clusters && some ? reply && !reply.error ? reply.matters : null : asks.map(ask => whatMatters(ask, data, weights, target));
    matters.replaceChildren();
    if (!lists) matters.append(make("li", {class: "none"}, "known without findings only"));
    else if (weights[target] && isHard(weights[target])) matters.append(make("li", {class: "none"}, "it is observed"));
    else {
      const most = Math.max(1e-300, ...lists.flat().map(x => x.nats));
      for (const {v} of lists[0].slice(0, 12)) {
        const nats = lists.map(l => (l.find(x => x.v === v) || {nats: 0}).nats);
        const bars = nats.map((_, m) => make("div", {class: "key m" + m}));
        bars.forEach((b, m) => { b.style.width = 100 * nats[m] / most + "%"; });
        matters.append(make("li", {}, make("button", {class: "open", onclick: () => v === open || choose(v)},
          short(data.vars[v].name, 22)), make("span", {class: "nats"},
          ...nats.map((x, m) => make("span", {class: "m" + m}, x.toFixed(4) + " ")), "nats"), ...bars));
      }
    }
    refresh.forEach(f => f());
  }
  update();
}
