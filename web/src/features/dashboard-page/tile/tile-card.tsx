import { type CSSProperties, memo, useEffect, useRef, useState } from 'react'
import { paletteOf, toAccent } from '#model/palette.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useScheme } from '../../../ui/chart/use-scheme.ts'
import { useDashboardContext } from '../context.ts'
import { InsightTile } from './insight-tile.tsx'
import { tileTitle } from './state.ts'
import { TextTile } from './text-tile.tsx'
import classes from './tile.module.css'

interface TileCardProps {
  readonly tile: Tile
}

/** Rerenders only when this tile changes, but not when it moves: a drag moves most of the tiles. */
export const TileCard = memo(function TileCard({ tile }: TileCardProps) {
  const { editor } = useDashboardContext()
  const [isNew] = useState(() => editor.takeNewTile(tile.id))
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: 'center' })
  }, [isNew])
  const accent = toAccent(paletteOf(useScheme()), tile.color)
  return (
    <article
      ref={card}
      className={classes.card}
      data-accent={accent !== undefined || undefined}
      style={{ '--tile-accent': accent } as CSSProperties}
      aria-label={tileTitle(tile)}
    >
      {tile.insight ? (
        <InsightTile tile={tile} insight={tile.insight} />
      ) : (
        <TextTile tile={tile} isNew={isNew} />
      )}
    </article>
  )
}, isSameContent)

function isSameContent({ tile: before }: TileCardProps, { tile: after }: TileCardProps): boolean {
  const names = Object.keys({ ...before, ...after }) as (keyof Tile)[]
  return names.every((name) => name === 'layouts' || before[name] === after[name])
}
