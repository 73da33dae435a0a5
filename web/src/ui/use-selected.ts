import { type RefObject, useEffect, useRef } from 'react'

/** A menu that closes gives the focus back to its button within this time. */
const AFTER_MENU_MS = 60

/** Of a field that has just come up, maybe from a menu: it has the focus, and typing replaces a line. */
export function useSelected<
  T extends HTMLInputElement | HTMLTextAreaElement,
>(): RefObject<T | null> {
  const field = useRef<T>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      field.current?.focus()
      // a long text is rather added to
      if (field.current instanceof HTMLInputElement) field.current.select()
    }, AFTER_MENU_MS)
    return () => clearTimeout(timer)
  }, [])
  return field
}
