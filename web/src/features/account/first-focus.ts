import { type RefObject, useEffect, useRef } from 'react'

/** For the first field of a page that is nothing but a form. */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
