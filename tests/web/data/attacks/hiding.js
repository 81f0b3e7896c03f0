// covers Stop and takes the presses
const cover = document.createElement("div");
cover.popover = "manual";
cover.style.cssText = "inset: 0; width: 100%; height: 90px; opacity: 0.01";
document.body.append(cover);
setInterval(() => {
  if (cover.matches(":popover-open")) cover.hidePopover();
  cover.showPopover();
}, 100);

// moves it into an element that it hides
const box = document.createElement("div");
box.style.display = "none";
document.body.append(box);
setInterval(() => {
  if (BAR) box.append(BAR);
}, 20);

// removes it
setInterval(() => BAR?.remove(), 20);

// makes it transparent
document.documentElement.style.opacity = "0.01";

// disables it
document.documentElement.inert = true;

// covers it and lets presses through
const cover = document.createElement("div");
cover.popover = "manual";
cover.style.cssText = "inset: 0; width: 100%; height: 90px; background: red; pointer-events: none";
document.body.append(cover);
setInterval(() => {
  if (cover.matches(":popover-open")) cover.hidePopover();
  cover.showPopover();
}, 100);
