import { Menu } from '@mantine/core'
import {
  IconAlignLeft,
  IconArrowsMove,
  IconBell,
  IconCopy,
  IconDownload,
  IconFileExport,
  IconFilter,
  IconFilterOff,
  IconFolderShare,
  IconMessage,
  IconPalette,
  IconPencil,
  IconRefresh,
  IconTable,
  IconTrash,
  IconWriting,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useCanExport, useProjectId } from '../../../api/project.ts'
import { useDashboardContext } from '../context.ts'
import { nudgeTile } from '../grid/moves.ts'
import { NUDGES, type Nudge } from '../grid/nudge.ts'
import { useCommentsDrawer } from '../use-comments-drawer.ts'
import { ColorItems } from './color-items.tsx'
import { toDuplicates } from './duplicate.ts'
import { tileTitle } from './state.ts'

import type { TileMenuProps } from './tile-menu.tsx'

const FORMATS = ['csv', 'png', 'svg', 'json'] as const

/** The items of a tile's menu. */
export function TileItems(props: TileMenuProps) {
  const { tile } = props
  const { canEdit } = useDashboardContext()
  return (
    <>
      {tile.insight && <InsightItems {...props} insight={tile.insight} />}
      {canEdit && <EditItems {...props} />}
    </>
  )
}

function InsightItems({
  tile,
  insight,
  onRename,
  onData,
  onAlerts,
}: TileMenuProps & { readonly insight: NonNullable<Tile['insight']> }) {
  const projectId = `${useProjectId()}`
  const { canEdit, isViewer, refreshTile } = useDashboardContext()
  const canExport = useCanExport()
  const comments = useCommentsDrawer()
  const path = `/api/environments/${projectId}/insights/${insight.short_id}/export`
  return (
    <>
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        renderRoot={(props) => (
          <Link
            to="/project/$projectId/insights/$shortId"
            params={{ projectId, shortId: insight.short_id }}
            {...props}
          />
        )}
      >
        {canEdit ? 'Edit' : 'Open'}
      </Menu.Item>
      {canEdit && (
        <Menu.Item leftSection={<IconWriting size={16} />} onClick={onRename}>
          Rename
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => refreshTile(tile)}>
        Refresh
      </Menu.Item>
      <Menu.Item leftSection={<IconTable size={16} />} onClick={onData}>
        Show data
      </Menu.Item>
      <Menu.Item leftSection={<IconMessage size={16} />} onClick={() => comments.openFor(tile.id)}>
        Comment
      </Menu.Item>
      {!isViewer && (
        <Menu.Item leftSection={<IconBell size={16} />} onClick={onAlerts}>
          Alerts and subscriptions
        </Menu.Item>
      )}
      {canExport && (
        <Submenu icon={<IconDownload size={16} />} label="Export">
          {FORMATS.map((format) => (
            <Menu.Item key={format} component="a" href={`${path}.${format}`} download>
              {format.toUpperCase()}
            </Menu.Item>
          ))}
        </Submenu>
      )}
    </>
  )
}

function EditItems({ tile, onEdit }: TileMenuProps) {
  const { editor, transferTile } = useDashboardContext()
  const duplicate = () => {
    const { tiles } = editor.shown()
    // the given tile may have another size by now
    const current = tiles.find(({ id }) => id === tile.id) ?? tile
    editor.edit(`Duplicated ${tileTitle(tile)}`, { tiles: toDuplicates([current], tiles) })
  }
  const remove = () =>
    editor.edit(`Removed ${tileTitle(tile)}`, { tiles: [{ id: tile.id, deleted: true }] })
  return (
    <>
      {onEdit && (
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          Edit
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
        Duplicate
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFileExport size={16} />}
        onClick={() => transferTile(tile, 'copy')}
      >
        Copy to dashboard…
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFolderShare size={16} />}
        onClick={() => transferTile(tile, 'move')}
      >
        Move to dashboard…
      </Menu.Item>
      {tile.insight?.description && <DescriptionItem tile={tile} />}
      {tile.insight && <ValueFilterItem tile={tile} />}
      <Submenu icon={<IconPalette size={16} />} label="Color">
        <ColorItems tile={tile} />
      </Submenu>
      <NudgeItems tile={tile} />
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
        Remove
      </Menu.Item>
    </>
  )
}

function DescriptionItem({ tile }: { readonly tile: Tile }) {
  const { editor } = useDashboardContext()
  const { id, show_description: isShown } = tile
  const label = isShown ? 'Hide description' : 'Show description'
  const toggle = () =>
    editor.edit(`${isShown ? 'Hid' : 'Showed'} the description of ${tileTitle(tile)}`, {
      tiles: [{ id, show_description: !isShown }],
    })
  return (
    <Menu.Item leftSection={<IconAlignLeft size={16} />} onClick={toggle}>
      {label}
    </Menu.Item>
  )
}

/** Lets a tile show all events while a value that was clicked filters the others. */
function ValueFilterItem({ tile }: { readonly tile: Tile }) {
  const { editor } = useDashboardContext()
  const { id, filters_overrides } = tile
  const { value_filter: follows = true, ...others } = filters_overrides as Record<string, unknown>
  const toggle = () =>
    editor.edit(`${follows ? 'Stopped' : 'Started'} filtering ${tileTitle(tile)} by clicks`, {
      tiles: [{ id, filters_overrides: follows ? { ...others, value_filter: false } : others }],
    })
  return (
    <Menu.Item
      leftSection={follows ? <IconFilterOff size={16} /> : <IconFilter size={16} />}
      onClick={toggle}
    >
      {follows ? 'Ignore clicked values' : 'Follow clicked values'}
    </Menu.Item>
  )
}

/** The menu stays open, because a tile usually moves several steps. */
function NudgeItems({ tile }: { readonly tile: Tile }) {
  const { move, isPhone } = useDashboardContext()
  if (isPhone) return null
  return (
    <Submenu icon={<IconArrowsMove size={16} />} label="Move and resize">
      {Object.entries(NUDGES).map(([how, label]) => (
        <Menu.Item
          key={how}
          closeMenuOnClick={false}
          onClick={() => move(tile, nudgeTile(tile, how as Nudge))}
        >
          {label}
        </Menu.Item>
      ))}
    </Submenu>
  )
}

interface SubmenuProps {
  readonly icon: ReactNode
  readonly label: string
  readonly children: ReactNode
}

function Submenu({ icon, label, children }: SubmenuProps) {
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={icon}>{label}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>{children}</Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
