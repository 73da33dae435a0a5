import { useSearch } from '@tanstack/react-router'

/** `?kiosk`: a screen on a wall, where nobody clicks. */
export function useIsKiosk(): boolean {
  const { kiosk } = useSearch({ strict: false })
  return kiosk === true
}
