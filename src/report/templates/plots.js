"use strict";
// Plots: series hidden or alone, scales, ranges, values under the cursor, readings; the view is in the address. Without this a
// plot is complete as it stands. Marks carry their values (data-x, data-y); a panel carries its axes (data-area, data-x, data-y).
const plots = ({ make, told }) => {
  const drawn = (name, attributes, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const digits = (value, least = 0, most = 6) => value.toLocaleString("en", { minimumFractionDigits: least, maximumFractionDigits: most }).replace("-", "−");
  const shown = (value) => (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e12) ? value.toExponential(2) : value.toLocaleString("en", { maximumSignificantDigits: Math.abs(value) >= 1e4 && Number.isInteger(value) ? 15 : 4 }));
  const power = (exponent) => `10${[...String(exponent)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
  const step = (least) => {
    const size = 10 ** Math.floor(Math.log10(least));
    return size * [1, 2, 5, 10].find((times) => times * size >= least * 0.999999);
  };
  const ticks = ({ log, low: lowest, high: highest, unit }) => {
    const [low, high] = [lowest / unit, highest / unit];
    if (log && high / low > 10.001) {
      const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
      const each = Math.max(1, Math.floor((last - first) / 6));
      const plain = first >= -4 && last <= 7;
      const found = [];
      for (let exponent = first - 1; exponent <= last; exponent += 1) {
        for (const times of last - first < 2 ? [1, 2, 5] : [1]) {
          const value = times * 10 ** exponent;
          if (value < low * 0.999 || value > high * 1.001 || (times === 1 && (exponent - first) % each)) continue;
          found.push([value * unit, plain || last - first < 2 ? shown(value) : power(exponent)]);
        }
      }
      return found;
    }
    const by = step((high - low) / 5);
    const decimals = Math.max(0, -Math.floor(Math.log10(by)));
    const found = [];
    for (let n = Math.ceil(low / by - 1e-9); n * by <= high * (1 + 1e-9) + 1e-12 && found.length < 20; n += 1) {
      // The first may be −0.
      found.push([n * by * unit, digits(n * by || 0, Math.min(decimals, 6))]);
    }
    return found;
  };
  const scale = ({ log, low, high }, from, to) => {
    const along = log ? Math.log10 : (value) => value;
    return (value) => from + ((along(log && value <= 0 ? low : value) - along(low)) / (along(high) - along(low))) * (to - from);
  };
  const numbers = (text) => text.split(" ").map(Number);
  const between = (value, a, b) => Math.min(Math.max(value, Math.min(a, b)), Math.max(a, b));

  const box = make("div", "", { class: "values", "aria-hidden": "true" });
  box.hidden = true;
  document.body.append(box);
  let clips = 0;

  const panelOf = (svg) => {
    const [left, right, top, bottom] = numbers(svg.dataset.area);
    const axis = (text) => {
      const [kind, ...rest] = text.split(" ");
      const [low, high, unit] = rest.map(Number);
      return { kind, log: kind === "log", low, high, unit };
    };
    const [x, y] = [axis(svg.dataset.x), axis(svg.dataset.y)];
    const panel = { svg, left, right, top, bottom, x, y, now: { x, y }, label: svg.dataset.label, kept: new Map() };
    panel.marks = [...svg.querySelectorAll("[data-x], [data-y], [data-limit]")];
    panel.joined = [...svg.querySelectorAll(".joined, .ghost path, .curve path")];
    panel.isScatter = !svg.querySelector(".line, .bar");
    const values = (name) => panel.marks.map((mark) => mark.dataset[name]).filter((value) => value !== undefined).map(Number);
    panel.xs = values("x");
    // The same under other readings, too, has to stay in sight.
    const ghosts = [...svg.querySelectorAll(".ghost")].flatMap((ghost) => (ghost.dataset.points || "").split(" ").filter(Boolean).map((pair) => +pair.split(",")[1]));
    panel.ys = [...values("y"), ...values("low"), ...values("high"), ...ghosts];
    return panel;
  };
  const keep = (panel, element, names) => {
    if (!panel.kept.has(element)) panel.kept.set(element, names.map((name) => [name, element.getAttribute(name)]));
    return Object.fromEntries(panel.kept.get(element));
  };
  const restore = (panel) => {
    for (const [element, kept] of panel.kept) for (const [name, value] of kept) value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
    panel.svg.querySelectorAll(".axes").forEach((axes) => axes.remove());
  };
  // Round ends for an axis whose kind a reader changed.
  const ends = (log, values, room) => {
    const fit = values.filter((value) => !log || value > 0);
    const [least, most] = [Math.min(...fit), Math.max(...fit)];
    if (log) return { low: least / Math.max((most / least) ** room, 1.1), high: most * Math.max((most / least) ** room, 1.1) };
    const low = least >= 0 && least < most / 2 ? 0 : least;
    const span = most - low || Math.abs(most) || 1;
    return { low: low === 0 ? 0 : low - span * room, high: most + span * room };
  };

  const redraw = (panel, x, y) => {
    restore(panel);
    panel.now = { x: panel.x, y: panel.y };
    if (!x && !y) return;
    panel.now = { x: x || panel.x, y: y || panel.y };
    const { svg, left, right, top, bottom, now } = panel;
    const [oldX, oldY] = [scale(panel.x, left, right), scale(panel.y, bottom, top)];
    const [newX, newY] = [scale(now.x, left, right), scale(now.y, bottom, top)];
    const inY = (value) => between(newY(value), top, bottom);
    for (const mark of panel.marks) {
      keep(panel, mark, ["transform", "visibility"]);
      const { x: at, y: value, low, high, limit } = mark.dataset;
      const height = value ?? limit;
      const rect = mark.querySelector(".bar");
      const dx = at === undefined ? 0 : newX(+at) - between(oldX(+at), left, right);
      const dy = height === undefined || rect ? 0 : newY(+height) - between(oldY(+height), top, bottom);
      mark.setAttribute("transform", `translate(${dx.toFixed(2)} ${dy.toFixed(2)})`);
      const [px, py] = [at === undefined ? left : newX(+at), height === undefined || rect ? top : newY(+height)];
      const outside = px < left - 1 || px > right + 1 || py < top - 1 || py > bottom + 1;
      mark.setAttribute("visibility", outside ? "hidden" : "inherit");
      if (rect) {
        keep(panel, rect, ["y", "height"]);
        const [base, end] = [now.y.log ? bottom : inY(0), inY(+value)];
        rect.setAttribute("y", Math.min(base, end));
        rect.setAttribute("height", Math.max(1, Math.abs(base - end)));
      }
      const spread = low !== undefined && mark.querySelector(".spread");
      if (spread) {
        const [, middle] = keep(panel, spread, ["d"]).d.match(/^M([\d.-]+)/);
        const [a, b] = [inY(+low) - dy, inY(+high) - dy];
        spread.setAttribute("d", `M${middle} ${a}V${b}M${middle - 3.5} ${a}h7M${middle - 3.5} ${b}h7`);
      }
      const band = low !== undefined && mark.querySelector("rect.band");
      if (band) {
        keep(panel, band, ["y", "height"]);
        band.setAttribute("y", inY(+high) - dy);
        band.setAttribute("height", Math.abs(inY(+low) - inY(+high)));
      }
    }
    if (!panel.clip) {
      panel.clip = `clip-${(clips += 1)}`;
      const clip = drawn("clipPath", { id: panel.clip });
      clip.append(drawn("rect", { x: left, y: top - 2, width: right - left, height: bottom - top + 4 }));
      svg.append(clip);
    }
    for (const line of panel.joined) {
      const group = line.parentElement;
      const name = line.tagName === "polygon" ? "points" : "d";
      const before = keep(panel, line, [name, "clip-path"])[name];
      line.setAttribute("clip-path", `url(#${panel.clip})`);
      if (group.dataset.points) {
        const points = group.dataset.points.split(" ").map((pair) => pair.split(",").map(Number));
        const [, a, b] = before.match(/^M([\d.-]+) [\d.-]+H([\d.-]+)/) || [];
        const dash = ([px, py]) => `M${newX(px) + (+a - oldX(points[0][0]))} ${newY(py)}h${b - a}`;
        line.setAttribute("d", a ? points.map(dash).join("") : points.map(([px, py], i) => `${i ? "L" : "M"}${newX(px)} ${newY(py)}`).join(""));
        continue;
      }
      const points = [...group.children].filter((child) => child.dataset.x !== undefined && !child.classList.contains("told"));
      if (name === "points") {
        const spots = points.filter((point) => point.dataset.y !== undefined);
        const corner = (point, end) => `${newX(+point.dataset.x)},${newY(+(point.dataset[end] ?? point.dataset.y))}`;
        line.setAttribute("points", [...spots.map((p) => corner(p, "high")), ...spots.reverse().map((p) => corner(p, "low"))].join(" "));
        continue;
      }
      let pen = "M";
      line.setAttribute("d", points.map((point) => {
        if (point.dataset.y === undefined) { pen = "M"; return ""; }
        const to = `${pen}${newX(+point.dataset.x).toFixed(2)} ${newY(+point.dataset.y).toFixed(2)}`;
        pen = "L";
        return to;
      }).join(""));
    }
    const frame = svg.querySelector(".frame");
    keep(panel, frame, ["display"]);
    frame.setAttribute("display", "none");
    const axes = drawn("g", { class: "axes", "font-size": 11 });
    for (const [value, text] of ticks(now.y)) {
      axes.append(drawn("path", { class: "grid", d: `M${left} ${newY(value)}H${right}` }), drawn("text", { class: "ink", x: left - 8, y: newY(value) + 4, "text-anchor": "end" }, text));
    }
    axes.append(drawn("path", { class: "rule", fill: "none", d: `M${left} ${top}V${bottom}H${right}` }));
    if (!x || now.x.kind === "category") {
      axes.append(...[...frame.querySelectorAll("text")].filter((text) => +text.getAttribute("y") > bottom + 2).map((text) => text.cloneNode(true)));
    } else {
      let end = -99;
      for (const [value, text] of ticks(now.x)) {
        const wide = text.length * 3.6;
        if (newX(value) - wide < end + 4) continue;
        end = newX(value) + wide;
        axes.append(drawn("path", { class: "rule", d: `M${newX(value)} ${bottom}v4` }), drawn("text", { class: "ink", x: newX(value), y: bottom + 16, "text-anchor": "middle" }, text));
      }
    }
    frame.after(axes);
  };

  const figures = new Map();
  const figureOf = (article) => {
    const panels = [...article.querySelectorAll("figure .panels svg[data-area]")].map(panelOf);
    if (!panels.length) return;
    const numeric = panels.every((panel) => panel.x.kind !== "category");
    const labels = [...new Set(panels.map((panel) => panel.label))];
    const fresh = () => ({ hide: new Set(), off: new Set(), xlog: numeric && panels[0].x.log, ylog: panels[0].y.log, x: null, y: {}, reading: "0" });
    const figure = { article, panels, view: fresh() };
    const legend = [...article.querySelectorAll(".legend li[data-series]")];
    const buttons = [];

    figure.apply = () => {
      const { view } = figure;
      for (const panel of panels) {
        const axis = (name, log, range, values) => {
          const own = panel[name];
          if (!range && log === own.log) return null;
          const [low, high] = range || [];
          return { ...own, log, kind: own.kind === "category" ? "category" : log ? "log" : "linear", ...(log === own.log ? {} : ends(log, values, name === "x" ? 0.04 : 0.03)), ...(range ? { low, high } : {}) };
        };
        redraw(panel, numeric ? axis("x", view.xlog, view.x, panel.xs) : null, axis("y", view.ylog, view.y[labels.indexOf(panel.label)], panel.ys));
        for (const element of panel.svg.querySelectorAll("[data-series]")) {
          const { series, reading } = element.dataset;
          const isGhost = reading !== undefined;
          element.classList.toggle("gone", view.hide.has(series) || (isGhost && view.off.has("ghost") && reading !== view.reading));
          if (isGhost) element.classList.toggle("on", reading === view.reading);
          else element.classList.toggle("dim", !!panel.svg.querySelector(`.ghost[data-series="${series}"][data-reading="${view.reading}"]`));
        }
        panel.svg.querySelectorAll(".told").forEach((mark) => mark.classList.toggle("gone", view.off.has("told")));
      }
      buttons.forEach((update) => update());
      const anchor = article.querySelector(".anchor");
      if (anchor) anchor.setAttribute("href", `#${figure.fragment() || article.id}`);
    };
    figure.fragment = () => {
      const [{ view }, plain] = [figure, fresh()];
      const parts = [];
      if (view.hide.size) parts.push(`hide=${[...view.hide].sort().join(",")}`);
      if (view.off.size) parts.push(`off=${[...view.off].sort().join(",")}`);
      if (view.ylog !== plain.ylog) parts.push(`yscale=${view.ylog ? "log" : "linear"}`);
      if (view.xlog !== plain.xlog) parts.push(`xscale=${view.xlog ? "log" : "linear"}`);
      if (view.x) parts.push(`x=${view.x.map((value) => +value.toPrecision(4)).join("..")}`);
      for (const [group, range] of Object.entries(view.y)) if (range) parts.push(`y${group}=${range.map((value) => +value.toPrecision(4)).join("..")}`);
      if (view.reading !== "0") parts.push(`reading=${view.reading}`);
      return parts.length ? `${article.id}?${parts.join("&")}` : "";
    };
    figure.read = (query) => {
      figure.view = fresh();
      for (const [name, value = ""] of query.split("&").map((part) => part.split("="))) {
        const range = value.split("..").map(Number);
        const fits = range.length === 2 && range.every(Number.isFinite) && range[0] < range[1];
        if (name === "hide") figure.view.hide = new Set(value.split(",").filter(Boolean));
        if (name === "off") figure.view.off = new Set(value.split(",").filter(Boolean));
        if (name === "yscale") figure.view.ylog = value === "log";
        if (name === "xscale" && numeric) figure.view.xlog = value === "log";
        if (name === "x" && numeric && fits) figure.view.x = range;
        if (/^y\d+$/.test(name) && fits) figure.view.y[name.slice(1)] = range;
        if (name === "reading") figure.view.reading = value;
      }
      // A logarithmic axis has no place for zero.
      if (figure.view.xlog && figure.view.x && figure.view.x[0] <= 0) figure.view.x = null;
      if (figure.view.ylog) for (const group of Object.keys(figure.view.y)) if (figure.view.y[group][0] <= 0) delete figure.view.y[group];
    };
    const change = (alter, words) => {
      alter(figure.view);
      figure.apply();
      told.textContent = words;
      const active = [figure, ...[...figures.values()].filter((other) => other !== figure)].map((other) => other.fragment()).filter(Boolean);
      history.replaceState(null, "", `#${active.join(";") || article.id}`);
    };
    const button = (text, attributes, act, state) => {
      const made = make("button", text, { type: "button", ...attributes });
      made.addEventListener("click", act);
      if (state) buttons.push(() => state(made));
      return made;
    };

    for (const entry of article.querySelectorAll(".legend li[data-series], .legend li[data-marks]")) {
      const { series, marks } = entry.dataset;
      const name = entry.textContent;
      const set = () => (series === undefined ? figure.view.off : figure.view.hide);
      const key = series ?? marks;
      const toggle = button("", { class: "toggle", title: "Hide or show" }, (event) => {
        if (event.shiftKey && series !== undefined) return alone();
        change(() => (set().has(key) ? set().delete(key) : set().add(key)), `${name} ${set().has(key) ? "shown" : "hidden"}`);
      }, (made) => made.setAttribute("aria-pressed", !set().has(key)));
      const all = legend.map((other) => other.dataset.series);
      const isAlone = () => figure.view.hide.size === all.length - 1 && !figure.view.hide.has(series);
      const alone = () => change((view) => { view.hide = isAlone() ? new Set() : new Set(all.filter((other) => other !== series)); }, isAlone() ? "All shown" : `${name} alone`);
      toggle.append(...entry.childNodes);
      entry.append(toggle);
      if (series !== undefined && all.length > 2) entry.append(button("only", { class: "only", "aria-label": `Only ${name}` }, alone, (made) => made.setAttribute("aria-pressed", isAlone())));
    }

    const nav = article.querySelector(".readings");
    if (nav && nav.querySelector("[data-reading]")) {
      const page = make("a", "as a page");
      const entries = [nav.querySelector("[aria-current]"), ...nav.querySelectorAll("a[data-reading]")];
      entries.forEach((entry) => {
        const reading = entry.dataset.reading ?? "0";
        entry.replaceWith(button(entry.textContent, { class: "toggle" }, () => change((view) => { view.reading = reading; }, `Reading: ${entry.textContent}`), (made) => {
          made.setAttribute("aria-pressed", figure.view.reading === reading);
          if (figure.view.reading === reading) { page.hidden = reading === "0"; page.setAttribute("href", entry.getAttribute("href") || "#"); }
        }));
      });
      nav.append(page);
    }

    const tools = make("div", "", { class: "tools view", role: "group", "aria-label": "View of this figure" });
    const positive = (name) => panels.every((panel) => panel[name].some((value) => value > 0));
    const scaleButton = (name, key) => button(`log ${name}`, { class: "toggle" }, () => change((view) => {
      view[key] = !view[key];
      if (name === "x") view.x = null; else view.y = {};
    }, `${name} axis ${figure.view[key] ? "linear" : "logarithmic"}`), (made) => made.setAttribute("aria-pressed", figure.view[key]));
    if (positive("ys")) tools.append(scaleButton("y", "ylog"));
    if (numeric && positive("xs")) tools.append(scaleButton("x", "xlog"));
    const ranges = make("form", "", { class: "ranges" });
    ranges.hidden = true;
    const field = (name, text, which) => {
      const label = make("label", `${text} `);
      const input = make("input", "", { type: "number", step: "any", name, size: 7 });
      label.append(input);
      ranges.append(label);
      buttons.push(() => { if (document.activeElement !== input) input.value = which() ?? ""; });
      return input;
    };
    const unit = (axis) => panels[0][axis].unit;
    const brief = (value) => value === undefined ? value : +value.toPrecision(4);
    const current = (axis, end) => brief((axis === "x" ? figure.view.x : figure.view.y[0])?.[end] / unit(axis) || panels[0].now[axis][end ? "high" : "low"] / unit(axis));
    const inputs = { x: numeric ? [0, 1].map((end) => field(`x${end}`, end ? "to" : "x from", () => current("x", end))) : null, y: labels.length === 1 ? [0, 1].map((end) => field(`y${end}`, end ? "to" : "y from", () => current("y", end))) : null };
    ranges.append(make("button", "Show", { type: "submit" }));
    ranges.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = (axis, log) => {
        const range = inputs[axis] && inputs[axis].map((input) => input.valueAsNumber * unit(axis));
        return range && range.every(Number.isFinite) && range[0] < range[1] && (!log || range[0] > 0) ? range : null;
      };
      const same = (range, axis) => range && brief(range[0]) === brief(axis.low) && brief(range[1]) === brief(axis.high);
      const [x, y] = [wanted("x", figure.view.xlog), wanted("y", figure.view.ylog)];
      change((view) => {
        if (x && !same(x, panels[0].now.x)) view.x = x;
        if (y && !same(y, panels[0].now.y)) view.y = { 0: y };
      }, "Range shown");
    });
    if (inputs.x || inputs.y) tools.append(button("range", { class: "toggle", "aria-expanded": "false" }, (event) => {
      ranges.hidden = !ranges.hidden;
      event.currentTarget.setAttribute("aria-expanded", !ranges.hidden);
    }));
    tools.append(button("reset", {}, () => change(() => { figure.view = fresh(); }, "The figure as it was"), (made) => { made.hidden = !figure.fragment(); }), ranges);
    article.querySelector(".panels").before(tools);

    panels.forEach((panel) => listen(figure, panel, labels.indexOf(panel.label), numeric, change));
    figures.set(article.id, figure);
    figure.apply();
  };

  // Values at one place, of every series that is shown.
  const titles = new WeakMap();
  const titleOf = (mark) => {
    if (!titles.has(mark)) {
      const title = mark.querySelector("title");
      titles.set(mark, title ? title.textContent.split("\n") : []);
      // The browser's own tooltip would stand in front of ours.
      title?.remove();
    }
    return titles.get(mark);
  };
  const isSeen = (mark) => mark.getAttribute("visibility") !== "hidden" && !mark.closest(".gone");
  const valuesAt = (figure, panel, at) => {
    const rows = [];
    let place = "";
    for (const group of panel.svg.querySelectorAll(".series")) {
      if (group.classList.contains("gone")) continue;
      const ghost = panel.svg.querySelector(`.ghost[data-series="${group.dataset.series}"][data-reading="${figure.view.reading}"]`);
      for (const mark of group.querySelectorAll("[data-x], .level")) {
        if (mark.closest(".told") || (mark.dataset.x !== undefined && mark.dataset.x !== at) || !isSeen(mark)) continue;
        const [name, ...lines] = titleOf(mark);
        if (mark.dataset.x !== undefined && lines.length) place = lines[0];
        const line = lines.find((text) => text.startsWith(`${panel.label}: `));
        const other = ghost && ghost.dataset.points.split(" ").find((pair) => pair.startsWith(`${at},`));
        const value = other ? shown(other.split(",")[1] / panel.y.unit) : line ? line.slice(panel.label.length + 2) : lines[lines.length - 1];
        rows.push([group.getAttribute("class").match(/c\d/)?.[0], name, value]);
      }
    }
    for (const mark of panel.svg.querySelectorAll(".told")) {
      if (mark.dataset.x === at && isSeen(mark)) rows.push(["", "", titleOf(mark)[0]]);
    }
    return { place, rows };
  };
  const show = (figure, panel, at, px) => {
    const { svg, top, bottom } = panel;
    const { place, rows } = valuesAt(figure, panel, at);
    let cursor = svg.querySelector(".cursor");
    if (!cursor) { cursor = drawn("path", { class: "cursor" }); svg.append(cursor); }
    cursor.setAttribute("d", `M${px} ${top}V${bottom}`);
    box.replaceChildren(make("b", place));
    for (const [colour, name, value] of rows) {
      const row = make("div", "");
      row.append(make("i", "", { class: colour }), make("span", name), make("span", value, { class: "n" }));
      box.append(row);
    }
    box.hidden = false;
    const [frame, size] = [svg.getBoundingClientRect(), box.getBoundingClientRect()];
    const x = frame.left + (px / svg.viewBox.baseVal.width) * frame.width;
    box.style.left = `${between(x + 14 + size.width > innerWidth ? x - size.width - 14 : x + 14, 4, Math.max(4, innerWidth - size.width - 4))}px`;
    box.style.top = `${between(frame.top + 8, 4, Math.max(4, innerHeight - size.height - 4))}px`;
    panel.at = at;
    return `${place}. ${rows.map(([, name, value]) => `${name} ${value}`.trim()).join("; ")}`;
  };
  const hide = (panel) => {
    box.hidden = true;
    panel.svg.querySelector(".cursor")?.remove();
    panel.at = undefined;
  };

  const listen = (figure, panel, group, numeric, change) => {
    const { svg, left, right, top, bottom } = panel;
    svg.setAttribute("tabindex", "0");
    const middle = (at) => between(scale(panel.now.x, left, right)(+at), left, right);
    const stops = () => [...new Set(panel.marks.filter((mark) => mark.dataset.x !== undefined && isSeen(mark)).map((mark) => mark.dataset.x))].sort((a, b) => a - b);
    const point = (event) => {
      const frame = svg.getBoundingClientRect();
      const ratio = svg.viewBox.baseVal.width / frame.width;
      return [(event.clientX - frame.left) * ratio, (event.clientY - frame.top) * ratio];
    };
    const nearest = ([px, py]) => {
      if (!panel.isScatter) return stops().reduce((best, at) => (best === undefined || Math.abs(middle(at) - px) < Math.abs(middle(best) - px) ? at : best), undefined);
      const high = scale(panel.now.y, bottom, top);
      const far = (mark) => (middle(mark.dataset.x) - px) ** 2 + (high(+mark.dataset.y) - py) ** 2;
      return panel.marks.filter((mark) => mark.dataset.x !== undefined && mark.dataset.y !== undefined && isSeen(mark)).reduce((best, mark) => (!best || far(mark) < far(best) ? mark : best), null)?.dataset.x;
    };
    let from = null;
    let mark = null;
    const stop = () => { from = null; mark?.remove(); mark = null; };
    svg.addEventListener("pointerdown", (event) => {
      const [px, py] = point(event);
      if (event.button || px < left || px > right || py < top || py > bottom) return;
      from = [px, py];
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      const [px, py] = point(event);
      if (from && Math.hypot(px - from[0], py - from[1]) > 6) {
        hide(panel);
        if (!mark) { mark = drawn("rect", { class: "chosen" }); svg.append(mark); }
        const [x, y] = [between(px, left, right), between(py, top, bottom)];
        for (const [name, value] of Object.entries({ x: Math.min(x, from[0]), y: Math.min(y, from[1]), width: Math.abs(x - from[0]), height: Math.abs(y - from[1]) })) mark.setAttribute(name, value);
        return;
      }
      const at = nearest([px, py]);
      if (at === undefined) return hide(panel);
      show(figure, panel, at, middle(at));
    });
    svg.addEventListener("pointerup", (event) => {
      if (!from || !mark) return stop();
      const [a, b] = [from, point(event)];
      stop();
      const back = (axis, low, high) => (px) => {
        const along = axis.log ? Math.log10 : (value) => value;
        const value = along(axis.low) + ((between(px, low, high) - low) / (high - low)) * (along(axis.high) - along(axis.low));
        return axis.log ? 10 ** value : value;
      };
      const [x, y] = [back(panel.now.x, left, right), back(panel.now.y, bottom, top)];
      change((view) => {
        if (numeric && Math.abs(a[0] - b[0]) > 12) view.x = [x(Math.min(a[0], b[0])), x(Math.max(a[0], b[0]))];
        if (Math.abs(a[1] - b[1]) > 12) view.y[group] = [y(Math.max(a[1], b[1])), y(Math.min(a[1], b[1]))];
      }, "Zoomed");
    });
    svg.addEventListener("dblclick", () => change((view) => { view.x = null; view.y = {}; }, "The whole range"));
    svg.addEventListener("pointercancel", stop);
    svg.addEventListener("pointerleave", () => { if (!from) hide(panel); });
    svg.addEventListener("blur", () => hide(panel));
    svg.addEventListener("keydown", (event) => {
      const all = stops();
      const now = all.indexOf(panel.at);
      const next = { ArrowRight: Math.min(now + 1, all.length - 1), ArrowLeft: now < 0 ? all.length - 1 : Math.max(now - 1, 0), Home: 0, End: all.length - 1 }[event.key];
      if (event.key === "Escape") { stop(); hide(panel); }
      if (next === undefined || !all.length) return;
      event.preventDefault();
      told.textContent = show(figure, panel, all[next], middle(all[next]));
    });
  };

  // As it stands, where somebody cut it in the middle of a character.
  const address = () => {
    const hash = location.hash.slice(1);
    try { return decodeURIComponent(hash); } catch { return hash; }
  };
  const read = () => {
    const parts = address().split(";").map((part) => part.split("?"));
    parts.forEach(([id]) => prepare(id));
    for (const figure of figures.values()) {
      const wanted = parts.find(([id]) => id === figure.article.id);
      if (!figure.fragment() && !wanted?.[1]) continue;
      figure.read(wanted?.[1] || "");
      figure.apply();
    }
    if (parts[0][1]) document.getElementById(parts[0][0])?.scrollIntoView();
  };
  // Figures are prepared after the page is there, a few at a time, or when the address names them.
  const waiting = new Map([...document.querySelectorAll("article")].map((article) => [article.id, article]));
  const prepare = (id) => {
    const article = waiting.get(id);
    waiting.delete(id);
    if (article) figureOf(article);
  };
  const proceed = () => {
    const end = performance.now() + 12;
    while (waiting.size && performance.now() < end) prepare(waiting.keys().next().value);
    if (waiting.size) setTimeout(proceed);
    else document.documentElement.dataset.plots = "ready";
  };
  if (location.hash.includes("?")) read();
  setTimeout(proceed);
  addEventListener("hashchange", read);
  // On paper everything is there.
  let views = null;
  addEventListener("beforeprint", () => {
    views = [...figures.values()].filter((figure) => figure.fragment()).map((figure) => [figure, figure.fragment().split("?")[1]]);
    views.forEach(([figure]) => { figure.read(""); figure.apply(); });
  });
  addEventListener("afterprint", () => views?.forEach(([figure, view]) => { figure.read(view); figure.apply(); }));
};
