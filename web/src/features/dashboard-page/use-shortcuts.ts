import { useHotkeys } from '@mantine/hooks'
import type { DashboardEditor } from './editing/editor.ts'
import { toUndo } from './editing/use-undo.ts'
import { useFullScreen } from './use-full-screen.ts'

/** Binds undo, redo and full screen. */
export function useShortcuts(editor: DashboardEditor, canEdit: boolean): void {
  const { toggle } = useFullScreen()
  const { undo, redo } = toUndo(editor)
  useHotkeys([
    ['mod+Z', () => canEdit && undo()],
    ['mod+shift+Z', () => canEdit && redo()],
    ['F', toggle],
  ])
}
