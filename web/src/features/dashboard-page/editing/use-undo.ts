import { notify } from '../../../ui/dialog/notify.ts'
import { useDashboardContext } from '../context.ts'
import type { DashboardEditor } from './editor.ts'

/** Undoes or redoes the last edit and says which it was. */
export const toUndo = ({ undo, redo }: DashboardEditor) => ({
  undo: () => announce('Undone', undo()),
  redo: () => announce('Redone', redo()),
})

export const useUndo = () => toUndo(useDashboardContext().editor)

function announce(what: string, edit: { readonly label: string } | undefined): void {
  if (edit) notify({ message: `${what}: ${edit.label}`, autoClose: 2000 })
}
