import { CAN_EDIT } from '#model/levels.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { useDashboardSearch } from '../../dashboard-list/api.ts'
import { useDashboardContext } from '../context.ts'
import { toBlock } from '../grid/sections.ts'
import { PickDialog } from '../pick-dialog.tsx'
import { useTransferTile } from './api.ts'
import { toTransferred } from './duplicate.ts'
import { tileTitle } from './state.ts'

interface TransferDialogProps {
  readonly tile: Tile
  readonly how: 'copy' | 'move'
  readonly onClose: () => void
}

/** Adds the tile, or the section with its tiles, to the other dashboard before removing it here, so a rejected request loses nothing. */
export function TransferDialog({ tile, how, onClose }: TransferDialogProps) {
  const { dashboardId, editor } = useDashboardContext()
  const { mutateAsync: send } = useTransferTile()
  const title = tileTitle(tile)
  const verb = how === 'copy' ? 'Copied' : 'Moved'
  return (
    <PickDialog
      title={`${how === 'copy' ? 'Copy' : 'Move'} “${title}” to`}
      things="dashboards"
      useFound={useDashboardSearch}
      isOffered={({ id, effective_privilege_level }) =>
        id !== dashboardId && effective_privilege_level === CAN_EDIT
      }
      onPick={async (to) => {
        const name = to.name || 'Untitled dashboard'
        const block = toBlock(editor.shown().tiles, tile)
        const toTiles = (others: readonly Tile[]) => toTransferred(block, others)
        const created = await send({ to: to.id, toTiles })
        editor.edit(
          `${verb} ${title} to “${name}”`,
          how === 'move' ? { tiles: block.map(({ id }) => ({ id, deleted: true })) } : {},
          { saved: { elsewhere: { dashboard: to.id, tiles: created, deleted: false } } },
        )
        notify({ message: `${verb} to “${name}”.` })
      }}
      onClose={onClose}
    />
  )
}
