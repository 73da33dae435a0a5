import { useDashboardContext } from '../context.ts'
import { placeBelowTiles } from '../grid/layout.ts'
import { PickDialog } from '../pick-dialog.tsx'
import { useInsightSearch } from './api.ts'

/** Adds an insight that exists to the dashboard. */
export function AddInsight({ onClose }: { readonly onClose: () => void }) {
  const { editor } = useDashboardContext()
  return (
    <PickDialog
      title="Add insight"
      things="insights"
      useFound={useInsightSearch}
      onPick={({ id, name }) =>
        editor.edit(`Added ${name || 'an insight'}`, {
          tiles: [{ layouts: placeBelowTiles(editor.shown().tiles), insight: { id } }],
        })
      }
      onClose={onClose}
    />
  )
}
