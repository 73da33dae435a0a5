import { type RefObject, useEffect, useRef } from 'react'

/** A closing menu returns focus to its button within this time. */
const AFTER_MENU_MS = 60

/** Focuses a field on mount, after a closing menu, and selects a single-line text or one that is to be replaced. */
export function useSelectOnMount<T extends HTMLInputElement | HTMLTextAreaElement>(
  isReplaced = false,
): RefObject<T | null> {
  const field = useRef<T>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      field.current?.focus()
      // longer texts are appended to, so they are not selected
      if (isReplaced || field.current instanceof HTMLInputElement) field.current?.select()
    }, AFTER_MENU_MS)
    return () => clearTimeout(timer)
  }, [isReplaced])
  return field
}
