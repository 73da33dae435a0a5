import { fieldsOf } from '#model/fields.ts'
import { DEFAULT_SIZE, type Position, toPosition } from '#model/grid.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'

/** Chart symbols of the sketch. */
export type SketchKind =
  | 'line'
  | 'bar'
  | 'bars'
  | 'number'
  | 'pie'
  | 'funnel'
  | 'table'
  | 'grid'
  | 'flow'
  | 'text'

export interface SketchTile extends Position {
  readonly name: string
  readonly kind: SketchKind
}

type Free = Readonly<Record<string, unknown>>

/** Returns the tiles of a template at their positions. Tiles without a position follow, two in a row. */
export function toSketchTiles({ tiles }: Pick<DashboardTemplate, 'tiles'>): SketchTile[] {
  return tiles.map((tile, index) => {
    const { name, type, query, layouts } = tile as Free
    const otherwise = {
      x: (index % 2) * DEFAULT_SIZE.w,
      y: Math.floor(index / 2) * DEFAULT_SIZE.h,
    }
    return {
      name: String(name ?? ''),
      kind: type === 'TEXT' ? 'text' : toSketchKind(fieldsOf(query)),
      ...toPosition(fieldsOf(layouts), otherwise),
    }
  })
}

const BY_DISPLAY: Readonly<Record<string, SketchKind>> = {
  BoldNumber: 'number',
  ActionsBar: 'bar',
  ActionsStackedBar: 'bar',
  ActionsBarValue: 'bars',
  WorldMap: 'bars',
  ActionsPie: 'pie',
  ActionsTable: 'table',
}

const BY_SOURCE: Readonly<Record<string, SketchKind>> = {
  FunnelsQuery: 'funnel',
  RetentionQuery: 'grid',
  PathsQuery: 'flow',
  LifecycleQuery: 'bar',
  StickinessQuery: 'bar',
  HogQLQuery: 'table',
}

/** Chooses by display if there is one, otherwise by query kind. */
export function toSketchKind(query: Free): SketchKind {
  const source = query.source === undefined ? query : fieldsOf(query.source)
  const display = query.display ?? fieldsOf(source.trendsFilter).display
  return BY_DISPLAY[String(display)] ?? BY_SOURCE[String(source.kind)] ?? 'line'
}
