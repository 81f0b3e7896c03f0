/**
 * Where the frames of tabs are. Pages get at least the width of a small screen; where the panel is narrower, they are
 * drawn smaller, so that what an agent sees doesn't depend on how a person arranges the panels.
 */

const LEAST_WIDTH = 1024;
const LEAST_HEIGHT = 400;

/**
 * Keeps the stage fitted to what is seen of it.
 *
 * @param {HTMLElement} view
 * @param {HTMLElement} stage in `view`
 */
export function fitStage(view, stage) {
  const fit = () => {
    const { clientWidth, clientHeight } = view;
    // A panel that isn't shown has no size; its pages keep the one they had.
    if (clientWidth === 0 || clientHeight === 0) return;
    const scale = Math.min(1, clientWidth / LEAST_WIDTH);
    stage.style.width = `${clientWidth / scale}px`;
    stage.style.height = `${Math.max(LEAST_HEIGHT, clientHeight / scale)}px`;
    stage.style.setProperty("--scale", String(scale));
    stage.style.transform = scale === 1 ? "" : `scale(${scale})`;
  };
  new ResizeObserver(fit).observe(view);
  fit();
}
