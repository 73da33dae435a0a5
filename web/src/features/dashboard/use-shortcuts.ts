import { useHotkeys } from '@mantine/hooks'
import { notify } from '../../ui/notify.ts'
import type { Editor } from './editing/editor.ts'
import { useFullScreen } from './use-full-screen.ts'

/** Undo, redo and full screen. */
export function useShortcuts(editor: Editor, canEdit: boolean): void {
  const { toggle } = useFullScreen()
  const say = (what: string, edit: { readonly label: string } | undefined) => {
    if (edit) notify({ message: `${what}: ${edit.label}`, autoClose: 2000 })
  }
  useHotkeys([
    ['mod+Z', () => canEdit && say('Undone', editor.undo())],
    ['mod+shift+Z', () => canEdit && say('Done again', editor.redo())],
    ['F', toggle],
  ])
}
