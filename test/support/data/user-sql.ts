import type { TableResult } from '#model/query-results.ts'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import { runPlan } from '#server/analytics/queries/plan.ts'
import { compileSql, type SqlOptions } from '#server/analytics/queries/sql/compile.ts'
import { useEventStores } from './events.ts'
import { COMPARED } from './queries.ts'

export const NOW = new Date('2026-03-31T12:00:00.000Z')

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Numbers the UUIDs of events, so both databases hold the same ones. */
export const numbered = (
  events: readonly (Partial<Omit<NewEvent, 'properties'>> & { properties?: object })[],
): NewEvent[] =>
  events.map(({ properties, ...event }, n) => ({
    uuid: uuidOf(n + 1),
    event: 'visited',
    distinct_id: 'ada',
    timestamp: '2026-03-01T10:00:00.000Z',
    ...event,
    properties: JSON.stringify(properties ?? {}),
  }))

/** Events around the change to summer time in Berlin on 29 March. */
export const SHOP = numbered([
  { event: 'visited', properties: { $browser: 'Firefox', plan: 'pro' } },
  { event: 'visited', distinct_id: 'bob', properties: { $browser: 'Chrome', plan: 'free' } },
  { event: 'bought', properties: { amount: 10.5, plan: 'pro', gift: true } },
  { event: 'bought', distinct_id: 'bob', properties: { amount: 20, plan: 'free', gift: false } },
  {
    event: 'bought',
    distinct_id: 'cy',
    timestamp: '2026-03-28T23:30:00.000Z',
    properties: { amount: '7', 'a.b': 'dot' },
  },
  {
    event: 'visited',
    distinct_id: 'cy',
    timestamp: '2026-03-29T01:30:00.250Z',
    properties: { $browser: 'Firefox', amount: 'many' },
  },
  { event: 'left', distinct_id: 'dé', timestamp: '2026-03-31T11:59:59.999Z' },
])

/** A value of another project that must never appear in a result. */
export const CANARY = 'canary'

export const CANARIES = numbered([
  {
    event: CANARY,
    distinct_id: CANARY,
    properties: { $browser: CANARY, plan: CANARY, amount: 666_666 },
  },
  { event: 'visited', distinct_id: CANARY, properties: { plan: CANARY, amount: 666_666 } },
  { event: '$set', distinct_id: CANARY, properties: { $set: { name: CANARY, plan: CANARY } } },
  {
    event: '$groupidentify',
    distinct_id: CANARY,
    properties: {
      $group_type: 'company',
      $group_key: CANARY,
      $group_set: { plan: CANARY },
      $groups: { company: CANARY },
    },
  },
])

export interface SqlStore {
  run(text: string, options?: Partial<SqlOptions>): Promise<TableResult>
}

/**
 * Opens a project with these events on both databases; the next project has the canaries. The project has the same ID
 * on both, because the UUIDs of persons depend on it.
 */
export async function startBoth(events: readonly NewEvent[] = SHOP): Promise<readonly SqlStore[]> {
  const { stores, before } = await useEventStores(...COMPARED)
  return Promise.all(
    stores.map(async (store) => {
      await store.append(before + 1, events)
      await store.append(before + 2, CANARIES)
      return { run: (text, options) => runSql(store, before + 1, text, options) }
    }),
  )
}

async function runSql(
  store: EventStore,
  projectId: number,
  text: string,
  options: Partial<SqlOptions> = {},
) {
  const plan = await compileSql(text, { zone: 'Europe/Berlin', now: NOW, ...options })
  return runPlan({ store, projectId }, plan)
}
