import { useHotkeys } from '@mantine/hooks'
import { notify } from '../../ui/notify.ts'
import type { DashboardEditor } from './editing/editor.ts'
import { useFullScreen } from './use-full-screen.ts'

/** Binds undo, redo and full screen. */
export function useShortcuts(editor: DashboardEditor, canEdit: boolean): void {
  const { toggle } = useFullScreen()
  const announce = (what: string, edit: { readonly label: string } | undefined) => {
    if (edit) notify({ message: `${what}: ${edit.label}`, autoClose: 2000 })
  }
  useHotkeys([
    ['mod+Z', () => canEdit && announce('Undone', editor.undo())],
    ['mod+shift+Z', () => canEdit && announce('Redone', editor.redo())],
    ['F', toggle],
  ])
}
