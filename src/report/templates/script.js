"use strict";
// Everything on the page can be read without this; it sorts, filters and copies.
(() => {
  const make = (name, text, attributes = {}) => {
    const element = document.createElement(name);
    element.textContent = text;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const told = make("p", "", { class: "sr", role: "status" });
  document.body.append(told);

  const copy = async (text, button) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    const before = button.textContent;
    button.textContent = "Copied";
    told.textContent = "Copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  };

  const value = (row, column) => {
    const cell = row.cells[column];
    const number = cell.dataset.sort;
    return number === undefined ? { text: cell.textContent.trim() } : { number: Number(number) };
  };
  // Numbers first, words after them, empty cells last, whatever the direction.
  const compare = (a, b, direction) => {
    if (a.number !== undefined && b.number !== undefined) return direction * (a.number - b.number);
    if (a.number !== undefined) return -1;
    if (b.number !== undefined) return 1;
    if (!a.text || !b.text) return (a.text ? 0 : 1) - (b.text ? 0 : 1);
    return direction * a.text.localeCompare(b.text, "en", { numeric: true });
  };

  // A wide table stands on the page in parts below each other, which are sorted, filtered and copied as the one they are.
  const whole = (table) => { const parts = table.closest(".parts"); return parts ? [...parts.querySelectorAll("table.data")] : [table]; };
  const naming = (row) => { const first = [...row.cells].findIndex((cell) => cell.tagName !== "TH"); return first < 0 ? row.cells.length : first; };
  for (const first of new Set([...document.querySelectorAll("table.data")].map((table) => whole(table)[0]))) {
    const tables = whole(first);
    const lines = [...tables[0].tBodies[0].rows].map((_, index) => tables.map((table) => table.tBodies[0].rows[index]));
    const heads = tables.flatMap((table) => [...table.tHead.rows[0].cells]);
    tables.forEach((table, part) => [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = make("button", "", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        lines.sort((a, b) => compare(value(a[part], column), value(b[part], column), direction));
        tables.forEach((other, index) => other.tBodies[0].append(...lines.map((line) => line[index])));
      });
    }));

    const tools = make("div", "", { class: "tools" });
    if (lines.length > 6) {
      const label = make("label", "Filter ");
      const input = make("input", "", { type: "search" });
      label.append(input);
      input.addEventListener("input", () => {
        const wanted = input.value.toLowerCase();
        let shown = 0;
        for (const line of lines) {
          const fits = line.some((row) => [...row.cells].some((cell) => cell.textContent.toLowerCase().includes(wanted)));
          for (const row of line) row.hidden = !fits;
          shown += fits ? 1 : 0;
        }
        told.textContent = `${shown} of ${lines.length} rows`;
      });
      tools.append(label);
    }
    const button = make("button", "Copy table", { type: "button" });
    button.addEventListener("click", () => {
      // What names the rows stands in every part, and once in the copy.
      const names = lines.length ? naming(lines[0][0]) : 0;
      const text = (row, part) => [...row.cells].slice(part ? names : 0).map((cell) => cell.innerText.trim().replace(/\s+/g, " "));
      const line = (rows) => rows.flatMap(text).join("\t");
      const shown = lines.filter((rows) => !rows[0].hidden);
      copy([tables.map((table) => table.tHead.rows[0]), ...shown].map(line).join("\n"), button);
    });
    tools.append(button);
    tables[0].closest(".scroll").before(tools);
  }

  for (const command of document.querySelectorAll("pre.command")) {
    const button = make("button", "Copy command", { type: "button" });
    button.addEventListener("click", () => copy(command.textContent.trim(), button));
    const tools = make("div", "", { class: "tools" });
    tools.append(button);
    command.before(tools);
  }

  // Filters of the comparison: by metric and by data.
  for (const place of document.querySelectorAll("[data-filters]")) {
    const rows = [...document.querySelectorAll(".matrix tr[data-metric]")];
    const chosen = {};
    const apply = () => {
      for (const row of rows) row.hidden = Object.entries(chosen).some(([key, wanted]) => wanted && row.dataset[key] !== wanted);
      for (const body of document.querySelectorAll(".matrix tbody")) body.hidden = [...body.rows].every((row) => row.hidden || row.classList.contains("head"));
      for (const table of document.querySelectorAll(".matrix")) table.parentElement.hidden = [...table.tBodies].every((body) => body.hidden);
      for (const figure of document.querySelectorAll("figure[data-metric]")) figure.hidden = !!chosen.metric && figure.dataset.metric !== chosen.metric;
      told.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
    };
    const read = () => {
      const wanted = new URLSearchParams(location.hash.startsWith("#matrix?") ? location.hash.slice(8) : "");
      for (const select of place.querySelectorAll("select")) chosen[select.name] = select.value = wanted.get(select.name) || "";
      apply();
    };
    for (const key of ["metric", "data"]) {
      const label = make("label", `${key} `);
      const select = make("select", "", { name: key });
      select.append(make("option", "all", { value: "" }), ...[...new Map(rows.map((row) => [row.dataset[key], row.dataset[`${key}Words`] || row.dataset[key]]))].map(([value, text]) => make("option", text, { value })));
      select.addEventListener("change", () => {
        chosen[key] = select.value;
        apply();
        const set = Object.entries(chosen).filter((pair) => pair[1]);
        history.replaceState(null, "", `#matrix${set.length ? "?" : ""}${new URLSearchParams(set)}`);
      });
      label.append(select);
      place.append(label);
    }
    if (location.hash.startsWith("#matrix?")) { read(); place.scrollIntoView(); }
    addEventListener("hashchange", () => { if (location.hash.startsWith("#matrix")) read(); });
  }

  // Only pages with plots have it.
  if (typeof plots === "function") plots({ make, told });
})();
