import { Menu, useComputedColorScheme } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { accentOf, paletteOf } from '#model/palette.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useDesk } from '../context.ts'
import classes from './tile.module.css'

/** Those that the server's pictures know, too. */
const COLOURS = [null, 'blue', 'green', 'purple', 'red', 'black'] as const

const nameOf = (color: string | null): string =>
  color === null ? 'None' : `${color[0]?.toUpperCase()}${color.slice(1)}`

export function ColourItems({ tile }: { readonly tile: Tile }) {
  const { editor } = useDesk()
  const palette = paletteOf(useComputedColorScheme('light'))
  return COLOURS.map((color) => (
    <Menu.Item
      key={nameOf(color)}
      leftSection={
        <span
          className={classes.swatch}
          style={{ '--swatch': accentOf(palette, color) } as CSSProperties}
        />
      }
      rightSection={tile.color === color && <IconCheck size={14} aria-label="chosen" />}
      onClick={() => editor.edit('Coloured a tile', { tiles: [{ id: tile.id, color }] })}
    >
      {nameOf(color)}
    </Menu.Item>
  ))
}
