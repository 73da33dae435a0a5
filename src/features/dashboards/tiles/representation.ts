import type { User } from '../../users/schema.ts'
import type { Tile } from './schema.ts'
import type { TileRow } from './store.ts'

/** Where a tile goes that does not say where. */
const LAST = 100

interface Placed {
  readonly row: TileRow
  readonly layouts: Record<string, unknown>
  readonly x: number
  readonly y: number
}

/** In reading order: top to bottom, left to right, by the desktop layout. */
export function inReadingOrder(rows: readonly TileRow[]): Placed[] {
  return rows
    .map((row) => {
      const layouts = JSON.parse(row.layouts)
      return { row, layouts, x: coordinate(layouts, 'x'), y: coordinate(layouts, 'y') }
    })
    .sort((a, b) => a.y - b.y || a.x - b.x || a.row.id - b.row.id)
}

/** Layouts are kept as they were sent, so anything may stand there. */
function coordinate(layouts: { sm?: unknown }, axis: 'x' | 'y'): number {
  const given = (layouts.sm as Record<string, unknown> | null | undefined)?.[axis]
  // an object is not even asked: it may have been sent with a `valueOf` that is no function
  const value = typeof given === 'string' ? Number.parseFloat(given) : given
  return Number.isFinite(value) ? (value as number) : LAST
}

/** Whom the tiles name. */
export const peopleOf = (rows: readonly TileRow[]): (number | null)[] =>
  rows.flatMap((row) =>
    row.insight_id === null
      ? [row.text_created_by, row.text_modified_by]
      : [row.created_by, row.last_modified_by],
  )

export function toTiles(
  projectId: number,
  rows: readonly TileRow[],
  person: (id: number | null) => User | null,
): Tile[] {
  return inReadingOrder(rows).map(({ row, layouts }, order) => ({
    id: row.id,
    layouts,
    color: row.color,
    insight: row.insight_id === null ? null : toInsight(row.insight_id, row, person),
    text: row.text_id === null ? null : toText(projectId, row.text_id, row, person),
    order,
    last_refresh: null,
    is_cached: false,
  }))
}

const toInsight = (
  id: number,
  row: TileRow,
  person: (id: number | null) => User | null,
): Tile['insight'] => ({
  id,
  short_id: row.short_id as string,
  name: row.name as string,
  description: row.description as string,
  query: JSON.parse(row.query as string),
  tags: JSON.parse(row.tags as string),
  is_sample: row.is_sample === 1,
  deleted: row.deleted === 1,
  created_at: row.created_at as string,
  created_by: person(row.created_by),
  last_modified_at: row.last_modified_at as string,
  last_modified_by: person(row.last_modified_by),
  last_refresh: null,
  is_cached: false,
  result: null,
})

const toText = (
  projectId: number,
  id: number,
  row: TileRow,
  person: (id: number | null) => User | null,
): Tile['text'] => ({
  id,
  body: row.body as string,
  created_by: person(row.text_created_by),
  last_modified_at: row.text_modified_at as string,
  last_modified_by: person(row.text_modified_by),
  team: projectId,
})
