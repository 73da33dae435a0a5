import { useComputedColorScheme } from '@mantine/core'
import { type CSSProperties, memo } from 'react'
import { accentOf, paletteOf } from '#model/palette.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useDashboardContext } from '../context.ts'
import { InsightTile } from './insight-tile.tsx'
import { tileTitle } from './state.ts'
import { TextTile } from './text-tile.tsx'
import classes from './tile.module.css'

/** Rerenders only when this tile changes. */
export const TileCard = memo(function TileCard({ tile }: { readonly tile: Tile }) {
  const { isKiosk } = useDashboardContext()
  const accent = accentOf(paletteOf(useComputedColorScheme('light')), tile.color)
  return (
    <article
      className={classes.card}
      data-kiosk={isKiosk || undefined}
      data-accent={accent !== undefined || undefined}
      style={{ '--tile-accent': accent } as CSSProperties}
      aria-label={tileTitle(tile)}
    >
      {tile.insight ? <InsightTile tile={tile} insight={tile.insight} /> : <TextTile tile={tile} />}
    </article>
  )
})
