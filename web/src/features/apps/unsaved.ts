import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../../ui/confirm.tsx'

/** Whoever would lose what they typed is asked first. Another tab of the same page loses nothing. */
export function useUnsaved(isDirty: boolean): void {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      const mayLeave = await confirm({
        title: 'Leave without saving?',
        message: 'What you changed on this page is not saved, and would be lost.',
        yes: 'Leave',
        isDangerous: true,
      })
      return !mayLeave
    },
  })
}
