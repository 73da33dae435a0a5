import { useEffect, useState } from 'react'
import { lazyComponent } from '../page/lazy-component.tsx'

const Modals = lazyComponent(async () => (await import('./modals.tsx')).Modals)
const Notifications = lazyComponent(
  async () => (await import('@mantine/notifications')).Notifications,
)

type Wanted = 'modals' | 'notifications'

let want: ((what: Wanted) => void) | undefined

/** Dialogs and toasts, loaded on first use: most visits need neither. */
export function OnDemand() {
  const [wanted, setWanted] = useState<readonly Wanted[]>([])
  useEffect(() => {
    want = (what) => setWanted((before) => (before.includes(what) ? before : [...before, what]))
    return () => {
      want = undefined
    }
  }, [])
  return (
    <>
      {wanted.includes('modals') && <Modals />}
      {wanted.includes('notifications') && <Notifications position="bottom-right" />}
    </>
  )
}

/** Loads the dialog functions. Rejects if the server cannot be reached; the page stays as it is. */
export async function loadModals() {
  const module = await import('./modals.tsx')
  // not before its code is there: a component whose code cannot be loaded takes the whole page with it
  want?.('modals')
  return module
}

/** Loads the toast functions; earlier toasts wait in their store. */
export async function loadNotifications() {
  const module = await import('@mantine/notifications')
  want?.('notifications')
  return module
}
