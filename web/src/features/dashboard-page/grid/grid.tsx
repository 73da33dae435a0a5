import 'react-grid-layout/css/styles.css'
import 'react-resizable/css/styles.css'
import { memo, useEffect, useMemo } from 'react'
import { DraggableCore } from 'react-draggable'
import { GridLayout, type Layout, type LayoutItem } from 'react-grid-layout'
import { COLUMNS, GAP, ROW_HEIGHT } from '#model/grid.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useSize } from '../../../ui/chart/use-size.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import { tileTitle } from '../tile/state.ts'
import { TileCard } from '../tile/tile-card.tsx'
import { useSectionChoices } from '../use-section-choices.ts'
import classes from './grid.module.css'
import { toColumn, toLayout } from './layout.ts'
import { hideFolded, listMembers, type Sections, toSections } from './sections.ts'

const SectionTitle = lazyComponent(
  async () => (await import('../tile/section-title.tsx')).SectionTitle,
)

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
  const { dashboardId, editor, canEdit, isPhone } = useDashboardContext()
  const { choices, choose } = useSectionChoices(dashboardId)
  const sections = useMemo(() => toSections(tiles, choices), [tiles, choices])
  const layout = useMemo(() => toLayout(tiles), [tiles])
  const shown = useMemo(() => hideFolded(layout, sections), [layout, sections])
  const column = useMemo(() => toColumn(shown), [shown])
  const visible = new Set(shown.map(({ i }) => i))
  useOpenForNewTiles(tiles, sections, choose)
  const isMovable = canEdit && !isPhone

  const save = (verb: string) => async (changed: Layout, before: LayoutItem | null) => {
    const { toMove } = await loadDialogs()
    const { changes, entered } = toMove(tiles, changed, sections)
    for (const title of tiles) if (entered.includes(title.id)) choose(title, 'open')
    const moved = tiles.find(({ id }) => `${id}` === before?.i)
    const label = `${verb} ${moved ? tileTitle(moved) : 'a tile'}`
    // the grid shows the new layout already; the edit rerenders the page around it
    if (changes.length > 0) afterPaint(() => editor.edit(label, { tiles: changes }))
  }
  return (
    <GridLayout
      className={classes.grid}
      width={width}
      layout={isPhone ? column : shown}
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
      {tiles
        .filter(({ id }) => visible.has(`${id}`))
        .map((tile) => (
          <div key={tile.id}>
            {tile.section ? (
              <SectionTitle
                tile={tile}
                isFolded={sections.folded.has(`${tile.id}`)}
                count={listMembers(tiles, tile).length}
                onChoose={choose}
              />
            ) : (
              <TileCard tile={tile} />
            )}
          </div>
        ))}
    </GridLayout>
  )
})

/** Opens the section to which this page adds a tile. */
function useOpenForNewTiles(
  tiles: readonly Tile[],
  { folded }: Sections,
  choose: (title: Tile, choice: 'open') => void,
): void {
  const { editor } = useDashboardContext()
  useEffect(() => {
    for (const title of tiles) {
      const isHiding = folded.has(`${title.id}`)
      if (isHiding && listMembers(tiles, title).some(({ id }) => editor.isNewTile(id))) {
        choose(title, 'open')
      }
    }
  }, [tiles, folded, choose, editor])
}

/** Runs slow work once the browser has painted its response to an input. */
function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}
