import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { doesNotExist } from '#server/errors.ts'
import { findDashboard } from '../dashboards/store.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import type { Template, TemplateTile } from './template.ts'

/** What it shows and how, not whose it is or who may edit it. */
export async function getDashboardAsTemplate(
  tx: Tx,
  caller: Caller,
  id: number,
): Promise<Template> {
  const row = await findDashboard(tx, caller, id)
  if (!row || row.deleted) throw doesNotExist('from_dashboard', id)
  const tiles = await listTiles(tx, caller.projectId, id)
  return {
    name: row.name,
    description: row.description,
    filters: JSON.parse(row.filters),
    tags: JSON.parse(row.tags),
    tiles: tiles.map(toTile),
  }
}

function toTile(row: TileRow): TemplateTile {
  const look = { color: row.color, layouts: JSON.parse(row.layouts) }
  if (row.insight_id === null) return { type: 'TEXT', body: row.body ?? '', ...look }
  const { name, description, query } = row
  return {
    ...{ type: 'INSIGHT', name: name ?? '', description: description ?? '' },
    query: JSON.parse(query ?? '{}'),
    ...look,
  }
}
