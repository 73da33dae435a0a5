import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { confirm } from '../dialog/confirm.tsx'

/**
 * Asks before unsaved input is lost. Switching tabs within the page keeps it. `settled` waits for a save in progress and
 * tells whether it succeeded.
 */
export function useUnsavedGuard(isDirty: boolean, settled?: () => Promise<boolean>): void {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: false,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname || (await settled?.())) return false
      const isConfirmed = await confirm({
        title: 'Discard unsaved changes?',
        message: 'Changes on this page are not saved yet.',
        yes: 'Discard changes',
        isDangerous: true,
      })
      return !isConfirmed
    },
  })
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
}
