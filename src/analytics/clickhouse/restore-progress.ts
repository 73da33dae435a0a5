import { createHash } from 'node:crypto'
import { OperatorError } from '#server/errors.ts'
import { foreignEvents } from '../damaged-events.ts'
import type { NumberedRow } from '../postgres/insert-rows.ts'
import type { ClickHouse } from './connection.ts'
import { ALL_TABLES, PROGRESS_TABLE, toLogEngine } from './create-tables.ts'
import { createAll } from './open-tables.ts'

interface Saved {
  readonly seq: number
  readonly digest: string
}

/**
 * Keeps how far a restore has come, so that the next can continue if it is interrupted. A digest of the events so far
 * tells whether the next has the same events.
 */
export function createProgress(clickHouse: ClickHouse) {
  const { run, read, layout, place } = clickHouse
  const hash = createHash('sha256')
  let saved: Saved = { seq: 0, digest: '' }
  let isCompared = true

  async function clear(): Promise<void> {
    for (const table of [...ALL_TABLES, PROGRESS_TABLE]) {
      await run(`truncate table ${table === 'events' ? layout.events : table} ${layout.onCluster}`)
    }
  }

  /** Compares the events that were read so far with those that were stored before. */
  async function compare(): Promise<void> {
    isCompared = true
    if (hash.copy().digest('hex') === saved.digest) return
    await clear()
    throw new OperatorError(
      `${place} had events of another restore, which was not completed. They were deleted; run the command again.`,
    )
  }

  return {
    /**
     * Continues after the events of an unfinished restore, otherwise begins with empty tables. `replaced` is the
     * installation whose events the operator wants to replace; those of another one stay.
     */
    async open(replaced: string | undefined) {
      const tables = await read(`
        select 1 from system.tables where database = currentDatabase() and name = '${PROGRESS_TABLE}'`)
      await createAll(clickHouse)
      if (tables.length === 0) {
        const [marker] = await read<{ id: string }>('select installation as id from event_store')
        if (marker && replaced !== undefined && marker.id !== replaced) throw foreignEvents(place)
        await run(`create table ${PROGRESS_TABLE} ${layout.onCluster} (seq Int64, digest String)
          engine = ${toLogEngine(layout, PROGRESS_TABLE)} order by seq`)
      }
      const [last] = await read<Saved>(
        `select seq, digest from ${PROGRESS_TABLE} order by seq desc limit 1`,
      )
      if (!last) return clear()
      await run(`truncate table event_store ${layout.onCluster}`) // it may have been written last
      saved = last
      isCompared = false
      // an insert may have been interrupted between two months
      await run(`delete from ${layout.events} ${layout.onCluster} where seq > ${last.seq}`)
    },
    /** Returns the events that are not stored yet. They come in the order of their numbers. */
    async skip(events: readonly NumberedRow[]): Promise<readonly NumberedRow[]> {
      const fresh = events.filter(({ seq }) => seq > saved.seq)
      for (const event of events.slice(0, events.length - fresh.length)) note(event)
      if (fresh.length > 0 && !isCompared) await compare()
      return fresh
    },
    /** Notes that events are stored. */
    async save(events: readonly NumberedRow[]) {
      for (const event of events) note(event)
      const { seq } = events.at(-1) as NumberedRow
      await run(
        `insert into ${PROGRESS_TABLE} (seq, digest) values (${seq}, '${hash.copy().digest('hex')}')`,
      )
    },
    async complete() {
      if (!isCompared) await compare()
    },
    async end() {
      await run(`drop table if exists ${PROGRESS_TABLE} ${layout.onCluster} sync`)
    },
  }

  function note({ seq, row: { projectId, uuid } }: NumberedRow): void {
    hash.update(`${seq} ${projectId} ${uuid}\n`)
  }
}
