import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { NO_COHORTS } from '#server/analytics/queries/cohort-definitions.ts'
import { type Context, type Plan, runPlan } from '#server/analytics/queries/plan.ts'
import { type Database, useEventStores } from './events.ts'

/** A Wednesday. */
export const NOW = '2026-03-18T12:00:00Z'

export const contextOf = (given: Partial<Context> = {}): Context => ({
  zone: 'UTC',
  now: Temporal.Instant.from(NOW),
  weekStart: 0,
  testAccountFilters: [],
  cohorts: NO_COHORTS,
  attr: 'query',
  ...given,
})

export interface TestEvent {
  readonly event?: string
  readonly person?: string
  /** `2026-03-18` or `2026-03-18T10:00:00Z`. */
  readonly at: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly uuid?: string
  /** The properties of the event's person, for reference implementations. */
  readonly personProperties?: Readonly<Record<string, unknown>>
}

export const toEvent = ({ event = 'a', person = 'ada', at, ...rest }: TestEvent): NewEvent => ({
  uuid: rest.uuid ?? randomUUID(),
  event,
  distinct_id: person,
  timestamp: new Date(at).toISOString(),
  properties: toPropertiesText(rest.properties ?? {}),
})

export interface Stores {
  add(events: readonly TestEvent[], projectId?: number): Promise<void>
  /** Returns the result of all stores, after comparing them byte by byte. */
  run<Result>(plan: Plan<Result>, projectId?: number): Promise<Result>
}

/** All stores, with ClickHouse if it belongs to this run. */
export const COMPARED: readonly Database[] = [
  'sqlite',
  'postgres',
  ...(process.env.TEST_CLICKHOUSE ? ['clickhouse' as const] : []),
]

/**
 * Starts DuckDB and PostgreSQL with the same events, and ClickHouse if it belongs to this run. Projects 1 to 10,000
 * belong to the test.
 */
export async function startStores(): Promise<Stores> {
  const { stores, before } = await useEventStores(...COMPARED)
  return {
    async add(events, projectId = 1) {
      const rows = events.map(toEvent)
      for (const store of stores) await store.append(before + projectId, rows)
    },
    async run(plan, projectId = 1) {
      const [first, ...others] = await Promise.all(
        stores.map((store) => runPlan({ store, projectId: before + projectId }, plan)),
      )
      for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(first))
      return first as never
    },
  }
}
