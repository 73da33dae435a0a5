import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { databaseTime, readDatabaseTime } from '../db/dialect.ts'
import type { Db } from '../db/schema.ts'
import { type Collector, createGauges } from './collector.ts'

const HOUR_S = 3600

/** The states of ended runs, and their names in labels. */
const ENDS = [
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['cancelled', 'canceled'],
] as const

/**
 * Adds the queues of runs and deliveries, and how the runs of the last hour ended. They are read from the database,
 * because other processes may execute them.
 */
export function registerQueues(registry: Registry, db: Db): Collector {
  const gauge = createGauges(registry)
  const runs = gauge('hedgerow_runs', 'Runs of import apps that are queued or running.', 'state')
  const runAge = gauge('hedgerow_run_queue_age_seconds', 'Time that the oldest due run has waited.')
  const ended = gauge(
    'hedgerow_runs_last_hour',
    'Runs of import apps that ended in the last hour, by result: succeeded, failed or canceled.',
    'state',
  )
  const deliveries = gauge(
    'hedgerow_deliveries_queued',
    'Notifications that are not delivered yet.',
  )
  const deliveryAge = gauge(
    'hedgerow_delivery_queue_age_seconds',
    'Time since the oldest of these notifications was created.',
  )

  return async () => {
    const now = await readDatabaseTime(db)
    const [queued, running, recent, queue] = await Promise.all([
      findRuns(db, 'queued'),
      findRuns(db, 'running'),
      countRecentRuns(db),
      findDeliveryQueue(db),
    ])
    runs.set({ state: 'queued' }, Number(queued?.count ?? 0))
    runs.set({ state: 'running' }, Number(running?.count ?? 0))
    runAge.set(toAge(queued?.oldest, now))
    for (const [state, label] of ENDS) {
      ended.set({ state: label }, Number(recent.find((row) => row.state === state)?.count ?? 0))
    }
    deliveries.set(Number(queue?.count ?? 0))
    deliveryAge.set(toAge(queue?.oldest, now))
  }
}

/** A run that is due in the future has not waited yet. */
const toAge = (oldest: string | null | undefined, now: number): number =>
  oldest ? Math.max(0, (now - Date.parse(oldest)) / 1000) : 0

const QUEUE = [sql<number>`count(*)`.as('count')] as const

/** Names the state as a literal, which the index on queued runs needs. */
const findRuns = (db: Db, state: 'queued' | 'running') =>
  db
    .selectFrom('runs')
    .select([...QUEUE, sql<string | null>`min(run_at)`.as('oldest')])
    .where('state', '=', sql.lit(state))
    .executeTakeFirst()

/** Goes through the projects, because the index on ended runs begins with them. */
const countRecentRuns = (db: Db) =>
  db
    .selectFrom('projects')
    .innerJoin('runs', 'runs.project_id', 'projects.id')
    .select(['runs.state', ...QUEUE])
    .where('runs.finished_at', '>', databaseTime(db, -HOUR_S))
    .groupBy('runs.state')
    .execute()

const findDeliveryQueue = (db: Db) =>
  db
    .selectFrom('deliveries')
    .select([...QUEUE, sql<string | null>`min(created_at)`.as('oldest')])
    .where('state', '=', sql.lit('queued'))
    .executeTakeFirst()
