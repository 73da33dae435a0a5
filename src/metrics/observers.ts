import type { FastifyInstance } from 'fastify'
import type { QuerySlots } from '../features/results/compute/query-slots.ts'
import { createDurations, type Durations } from './durations.ts'

/** Counts responses to requests with events, by status. */
export function countCaptures(app: FastifyInstance): ReadonlyMap<number, number> {
  const responses = new Map<number, number>()
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (request.routeOptions.config.capturesEvents) {
      responses.set(statusCode, (responses.get(statusCode) ?? 0) + 1)
    }
    done()
  })
  return responses
}

export interface ObservedQueries {
  readonly durations: Durations
  readonly waits: Durations
  /** The number of ended queries by kind, then by outcome. */
  readonly ended: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

/** Observes how long queries wait and run. */
export function observeQueries(querySlots: Pick<QuerySlots, 'onEnd'>): ObservedQueries {
  const durations = createDurations({
    name: 'hedgerow_query_duration_seconds',
    help: 'Time of a query in its slot, by kind.',
    label: 'kind',
    buckets: BUCKETS,
  })
  const waits = createDurations({
    name: 'hedgerow_query_wait_seconds',
    help: 'Time that a query waited for a slot.',
    buckets: BUCKETS,
  })
  const ended = new Map<string, Map<string, number>>()
  querySlots.onEnd(({ kind, outcome, waitMs, runMs }) => {
    durations.observe(kind, runMs)
    waits.observe('', waitMs)
    const outcomes = ended.get(kind) ?? new Map<string, number>()
    ended.set(kind, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
  })
  return { durations, waits, ended }
}
