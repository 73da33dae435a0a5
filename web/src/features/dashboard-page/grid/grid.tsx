import 'react-grid-layout/css/styles.css'
import 'react-resizable/css/styles.css'
import { memo, useMemo } from 'react'
import { DraggableCore } from 'react-draggable'
import { GridLayout, type Layout, type LayoutItem } from 'react-grid-layout'
import { COLUMNS, GAP, ROW_HEIGHT } from '#model/grid.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useSize } from '../../../ui/chart/use-size.ts'
import { useDashboardContext } from '../context.ts'
import { tileTitle } from '../tile/state.ts'
import { TileCard } from '../tile/tile-card.tsx'
import classes from './grid.module.css'
import { toColumn, toLayout, toTileChanges } from './layout.ts'

// it would restyle the whole page when a drag starts and ends; the handles cannot be selected anyway
DraggableCore.defaultProps.enableUserSelectHack = false

interface GridProps {
  readonly tiles: readonly Tile[]
  /** The results belong to other filters. */
  readonly isOutdated: boolean
}

/** Renders tiles once the width is known. */
export function Grid({ tiles, isOutdated }: GridProps) {
  const { ref, width } = useSize<HTMLDivElement>()
  return (
    <div ref={ref} className={classes.place} data-outdated={isOutdated || undefined}>
      {width > 0 && tiles.length > 0 && <Tiles tiles={tiles} width={width} />}
    </div>
  )
}

interface TilesProps {
  readonly tiles: readonly Tile[]
  /** Pixels. */
  readonly width: number
}

const MARGIN = [GAP, GAP] as const
const NO_PADDING = [0, 0] as const

/** Drags tiles by the header, resizes them by the corner, and stacks them on a phone. */
const Tiles = memo(function Tiles({ tiles, width }: TilesProps) {
  const { editor, canEdit, isPhone } = useDashboardContext()
  const layout = useMemo(() => toLayout(tiles), [tiles])
  const column = useMemo(() => toColumn(layout), [layout])
  const isMovable = canEdit && !isPhone

  const save = (verb: string) => (changed: Layout, before: LayoutItem | null) => {
    const changes = toTileChanges(tiles, changed)
    const moved = tiles.find(({ id }) => `${id}` === before?.i)
    const label = `${verb} ${moved ? tileTitle(moved) : 'a tile'}`
    // the grid shows the new layout already; the edit rerenders the page around it
    if (changes.length > 0) afterPaint(() => editor.edit(label, { tiles: changes }))
  }
  return (
    <GridLayout
      className={classes.grid}
      width={width}
      layout={isPhone ? column : layout}
      gridConfig={{
        cols: isPhone ? 1 : COLUMNS,
        rowHeight: ROW_HEIGHT,
        margin: MARGIN,
        containerPadding: NO_PADDING,
      }}
      dragConfig={{
        enabled: isMovable,
        handle: '.tile-head',
        cancel: 'button, input, textarea',
      }}
      resizeConfig={{ enabled: isMovable, handles: ['se'] }}
      onDragStop={save('Moved')}
      onResizeStop={save('Resized')}
    >
      {tiles.map((tile) => (
        <div key={tile.id}>
          <TileCard tile={tile} />
        </div>
      ))}
    </GridLayout>
  )
})

/** Runs slow work once the browser has painted its response to an input. */
function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}
