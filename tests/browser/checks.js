// What is wrong with how a page looks: a list of sentences, empty when nothing is.
(() => {
  const wrong = [];
  const page = document.documentElement;
  // What is folded away is looked at, too.
  for (const details of document.querySelectorAll("details")) details.open = true;
  if (page.scrollWidth > page.clientWidth) {
    const wide = [...document.querySelectorAll("body *")].find((e) => e.getBoundingClientRect().right > page.clientWidth + 1 && !e.closest(".scroll, svg, .sr, .skip"));
    wrong.push(`the page is ${page.scrollWidth} wide, not ${page.clientWidth}: ${wide ? wide.outerHTML.slice(0, 200) : "?"}`);
  }

  for (const scroll of document.querySelectorAll(".scroll")) {
    if (scroll.clientWidth && scroll.scrollWidth > scroll.clientWidth + 1) wrong.push(`a table is clipped, ${scroll.scrollWidth} in ${scroll.clientWidth}: ${scroll.getAttribute("aria-label").slice(0, 80)}`);
  }

  for (const cell of document.querySelectorAll("td.n")) {
    const text = [...cell.childNodes].find((node) => node.nodeType === 3 && /^\s*[−\d][\d.,]*\s*$/.test(node.textContent));
    if (!text || !cell.getClientRects().length) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    if (range.getClientRects().length > 1) wrong.push(`a number is broken: ${text.textContent.trim()}`);
  }

  const ticks = [...document.querySelectorAll("figure svg.plot:not(.swatch) text")].map((text) => text.textContent.trim());
  const [powers, full] = [ticks.find((text) => /^10[⁰¹²³⁴⁵⁶⁷⁸⁹]+$/.test(text)), ticks.find((text) => /^\d{1,3}(,\d{3}){2,}$/.test(text))];
  if (powers && full) wrong.push(`ticks are written in two ways: ${powers} and ${full}`);

  const tick = document.body.innerText.match(/.{0,40}`.{0,40}/);
  if (tick) wrong.push(`a raw backtick: ${tick[0]}`);

  for (const article of document.querySelectorAll("article")) {
    const shown = article.querySelector("figure svg.plot:not(.swatch), figure table");
    const box = shown ? shown.getBoundingClientRect() : { width: 0, height: 0 };
    if (box.width < 80 || box.height < 40) wrong.push(`figure ${article.id} is not to be seen`);
    if (!shown || !shown.textContent.trim()) wrong.push(`figure ${article.id} has no text`);
  }

  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  for (const svg of document.querySelectorAll("figure svg.plot:not(.swatch)")) {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const name = svg.closest("article, section").id;
    texts.forEach((text, i) => {
      const box = boxes[i];
      if (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2) {
        wrong.push(`in ${name}, “${text.textContent.trim()}” is cut off`);
      }
      if (text.getAttribute("transform")) return;
      for (let j = 0; j < i; j += 1) {
        if (!texts[j].getAttribute("transform") && !apart(box, boxes[j])) {
          wrong.push(`in ${name}, “${text.textContent.trim()}” and “${texts[j].textContent.trim()}” overlap`);
        }
      }
    });
  }

  // A rule for something else of the same class would change what is drawn.
  for (const bar of document.querySelectorAll("figure svg rect.bar")) {
    const [drawn, meant] = [bar.getBBox().height, Number(bar.getAttribute("height"))];
    if (Math.abs(drawn - meant) > 0.5) wrong.push(`a bar of ${bar.closest("article").id} is ${drawn} high, not ${meant}`);
  }
  for (const mark of document.querySelectorAll("figure svg.plot:not(.swatch) .mark")) {
    if (!mark.getClientRects().length) continue;
    const [box, frame] = [mark.getBoundingClientRect(), mark.ownerSVGElement.getBoundingClientRect()];
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
      wrong.push(`a mark of ${mark.closest("article, section").id} is cut at the edge`);
    }
  }

  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.a > 0) return colour;
    }
    return { r: 255, g: 255, b: 255, a: 1 };
  };
  const seen = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest("script, style, title, .sr") || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const colour = parse(element instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [luminance(colour), luminance(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const key = `${element.className}|${style.color}|${contrast.toFixed(1)}`;
    if (contrast < 4.5 && !seen.has(key)) {
      seen.add(key);
      wrong.push(`a contrast of ${contrast.toFixed(2)}: ${element.outerHTML.slice(0, 120)}`);
    }
  }

  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) wrong.push(`two elements are called ${id}`);
  for (const svg of document.querySelectorAll('svg[role="img"]')) if (!svg.getAttribute("aria-label")) wrong.push("a plot says nothing to a screen reader");
  for (const th of document.querySelectorAll("th")) if (!th.scope) wrong.push(`a heading of a table has no scope: ${th.textContent}`);
  let level = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    const now = Number(h.tagName[1]);
    if (now > level + 1) wrong.push(`from h${level} to h${now}: ${h.textContent}`);
    level = now;
  }
  return wrong;
})()
