import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import { toInsightResult } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import { createEventStreams, type Poll, toServerEvent } from '#server/http/event-streams.ts'
import { peopleOf, toTile } from '../tiles/representation.ts'
import {
  type DashboardRows,
  getDashboardRows,
  listUserTexts,
  serializeDashboard,
} from './read-dashboard.ts'
import { creatorOf } from './store.ts'
import { findTileResults, type RequestOverrides } from './tile-results.ts'

const LOOK_EVERY_MS = 250

export interface TileStreams {
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    override: RequestOverrides,
  ): Promise<FastifyReply>
}

/** A dashboard as it is known, then each tile whose answer has changed, until all of them are up to date. */
export function createTileStreams(app: FastifyInstance, db: Db, results: Results): TileStreams {
  const streams = createEventStreams(app, LOOK_EVERY_MS)
  return {
    async open(request, reply, id, override) {
      const rows = await getDashboardRows(db, request.caller, id)
      return streams.open(request, reply, () => watch(db, results, request, rows, override))
    },
  }
}

function watch(
  db: Db,
  results: Results,
  { caller }: FastifyRequest,
  rows: DashboardRows,
  override: RequestOverrides,
): Poll {
  const { row, tiles } = rows
  const known = new Map<number, string | undefined>()
  let isFirst = true

  /** Started by the first look; the others only look. */
  const find = () =>
    findTileResults(
      results,
      row,
      tiles,
      toRefreshPolicy(isFirst ? 'async' : 'force_cache'),
      override,
    )

  return async () => {
    const answers = await find()
    const events: string[] = []
    if (isFirst) {
      const unasked = toRefreshPolicy('force_cache')
      const text = await serializeDashboard(db, results, caller, rows, unasked, override)
      events.push(toServerEvent('metadata', text))
    } else {
      const people = await listUserTexts(db, peopleOf(tiles), creatorOf(row))
      for (const [order, tile] of tiles.entries()) {
        const answer = answers.get(tile.id)
        if (!answer || known.get(tile.id) === stateOf(answer)) continue
        const text = toTile(caller.projectId, tile, order, people, toInsightResult(answer))
        events.push(toServerEvent('tile', text))
      }
    }
    for (const [id, answer] of answers) known.set(id, stateOf(answer))
    isFirst = false
    const isLast = ![...answers.values()].some(({ isRunning }) => isRunning)
    if (isLast) events.push(toServerEvent('complete', '{}'))
    return { events, isLast }
  }
}

const stateOf = ({ row, isRunning }: QueryResult): string => `${row?.computed_at} ${isRunning}`
