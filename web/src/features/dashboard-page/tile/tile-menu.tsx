import { ActionIcon, Menu } from '@mantine/core'
import {
  IconAlignLeft,
  IconArrowsMove,
  IconCopy,
  IconDots,
  IconDownload,
  IconFileExport,
  IconFolderShare,
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
import { useProjectId } from '../../../api/project.ts'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { useDashboardContext } from '../context.ts'
import { NUDGES, type Nudge } from '../grid/layout.ts'
import { ColorItems } from './color-items.tsx'
import { toDuplicate } from './duplicate.ts'
import { tileTitle } from './state.ts'

interface TileMenuProps {
  readonly tile: Tile
  /** Edits a text in place; insights have their own page. */
  readonly onEdit?: () => void
  readonly onRename?: () => void
  readonly onData?: () => void
}

const FORMATS = ['csv', 'png', 'svg', 'json'] as const

export function TileMenu(props: TileMenuProps) {
  const { tile } = props
  const { canEdit } = useDashboardContext()
  if (!canEdit && !tile.insight) return null
  return (
    <LazyMenu
      width={210}
      button={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Actions for ${tileTitle(tile)}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      }
    >
      {() => (
        <>
          {tile.insight && <InsightItems {...props} insight={tile.insight} />}
          {canEdit && <EditItems {...props} />}
        </>
      )}
    </LazyMenu>
  )
}

function InsightItems({
  tile,
  insight,
  onRename,
  onData,
}: TileMenuProps & { readonly insight: NonNullable<Tile['insight']> }) {
  const projectId = `${useProjectId()}`
  const { canEdit, refreshTile } = useDashboardContext()
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
      <Submenu icon={<IconDownload size={16} />} label="Export">
        {FORMATS.map((format) => (
          <Menu.Item key={format} component="a" href={`${path}.${format}`} download>
            {format.toUpperCase()}
          </Menu.Item>
        ))}
      </Submenu>
    </>
  )
}

function EditItems({ tile, onEdit }: TileMenuProps) {
  const { editor, transferTile } = useDashboardContext()
  const duplicate = () => {
    const { tiles } = editor.shown()
    // the given tile may have another size by now
    const current = tiles.find(({ id }) => id === tile.id) ?? tile
    editor.edit(`Duplicated ${tileTitle(tile)}`, { tiles: [toDuplicate(current, tiles)] })
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

/** The menu stays open, because a tile usually moves several steps. */
function NudgeItems({ tile }: { readonly tile: Tile }) {
  const { nudgeTile, isPhone } = useDashboardContext()
  if (isPhone) return null
  return (
    <Submenu icon={<IconArrowsMove size={16} />} label="Move and resize">
      {Object.entries(NUDGES).map(([how, label]) => (
        <Menu.Item key={how} closeMenuOnClick={false} onClick={() => nudgeTile(tile, how as Nudge)}>
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
