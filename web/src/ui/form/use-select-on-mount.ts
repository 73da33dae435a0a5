import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A closing menu returns focus to its button within this time. */
const AFTER_MENU_MS = 60

/** Focuses a field on mount, after a closing menu, and selects a single-line text or one that is to be replaced. */
export function useSelectOnMount<T extends HTMLInputElement | HTMLTextAreaElement>(
  isReplaced = false,
): RefObject<T | null> {
  const field = useRef<T>(null)
  useLayoutEffect(() => {
    const take = () => {
      field.current?.focus()
      // longer texts are appended to, so they are not selected
      if (isReplaced || field.current instanceof HTMLInputElement) field.current?.select()
    }
    // at once where it can: a key pressed before would be lost
    if (!document.activeElement?.closest('[role="menu"]')) return take()
    const timer = setTimeout(take, AFTER_MENU_MS)
    return () => clearTimeout(timer)
  }, [isReplaced])
  return field
}
