import { type Display, displayOf } from '#model/displays.ts'
import { DEFAULT_SIZE, type Position, type Section, toPosition } from '#model/grid.ts'
import { fieldsOf } from '#model/json.ts'
import { kindOf, type QueryKindName } from '#model/query-kinds/index.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'

export type SketchName = Display['form'] | 'funnel' | 'grid' | 'flow' | 'text' | 'title'

export interface SketchTile extends Position {
  readonly name: string
  readonly sketch: SketchName
}

type Free = Readonly<Record<string, unknown>>

/** Returns the tiles of a template at their positions. Tiles without a position follow, two in a row. */
export function toSketchTiles({ tiles }: Pick<DashboardTemplate, 'tiles'>): SketchTile[] {
  return tiles.map((tile, index) => {
    const { name, type, query, layouts, section } = tile as Free
    const otherwise = {
      x: (index % 2) * DEFAULT_SIZE.w,
      y: Math.floor(index / 2) * DEFAULT_SIZE.h,
    }
    return {
      name: String(name ?? ''),
      sketch: toSection(section) ? 'title' : type === 'TEXT' ? 'text' : toSketch(query),
      ...toPosition({ layouts: fieldsOf(layouts), section: toSection(section) }, otherwise),
    }
  })
}

const toSection = (section: unknown): Section | null =>
  section === 'open' || section === 'folded' ? section : null

const BY_KIND: Readonly<Record<QueryKindName, SketchName>> = {
  TrendsQuery: 'line',
  FunnelsQuery: 'funnel',
  RetentionQuery: 'grid',
  PathsQuery: 'flow',
  LifecycleQuery: 'bar',
  StickinessQuery: 'bar',
  HogQLQuery: 'table',
  WebOverviewQuery: 'number',
  WebStatsTableQuery: 'table',
  WebGoalsQuery: 'table',
}

/** Chooses by display if the kind has displays. */
function toSketch(query: unknown): SketchName {
  const { display, kind = 'TrendsQuery' } = kindOf(query) ?? {}
  return display ? displayOf(display.all, query).form : BY_KIND[kind]
}
