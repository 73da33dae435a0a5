import { Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconFileExport,
  IconFold,
  IconFolderShare,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { pluralize } from '#model/pluralize.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useDashboardContext } from '../context.ts'
import { moveSection } from '../grid/moves.ts'
import { toBlock } from '../grid/sections.ts'
import { toDuplicates } from './duplicate.ts'
import { tileTitle } from './state.ts'

interface SectionItemsProps {
  readonly tile: Tile
  /** The tiles of the section. */
  readonly count: number
  readonly onRename: () => void
}

/** The items of a section's menu. */
export function SectionItems({ tile, count, onRename }: SectionItemsProps) {
  const { editor, move, transferTile } = useDashboardContext()
  const title = tileTitle(tile)
  const isOpen = tile.section === 'open'
  const setDefault = () =>
    editor.edit(isOpen ? `Folded ${title} by default` : `Opened ${title} by default`, {
      tiles: [{ id: tile.id, section: isOpen ? 'folded' : 'open' }],
    })
  const duplicate = () => {
    const { tiles } = editor.shown()
    editor.edit(`Duplicated ${title}`, { tiles: toDuplicates(toBlock(tiles, tile), tiles) })
  }
  const remove = (block: readonly Tile[]) =>
    editor.edit(`Removed ${title}`, { tiles: block.map(({ id }) => ({ id, deleted: true })) })
  return (
    <>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
        Rename
      </Menu.Item>
      <Menu.Item leftSection={<IconFold size={16} />} onClick={setDefault}>
        {isOpen ? 'Fold by default' : 'Open by default'}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowUp size={16} />}
        onClick={() => move(tile, moveSection(tile, -1))}
      >
        Move up
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} />}
        onClick={() => move(tile, moveSection(tile, 1))}
      >
        Move down
      </Menu.Item>
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
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => remove([tile])}>
        {count > 0 ? 'Remove, but keep its tiles' : 'Remove'}
      </Menu.Item>
      {count > 0 && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => remove(toBlock(editor.shown().tiles, tile))}
        >
          Remove with {pluralize(count, 'tile')}
        </Menu.Item>
      )}
    </>
  )
}
