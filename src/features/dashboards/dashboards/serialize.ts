import type { ShownSections } from '#model/sections.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { type RefreshPolicy, toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { toInsightResult } from '#server/features/results/representation.ts'
import type { Results } from '#server/features/results/results.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { listTileUserIds, toTileText } from '../tiles/representation.ts'
import { dashboardResource } from './fields.ts'
import { type DashboardWithTiles, toCreator } from './store.ts'
import { findTileResults, type RequestOverrides } from './tile-results.ts'

export interface DashboardDeps {
  readonly db: Db
  readonly results: Results
}

interface SerializeOptions {
  /** Computes nothing by default: an edit must not run every query of the dashboard. */
  readonly policy?: RefreshPolicy
  readonly overrides?: RequestOverrides
  readonly sections?: ShownSections
}

/** Returns a dashboard as the caller sees it, with the cached results of its tiles. */
export async function serializeDashboard(
  { db, results }: DashboardDeps,
  caller: Caller,
  { row, tiles }: DashboardWithTiles,
  { policy = toRefreshPolicy('force_cache'), overrides = {}, sections }: SerializeOptions = {},
): Promise<JsonText> {
  const [users, tileResults] = await Promise.all([
    listUserTexts(db, listTileUserIds(tiles), toCreator(row)),
    findTileResults(results, row, tiles, { policy, overrides, sections }),
  ])
  const shown = {
    ...row,
    ...(overrides.filters && { filters: JSON.stringify(overrides.filters) }),
    ...(overrides.variables && { variables: JSON.stringify(overrides.variables) }),
  }
  const tileTexts = tiles.map((tile, order) => {
    const result = tileResults.get(tile.id)
    return toTileText(tile, {
      projectId: caller.projectId,
      order,
      users,
      result: result ? toInsightResult(result) : null,
    })
  })
  return dashboardResource.toText(shown, { member: caller, users, tiles: tileTexts })
}
