/** Runs slow work once the browser has painted its response to an input. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}
