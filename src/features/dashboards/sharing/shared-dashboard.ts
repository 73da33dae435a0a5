import type { Db } from '../../../db/schema.ts'
import { notFound } from '../../../errors.ts'
import { CAN_VIEW, RESTRICTED } from '../levels.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import type { SharedDashboard } from './schema.ts'
import { findShared } from './store.ts'

const TOKEN_FILE = /^([\w-]{20,100})\.json$/

/** A wrong, replaced, disabled or trashed link is all the same: not found. */
export async function getSharedDashboard(db: Db, file: string): Promise<SharedDashboard> {
  const token = TOKEN_FILE.exec(file)?.[1]
  const row = token && (await findShared(db, token))
  if (!row) throw notFound()
  const tiles = await listTiles(db, row.project_id, row.id)
  return {
    type: 'scene',
    dashboard: {
      id: row.id,
      name: row.name,
      description: row.description,
      created_at: row.created_at,
      filters: JSON.parse(row.filters),
      variables: JSON.parse(row.variables),
      tags: JSON.parse(row.tags),
      tiles: tiles.map((tile, order) => ({
        id: tile.id,
        layouts: JSON.parse(tile.layouts),
        color: tile.color,
        insight: toSharedInsight(tile),
        text: tile.body === null ? null : { body: tile.body },
        order,
      })),
      effective_restriction_level: RESTRICTED,
      effective_privilege_level: CAN_VIEW,
    },
  }
}

const toSharedInsight = (tile: TileRow) =>
  tile.insight_id === null
    ? null
    : {
        short_id: tile.short_id as string,
        name: tile.name as string,
        description: tile.description as string,
        query: JSON.parse(tile.query as string),
        last_refresh: null,
        is_cached: false,
        result: null,
      }
