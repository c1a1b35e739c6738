// Arrow keys in a grid of buttons: one tab stop for the whole grid, Home and End, and rows as they stand on screen.

/** Make the buttons that `selector` finds in these containers one grid. Call the result after they have changed. */
export function makeGrid(containers, selector) {
  const all = () => containers.flatMap((box) => [...box.querySelectorAll(selector)]).filter((node) => node.offsetParent);
  const refresh = () => {
    const nodes = all();
    const held = nodes.find((node) => node === document.activeElement) ?? nodes.find((node) => node.tabIndex === 0) ?? nodes[0];
    for (const node of nodes) node.tabIndex = node === held ? 0 : -1;
  };
  for (const box of containers) {
    box.addEventListener("focusin", (event) => {
      const own = event.target.closest(selector);
      if (own) for (const node of all()) node.tabIndex = node === own ? 0 : -1;
    });
    box.addEventListener("keydown", (event) => {
      const own = event.target.closest(selector);
      if (!own || event.altKey || event.ctrlKey || event.metaKey) return;
      const next = step(all(), own, event.key);
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  }
  return refresh;
}

function step(nodes, own, key) {
  const at = nodes.indexOf(own);
  if (key === "ArrowRight") return nodes[at + 1];
  if (key === "ArrowLeft") return nodes[at - 1];
  if (key === "Home") return nodes[0];
  if (key === "End") return nodes.at(-1);
  if (key === "ArrowDown") return nearest(nodes.slice(at + 1), own, 1);
  if (key === "ArrowUp") return nearest(nodes.slice(0, at).reverse(), own, -1);
  return null;
}

/** Return the node of the next row that lies nearest to the column one is in. */
function nearest(nodes, own, direction) {
  const here = own.getBoundingClientRect();
  const middle = (box) => box.left + box.width / 2;
  const boxes = nodes.map((node) => [node, node.getBoundingClientRect()]);
  const ahead = boxes.filter(([, box]) => (direction > 0 ? box.top >= here.bottom - 4 : box.bottom <= here.top + 4));
  if (!ahead.length) return null;
  const row = ahead.filter(([, box]) => Math.abs(box.top - ahead[0][1].top) < 24);
  return row.sort((a, b) => Math.abs(middle(a[1]) - middle(here)) - Math.abs(middle(b[1]) - middle(here)))[0][0];
}
