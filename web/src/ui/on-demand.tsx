import { useEffect, useState } from 'react'
import { lazyComponent } from './lazy-component.tsx'

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

/** Loads the dialog functions. */
export function loadModals() {
  want?.('modals')
  return import('./modals.tsx')
}

/** Loads the toast functions; earlier toasts wait in their store. */
export function loadNotifications() {
  want?.('notifications')
  return import('@mantine/notifications')
}
