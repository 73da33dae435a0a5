import { useEffect, useState } from 'react'
import { lazily } from './lazily.tsx'

const Modals = lazily(async () => (await import('./modals.tsx')).Modals)
const Notifications = lazily(async () => (await import('@mantine/notifications')).Notifications)

type Wanted = 'modals' | 'notices'

let want: ((what: Wanted) => void) | undefined

/** Dialogues and notices, from when they are first needed: most visits need neither. */
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
      {wanted.includes('notices') && <Notifications position="bottom-right" />}
    </>
  )
}

/** What opens dialogues. */
export function loadModals() {
  want?.('modals')
  return import('./modals.tsx')
}

/** What shows notices: those that come before it is there wait in its store. */
export function loadNotices() {
  want?.('notices')
  return import('@mantine/notifications')
}
