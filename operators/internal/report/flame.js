// Finds frames by a part of their names and says their share; widens the frame that is clicked. Without it the graphs are there all the same.
"use strict";
(() => {
  const dash = " \u2014 ", room = 2, close = 1e-6;
  const graphs = [...document.querySelectorAll(".flame")].map((box) => ({
    svg: box.firstElementChild, says: box.closest("details").querySelector("output"), frames: null,
  }));
  // Frames stand in the document before those that they called, from left to right.
  const framesOf = (graph) => graph.frames ||= [...graph.svg.querySelectorAll("svg")].map((el) => {
    const title = el.querySelector("title").textContent, place = (name) => parseFloat(el.getAttribute(name));
    const name = title.slice(0, title.lastIndexOf(dash));
    return { el, name, folded: name.toLowerCase(), x: place("x"), width: place("width"), y: place("y") };
  });
  const find = (graph, wanted) => {
    let share = 0, covered = -1;
    for (const frame of framesOf(graph)) {
      const hit = wanted !== "" && frame.folded.includes(wanted);
      frame.el.classList.toggle("hit", hit);
      if (hit && frame.x > covered - close) { // what a hit called is in its share
        share += frame.width;
        covered = frame.x + frame.width;
      }
    }
    graph.says.textContent = wanted === "" ? "" : share.toFixed(2) + "% matches";
  };
  const letter = (graph, frame, width) => {
    if (width < room || frame.el.querySelector("text")) return;
    const text = document.createElementNS(graph.svg.namespaceURI, "text");
    text.setAttribute("x", "3");
    text.setAttribute("y", "12");
    text.textContent = frame.el.classList.contains("k1") ? frame.name.slice(frame.name.lastIndexOf("/") + 1) : frame.name;
    frame.el.append(text);
  };
  const widen = (graph, chosen) => {
    for (const frame of framesOf(graph)) {
      const end = frame.x + frame.width, chosenEnd = chosen.x + chosen.width;
      const inside = frame.y <= chosen.y && frame.x >= chosen.x - close && end <= chosenEnd + close;
      const below = frame.y > chosen.y && frame.x <= chosen.x + close && end >= chosenEnd - close;
      frame.el.classList.toggle("away", !inside && !below);
      frame.el.classList.toggle("past", below);
      const width = inside ? 100 * frame.width / chosen.width : 100;
      frame.el.setAttribute("x", (inside ? 100 * (frame.x - chosen.x) / chosen.width : 0) + "%");
      frame.el.setAttribute("width", width + "%");
      if (inside || below) letter(graph, frame, width);
    }
  };
  for (const graph of graphs) {
    graph.svg.addEventListener("click", (event) => {
      const chosen = framesOf(graph).find((frame) => frame.el === event.target.closest(".frames > svg"));
      if (!chosen) return;
      widen(graph, chosen);
      graph.says.textContent = chosen === framesOf(graph)[0] ? "" : chosen.title; // a finger cannot point
    });
  }
  const box = document.getElementById("find");
  let soon = 0;
  box.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(() => graphs.forEach((graph) => find(graph, box.value.trim().toLowerCase())), 150);
  });
  box.closest(".tools").hidden = false;
})();
