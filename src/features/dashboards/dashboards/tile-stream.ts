import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShownSections } from '#model/sections.ts'
import type { Caller } from '#server/access/guard.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { toInsightResult } from '#server/features/results/representation.ts'
import type { QueryResult } from '#server/features/results/results.ts'
import { createEventStreams, type Poll, toServerEvent } from '#server/http/event-streams.ts'
import { listTileUserIds, toTileText } from '../tiles/representation.ts'
import { getDashboardWithTiles } from './dashboards.ts'
import { type DashboardDeps, serializeDashboard } from './serialize.ts'
import { type DashboardWithTiles, toCreator } from './store.ts'
import { findTileResults, type RequestOverrides } from './tile-results.ts'

const POLL_INTERVAL_MS = 250

/** The filters and sections that a viewer asked for. */
interface ShownTiles {
  readonly overrides: RequestOverrides
  readonly sections: ShownSections
}

export interface TileStreams {
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    shown: ShownTiles,
  ): Promise<FastifyReply>
}

/** Streams a dashboard with its cached results, then each tile whose result changes, until all are fresh. */
export function createTileStreams(app: FastifyInstance, deps: DashboardDeps): TileStreams {
  const streams = createEventStreams(app, POLL_INTERVAL_MS)
  return {
    async open(request, reply, id, shown) {
      const { caller } = request
      const dashboard = await getDashboardWithTiles(deps.db, caller, id)
      return streams.open(request, reply, () => createPoll(deps, caller, dashboard, shown))
    },
  }
}

function createPoll(
  deps: DashboardDeps,
  caller: Caller,
  dashboard: DashboardWithTiles,
  shown: ShownTiles,
): Poll {
  const { row, tiles } = dashboard
  const sent = new Map<number, string>()
  let isFirst = true

  /** The first poll starts the computations, the others only read. */
  const findResults = () => {
    const policy = toRefreshPolicy(isFirst ? 'async' : 'force_cache')
    return findTileResults(deps.results, row, tiles, { policy, ...shown })
  }

  async function toChangedTiles(results: ReadonlyMap<number, QueryResult>): Promise<string[]> {
    const users = await listUserTexts(deps.db, listTileUserIds(tiles), toCreator(row))
    return tiles.flatMap((tile, order) => {
      const result = results.get(tile.id)
      if (!result || sent.get(tile.id) === toState(result)) return []
      const { projectId } = caller
      const context = { projectId, order, users, result: toInsightResult(result) }
      return [toServerEvent('tile', toTileText(tile, context))]
    })
  }

  return async () => {
    const results = await findResults()
    const events = isFirst
      ? [toServerEvent('metadata', await serializeDashboard(deps, caller, dashboard, shown))]
      : await toChangedTiles(results)
    for (const [id, result] of results) sent.set(id, toState(result))
    isFirst = false
    const isLast = ![...results.values()].some(({ isRunning }) => isRunning)
    if (isLast) events.push(toServerEvent('complete', '{}'))
    return { events, isLast }
  }
}

const toState = ({ row, isRunning }: QueryResult): string => `${row?.computed_at} ${isRunning}`
