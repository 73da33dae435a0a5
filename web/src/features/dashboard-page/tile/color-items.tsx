import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { paletteOf, TILE_COLORS, toAccent } from '#model/palette.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useScheme } from '../../../ui/chart/use-scheme.ts'
import { useDashboardContext } from '../context.ts'
import classes from './tile.module.css'

const colorName = (color: string | null): string =>
  color === null ? 'None' : `${color[0]?.toUpperCase()}${color.slice(1)}`

export function ColorItems({ tile }: { readonly tile: Tile }) {
  const { editor } = useDashboardContext()
  const palette = paletteOf(useScheme())
  return [null, ...TILE_COLORS].map((color) => (
    <Menu.Item
      key={colorName(color)}
      leftSection={
        <span
          className={classes.swatch}
          style={{ '--swatch': toAccent(palette, color) } as CSSProperties}
        />
      }
      rightSection={tile.color === color && <IconCheck size={14} aria-label="Selected" />}
      onClick={() => editor.edit('Changed a tile color', { tiles: [{ id: tile.id, color }] })}
    >
      {colorName(color)}
    </Menu.Item>
  ))
}
