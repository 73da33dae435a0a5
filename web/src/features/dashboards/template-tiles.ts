import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'

/** What a tile looks like, as far as a sketch tells. */
export type Kind =
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

export interface SketchTile {
  readonly name: string
  readonly kind: Kind
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

type Free = Readonly<Record<string, unknown>>

const COLUMNS = 12

const recordOf = (value: unknown): Free =>
  typeof value === 'object' && value !== null ? (value as Free) : {}

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise

/** Where the template puts its tiles. Those without a place follow, two in a row. */
export function toSketchTiles({ tiles }: Pick<DashboardTemplate, 'tiles'>): SketchTile[] {
  return tiles.map((tile, index) => {
    const free = tile as Free
    const place = recordOf(recordOf(free.layouts).sm)
    return {
      name: String(free.name ?? ''),
      kind: free.type === 'TEXT' ? 'text' : kindOf(recordOf(free.query)),
      x: Math.min(Math.max(numberOf(place.x, (index % 2) * 6), 0), COLUMNS - 1),
      y: Math.max(numberOf(place.y, Math.floor(index / 2) * 5), 0),
      w: Math.min(Math.max(numberOf(place.w, 6), 1), COLUMNS),
      h: Math.max(numberOf(place.h, 5), 1),
    }
  })
}

const BY_DISPLAY: Readonly<Record<string, Kind>> = {
  BoldNumber: 'number',
  ActionsBar: 'bar',
  ActionsStackedBar: 'bar',
  ActionsBarValue: 'bars',
  WorldMap: 'bars',
  ActionsPie: 'pie',
  ActionsTable: 'table',
}

const BY_SOURCE: Readonly<Record<string, Kind>> = {
  FunnelsQuery: 'funnel',
  RetentionQuery: 'grid',
  PathsQuery: 'flow',
  LifecycleQuery: 'bar',
  StickinessQuery: 'bar',
  HogQLQuery: 'table',
}

/** By its display if it names one, else by what is asked. */
export function kindOf(query: Free): Kind {
  const source = query.source === undefined ? query : recordOf(query.source)
  const display = query.display ?? recordOf(source.trendsFilter).display
  return BY_DISPLAY[String(display)] ?? BY_SOURCE[String(source.kind)] ?? 'line'
}
