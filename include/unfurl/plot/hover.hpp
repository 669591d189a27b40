#pragma once

/// What a gallery page does when the pointer comes near a dot.
namespace unfurl::detail {

/// The look of what is shown.
inline const char* hover_style() {
  return R"css(.tip { position: fixed; z-index: 1; left: 0; top: 0; max-width: min(28rem, 96vw);
  padding: 0.2rem 0.55rem; pointer-events: none; font-size: 0.85rem;
  font-variant-numeric: tabular-nums; border-radius: 0.35rem;
  color: var(--page); background: var(--text); }
.tip[hidden] { display: none; }
)css";
}

/// Looks for the dot nearest to the pointer (or finger), says its row beside it, and puts a ring
/// around the same row in every picture of the same data. It reads what scatter_plot leaves in the
/// picture: `data-rows`, the rows of the dots of a group in their order, with `data-values` or
/// `data-label`, and the axes in `data-x` and `data-y`: pixels from and to, numbers low and high.
/// A picture is read once, when the pointer first comes to it.
inline const char* hover_script() {
  return R"js((() => {
  const reach = 18;  // in pixels of the picture
  const tip = document.body.appendChild(document.createElement("div"));
  tip.className = "tip";
  tip.hidden = true;
  const pictures = new Map();
  let rings = [];

  const read = svg => {
    const picture = { x: [], y: [], row: [], note: [], at: new Map() };
    const name = svg.dataset.values || "value";
    for (const group of svg.querySelectorAll("[data-rows]")) {
      const values = group.dataset.values ? group.dataset.values.split(" ") : [];
      const label = group.dataset.label ? "label " + group.dataset.label : "";
      group.dataset.rows.split(" ").forEach((row, i) => {
        const place = group.dataset.at || group.children[i].getAttribute("d").slice(1, -2);
        const [x, y] = place.split(" ").map(Number);
        picture.at.set(row, picture.row.length);
        picture.x.push(x);
        picture.y.push(y);
        picture.row.push(row);
        picture.note.push(values.length ? name + " " + values[i] : label);
      });
    }
    return picture;
  };
  const pictureOf = svg => {
    if (!pictures.has(svg)) pictures.set(svg, read(svg));
    return pictures.get(svg);
  };

  const nearest = (picture, x, y) => {
    let best = -1, least = reach * reach;
    for (let i = 0; i < picture.x.length; ++i) {
      const dx = picture.x[i] - x, dy = picture.y[i] - y, distance = dx * dx + dy * dy;
      if (distance <= least) { best = i; least = distance; }
    }
    return best;
  };

  const coordinate = (axis, pixels) => {
    const [from, to, low, high] = axis.split(" ").map(Number);
    const value = low + (pixels - from) / (to - from) * (high - low);
    const digits = -Math.floor(Math.log10((high - low) / 300));  // about what a pixel is worth
    return digits >= 0 && digits <= 8 ? value.toFixed(digits) : String(+value.toPrecision(4));
  };

  const clear = () => {
    tip.hidden = true;
    for (const ring of rings) ring.remove();
    rings = [];
  };

  const mark = (svg, picture, i) => {
    const ring = svg.appendChild(document.createElementNS(svg.namespaceURI, "circle"));
    const look = { class: "ring", cx: picture.x[i], cy: picture.y[i], r: 7, fill: "none",
                   stroke: "currentColor", "stroke-width": 2, "pointer-events": "none" };
    for (const key in look) ring.setAttribute(key, look[key]);
    rings.push(ring);
  };

  const show = (svg, event) => {
    const picture = pictureOf(svg);
    const at = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(svg.getScreenCTM().inverse());
    const i = nearest(picture, at.x, at.y);
    clear();
    if (i < 0) return;
    const data = svg.closest("figure").dataset.of;
    for (const other of data ? document.querySelectorAll("figure svg") : [svg]) {
      if (data && other.closest("figure").dataset.of !== data) continue;
      const found = pictureOf(other).at.get(picture.row[i]);
      if (found !== undefined) mark(other, pictureOf(other), found);
    }
    const parts = ["row " + picture.row[i]];
    if (picture.note[i]) parts.push(picture.note[i]);
    if (svg.dataset.x)
      parts.push("(" + coordinate(svg.dataset.x, picture.x[i]) + ", " +
                 coordinate(svg.dataset.y, picture.y[i]) + ")");
    tip.textContent = parts.join(" · ");
    tip.hidden = false;
    const right = innerWidth - tip.offsetWidth - 4, below = event.clientY + 18;
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, right)) + "px";
    tip.style.top = (below + tip.offsetHeight < innerHeight
      ? below : event.clientY - tip.offsetHeight - 10) + "px";
  };

  for (const svg of document.querySelectorAll("figure svg")) {
    if (!svg.querySelector("[data-rows]")) continue;
    svg.addEventListener("pointermove", event => show(svg, event));
    svg.addEventListener("pointerdown", event => show(svg, event));
    svg.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") clear(); });
  }
  addEventListener("pointerdown", event => { if (!event.target.closest("figure svg")) clear(); });
  addEventListener("scroll", clear, { passive: true });
})();
)js";
}

}  // namespace unfurl::detail
