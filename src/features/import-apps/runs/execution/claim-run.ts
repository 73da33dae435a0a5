import { sql } from 'kysely'
import { databaseTime, isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { isUniqueViolation } from '#server/db/storage-problem.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'

export interface Claimant {
  readonly worker: string
  /** The number of runs that the worker executes at the same time. */
  readonly slots: number
  /** Its runs that only wait, without a slot. */
  readonly idle?: readonly string[]
}

/**
 * Claims the first due run of a config without an active run. On PostgreSQL two workers may choose two runs of one
 * config at the same moment: the index `runs_one_at_a_time` lets one of them win, and the other chooses again.
 */
export async function claimRun(db: Db, claimant: Claimant): Promise<RunRow | undefined> {
  for (;;) {
    try {
      return await claimNext(db, claimant)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }
}

function claimNext(db: Db, claimant: Claimant): Promise<RunRow | undefined> {
  const at = databaseTime(db)
  const due = selectNext(db, claimant).limit(1)
  const next = isPostgres(db) ? due.forUpdate('next').skipLocked() : due
  return db
    .updateTable('runs')
    .set((eb) => ({
      state: 'running',
      worker: claimant.worker,
      attempt: eb('attempt', '+', 1),
      started_at: eb.fn.coalesce('started_at', at),
      heartbeat_at: at,
      retry_at: null,
      message: '',
    }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Selects the first due run of each config, which runs in the order of the queue even while the first waits for its
 * retry. The project with the fewest active runs comes first, then the one whose last run started longest ago. A
 * project leaves one slot of each worker to the others, or its long runs could occupy all of them.
 */
function selectNext(db: Db, { worker, slots, idle = [] }: Claimant) {
  const at = databaseTime(db)
  const share = Math.max(1, slots - 1)
  return (
    db
      .selectFrom('plugin_configs as config')
      .innerJoin('runs as next', (join) =>
        join.on((eb) =>
          eb(
            'next.id',
            '=',
            eb
              .selectFrom('runs as queued')
              .select('queued.id')
              .whereRef('queued.config_id', '=', 'config.id')
              .where('queued.state', '=', sql.lit('queued'))
              .where('queued.run_at', '<=', at)
              .orderBy('queued.run_at')
              .orderBy('queued.id')
              .limit(1),
          ),
        ),
      )
      .leftJoin(
        (eb) =>
          eb
            .selectFrom('runs')
            .select((runs) => [
              'project_id',
              runs.fn.countAll<number>().as('everywhere'),
              runs.fn
                .countAll<number>()
                .filterWhere((run) =>
                  run.and([
                    run('worker', '=', worker),
                    ...(idle.length > 0 ? [run('id', 'not in', idle)] : []),
                  ]),
                )
                .as('here'),
            ])
            .where('state', '=', sql.lit('running'))
            .groupBy('project_id')
            .as('active'),
        (join) => join.onRef('active.project_id', '=', 'config.project_id'),
      )
      .select('next.id')
      // queued runs are few, configs may be many
      .where('config.id', 'in', (eb) =>
        eb
          .selectFrom('runs as waiting')
          .select('waiting.config_id')
          .where('waiting.state', '=', sql.lit('queued'))
          .where('waiting.run_at', '<=', at),
      )
      // PostgreSQL checks this again once it has locked the row, which another worker may just have claimed
      .where('next.state', '=', sql.lit('queued'))
      .where((eb) => eb.or([eb('next.retry_at', 'is', null), eb('next.retry_at', '<=', at)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('runs as other')
              .select('other.id')
              .whereRef('other.config_id', '=', 'config.id')
              .where('other.state', '=', sql.lit('running')),
          ),
        ),
      )
      .where(({ eb, or, not, exists, fn, selectFrom }) =>
        or([
          eb(fn.coalesce('active.here', sql.lit(0)), '<', share),
          not(
            exists(
              selectFrom('plugin_configs as foreign')
                .select('foreign.id')
                .whereRef('foreign.project_id', '<>', 'config.project_id')
                .where('foreign.enabled', '=', 1)
                .where('foreign.deleted', '=', 0),
            ),
          ),
        ]),
      )
      .orderBy(({ fn }) => fn.coalesce('active.everywhere', sql.lit(0)))
      .orderBy(({ fn, selectFrom }) =>
        fn.coalesce(
          selectFrom('runs as earlier')
            .select((runs) => runs.fn.max('earlier.started_at').as('started_at'))
            .whereRef('earlier.project_id', '=', 'config.project_id'),
          sql.lit(''),
        ),
      )
      .orderBy('next.run_at')
      .orderBy('next.id')
  )
}
