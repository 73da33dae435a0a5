import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../../ui/confirm.tsx'

/** Asks before unsaved input is lost. Switching tabs within the page keeps it. */
export function useUnsavedGuard(isDirty: boolean): void {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      const isConfirmed = await confirm({
        title: 'Discard unsaved changes?',
        message: 'Changes on this page are not saved yet.',
        yes: 'Discard changes',
        isDangerous: true,
      })
      return !isConfirmed
    },
  })
}
