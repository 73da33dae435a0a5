import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import { tileTitle } from './state.ts'

const TileItems = lazyComponent(async () => (await loadDialogs()).TileItems)

export interface TileMenuProps {
  readonly tile: Tile
  /** Edits a text in place; insights have their own page. */
  readonly onEdit?: () => void
  readonly onRename?: () => void
  readonly onData?: () => void
  readonly onAlerts?: () => void
}

export function TileMenu(props: TileMenuProps) {
  const { tile } = props
  const { canEdit } = useDashboardContext()
  if (!canEdit && !tile.insight) return null
  return (
    <LazyMenu
      width={210}
      button={
        <ActionIcon
          className="no-print"
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Actions for ${tileTitle(tile)}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      }
    >
      {() => <TileItems {...props} />}
    </LazyMenu>
  )
}
