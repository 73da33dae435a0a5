/** Closes only the topmost dialog: Escape reaches every open one. */
export const closeIfTopmost = (onClose: () => void) => (): void => {
  if (document.querySelectorAll('[role="dialog"][aria-modal="true"]').length < 2) onClose()
}
