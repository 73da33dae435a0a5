import { useNavigate } from '@tanstack/react-router'
import type { ShownComments } from '../comments/place.ts'

/** Opens and closes the drawer of comments, which the address names so that a link can open it. */
export function useCommentsDrawer() {
  const navigate = useNavigate()
  const show = (comments: ShownComments | undefined) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, comments }),
      replace: true,
      resetScroll: false,
    })
  return {
    open: () => show('all'),
    openFor: (tile: number) => show({ tile }),
    close: () => show(undefined),
  }
}
