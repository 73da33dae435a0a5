/** Escape reaches every dialogue that is open, and is meant for the one on top. */
export const onlyOnTop = (onClose: () => void) => (): void => {
  if (document.querySelectorAll('[role="dialog"][aria-modal="true"]').length < 2) onClose()
}
