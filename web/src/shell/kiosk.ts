import { useSearch } from '@tanstack/react-router'

/** Tells whether `?kiosk` is set, for wall screens without interaction. */
export function useIsKiosk(): boolean {
  const { kiosk } = useSearch({ strict: false })
  return kiosk === true
}
