import { sql } from 'kysely'
import { untilItSucceeds, waitAtMost } from '#server/concurrency.ts'
import type { ClickHouseSettings } from '#server/db/open.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { Db } from '#server/db/schema.ts'
import { BusyError, OperatorError } from '#server/errors.ts'
import { createChanges } from '../derive/changes.ts'
import type { DerivedTables } from '../derive/derived-tables.ts'
import { openSnapshot } from '../derive/snapshot.ts'
import type { EventStore, OnProgress, StoreOptions } from '../event-store.ts'
import { createMaterializedProperties } from '../materialized-properties.ts'
import { changeProject } from '../postgres/change-project.ts'
import { createIntake } from '../postgres/intake.ts'
import { incrementVersions, readVersion } from '../postgres/versions.ts'
import { openFirst, wrapMethods } from '../wrap-methods.ts'
import { connectToClickHouse, EventsUnavailableError } from './connection.ts'
import { toDerivedTables } from './derived-tables.ts'
import { holdChanges } from './hold-changes.ts'
import { countEvents, listEvents } from './list-events.ts'
import { materialize } from './materialize.ts'
import { createOutbox, createStoreTables, isKnown } from './open-tables.ts'
import { createKeyExpiry } from './outbox/expire-keys.ts'
import { noteMissed } from './outbox/missed.ts'
import { createShipping } from './outbox/shipping.ts'
import { OUTBOX_SINK } from './outbox/sink.ts'
import { areWaiting, createWaiting, findLastEvents, readWaiting } from './outbox/waiting.ts'
import { type ProjectState, readProjectState, type WaitingUpTo } from './project-state.ts'
import { catchUpPersons, rebuildPersons } from './rebuild.ts'
import { runEventQuery } from './run-query.ts'

/** The time that a query waits for events that their senders were told are stored. */
const SETTLE_MS = 2000
/** The time that a change of the past waits for them; it must see all. */
const DRAIN_MS = 60_000
/** The time after which a server takes events in although ClickHouse has not responded yet. */
const OPEN_MS = 3000
/** The time that a batch has to arrive when a server stops. Then it is cut off, and sent again with the same token. */
const CLOSE_MS = 1000

interface ClickHouseStoreOptions extends StoreOptions, ClickHouseSettings {
  readonly db: Db
}

/** Takes events in with PostgreSQL, sends them to ClickHouse, and queries them there. */
export function createClickHouseStore(options: ClickHouseStoreOptions): EventStore {
  const { db, onProgress = () => {}, runaways, warn, keysDays, maxWaitingMb } = options
  const clickHouse = connectToClickHouse(options)
  // once, although opening ClickHouse is tried again and again while it is down
  const createTables = untilItSucceeds(() => createOutbox(db))
  const openStore = untilItSucceeds(openClickHouse)
  const openOutbox = untilItSucceeds(openIntake)
  let changing: Promise<unknown> = Promise.resolve()
  let copy: string | undefined
  const shipping = createShipping({ db, clickHouse, prepare: openStore, warn })
  const waiting = createWaiting(db, maxWaitingMb)
  const expiry = createKeyExpiry(db, keysDays)
  // the database knows its columns: those of an earlier version are fewer
  const materialized = createMaterializedProperties([], async (keys, adopt) => {
    await materialize(db, clickHouse, keys)
    adopt()
  })
  const intake = createIntake({
    db,
    sink: OUTBOX_SINK,
    async prepare() {
      await openOutbox()
      await waiting.requireRoom()
    },
    onTake: (tx, { projectIds }) => incrementVersions(tx, projectIds),
    onTaken: () => shipping.wake(),
  })

  const methods = {
    async list(projectId, filter) {
      return listEvents(clickHouse, projectId, await settle(projectId), filter)
    },
    async count(projectId) {
      return countEvents(clickHouse, projectId, await settle(projectId))
    },
    async query(projectId, query) {
      materialized.note(query.properties.map(sanitizeText))
      if (query.effort !== undefined) runaways.requireFew()
      const state = await settle(projectId)
      return runEventQuery({ clickHouse, runaways }, projectId, state, query)
    },
    rebuildPersons: rebuild,
    rebuildDerived: rebuild, // ClickHouse derives nothing else
    async holdChanges() {
      await drain()
      const held = await holdChanges(db, clickHouse)
      copy = held.copy
      return held.release
    },
    async openSnapshot({ tx, folder }) {
      if (!tx || folder === undefined)
        throw new Error('A snapshot needs a transaction and a folder.')
      if (copy === undefined) throw new Error('A snapshot needs a copy of the events.')
      const { openSnapshotTables } = await import('./snapshot.ts') // servers do not need it
      return openSnapshot(await openSnapshotTables(tx, clickHouse, { folder, copy }))
    },
  } satisfies Partial<EventStore>

  /** The methods that work while ClickHouse is down, except for deletions. */
  const methodsOfOutbox = {
    ...createChanges(changePast),
    version: (projectId) => readVersion(db, projectId),
    async deleteWarningsBefore(time) {
      await sql`delete from identity_warnings where created_at < ${time}`.execute(db)
      shipping.wake()
    },
    requireIntact: async () => {}, // opening probes ClickHouse, which checks its own parts
    async requireReady() {
      await sql`select schema_version from event_store`.execute(db)
    },
  } satisfies Partial<EventStore>

  return {
    ...intake.methods,
    ...wrapMethods(methods, openFirst(openStore)),
    ...wrapMethods(methodsOfOutbox, openFirst(openOutbox)),
    async readSize() {
      const [row] = await clickHouse.read<{ bytes: number }>(
        'select toInt64(sum(bytes_on_disk)) as bytes from system.parts where database = currentDatabase() and active',
      )
      return row?.bytes ?? 0
    },
    readOutbox: () => readWaiting(db, maxWaitingMb),
    async readParts() {
      const [row] = await clickHouse.read<{ parts: number }>(`
        select toInt64(max(parts)) as parts from (
          select count() as parts from system.parts
          where database = currentDatabase() and table = '${clickHouse.layout.events}' and active group by partition)`)
      return row?.parts ?? 0
    },
    async close() {
      await materialized.close()
      await intake.close()
      await expiry.close()
      const shipped = shipping.close()
      await waitAtMost(shipped, CLOSE_MS)
      await clickHouse.close()
      await shipped
    },
  }

  /** Waits for a project's events so far, but not for long, and says what ClickHouse does not know. */
  async function settle(projectId: number): Promise<ProjectState> {
    const endsAt = performance.now() + SETTLE_MS
    for (let upTo: WaitingUpTo | undefined; ; ) {
      const state = await readProjectState(db, projectId, upTo)
      upTo = state.waiting
      if (upTo.events === 0 && upTo.rows === 0) return state
      if (shipping.problem || performance.now() > endsAt) {
        await noteMissed(db, projectId)
        return state
      }
      shipping.wake()
      await shipping.step()
    }
  }

  /** Waits until ClickHouse has all events so far of all projects. */
  async function drain(): Promise<void> {
    await openStore()
    const endsAt = performance.now() + DRAIN_MS
    const last = await findLastEvents(db)
    while (await areWaiting(db, last)) {
      if (shipping.problem) throw shipping.problem
      if (performance.now() > endsAt) throw new BusyError(BEHIND)
      shipping.wake()
      await shipping.step()
    }
  }

  async function rebuild(onProgress: OnProgress): Promise<void> {
    await rebuildPersons({ db, clickHouse, onProgress, drain })
    shipping.wake()
  }

  /** Runs one change at a time, because it keeps a connection of which shipping needs some. */
  function changePast<T extends boolean | number>(
    projectId: number,
    work: (tables: DerivedTables) => Promise<T>,
  ): Promise<T> {
    const change = changing.then(() =>
      changeProject(db, projectId, (tx) => work(toDerivedTables(tx, { clickHouse, drain }))),
    )
    changing = change.then(shipping.wake, () => {})
    return change
  }

  /** Opens what taking events in needs. If ClickHouse was used before, it may be down or slow then. */
  async function openIntake(): Promise<void> {
    await createTables()
    const isOptional = await isKnown(db)
    const opening = openStore().catch((error) => {
      if (!(error instanceof EventsUnavailableError)) throw error
      if (!isOptional) throw new OperatorError(error.message)
      warn?.(error.message)
    })
    await (isOptional ? waitAtMost(opening, OPEN_MS) : opening)
    expiry.start()
    shipping.start()
  }

  /** Opens ClickHouse, and completes a rebuild that was interrupted. */
  async function openClickHouse(): Promise<void> {
    await createTables()
    await createStoreTables(db, clickHouse)
    // shipping waits for this method, and a rebuild for shipping
    queueMicrotask(() => void catchUpPersons({ db, clickHouse, onProgress, drain }).catch(() => {}))
  }
}

const BEHIND =
  'Events wait for ClickHouse, and this needs all of them. Try again when ClickHouse has caught up.'
