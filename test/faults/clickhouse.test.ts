import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import type { EventStore } from '#server/analytics/event-store.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage } from '#server/db/open.ts'
import { storageOptions } from '../support/app/storage.ts'
import { ALL, newEvent, untilShipped } from '../support/data/events.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/servers/faulty-proxy.ts'

/** The engine of the tests may be slow. */
const WAIT = { timeout: 240_000, interval: 100 }

/** Starts a store whose connection to ClickHouse can fail. */
async function start(settings: { readonly maxWaitingMb?: number } = {}) {
  const options = await storageOptions('clickhouse')
  const proxy = await startFaultyProxy(inject('clickhouseUrl'))
  const clickHouse = options.clickHouse as NonNullable<typeof options.clickHouse>
  const url = clickHouse.url.replace(/@[^/]+/, `@${proxy.host}`)
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  const { db } = storage
  const open = (): EventStore =>
    openEventStore({ ...options, clickHouse: { ...clickHouse, ...settings, url }, db })
  const store = open()
  onTestFinished(() => store.close())
  const settle = () => untilShipped(db)
  return { store, proxy, db, settle, open }
}

const countOf = (store: EventStore) => async () => (await store.list(1, ALL)).length

const isInsertOfEvents = (statement: string) => /^insert into events/i.test(statement)

const cutAll = (proxy: FaultyProxy) => proxy.decide(() => 'cut')

const events = (count: number, id = 'ada') =>
  Array.from({ length: count }, () => newEvent({ uuid: randomUUID(), distinct_id: id }))

describe('ClickHouse', () => {
  it('gets the events that came in while it was down, without an operator', async () => {
    const { store, proxy, settle } = await start()
    await store.append(1, events(3))
    await settle()
    cutAll(proxy)

    expect(await store.append(1, events(4))).toMatchObject({ count: 4 })
    await expect(store.list(1, ALL)).rejects.toThrow(/ClickHouse at .* cannot be reached/)
    await expect(store.deletePerson(1, 'ada')).rejects.toMatchObject({ code: 'unavailable' })
    expect(
      await store.editPerson(1, { kind: 'update', distinctId: 'ada', set: { a: 1 }, unset: [] }),
    ).toBe(true)
    proxy.decide(() => 'pass')

    await vi.waitUntil(async () => (await countOf(store)().catch(() => 0)) === 7, WAIT)
  })

  it('does not keep events from coming in while it is down', async () => {
    const { store, proxy, settle } = await start()
    await store.append(1, events(1))
    await settle()
    cutAll(proxy)
    let failures = 0
    proxy.decide(() => {
      failures++
      return 'cut'
    })

    let stored = 0
    while (failures < 5) {
      const batches = Array.from({ length: 20 }, (_, id) => store.append(1, events(2, `id ${id}`)))
      for (const { count } of await Promise.all(batches)) stored += count
    }
    proxy.decide(() => 'pass')
    await settle()

    expect(await store.count(1)).toBe(stored + 1)
  })

  it('makes results stale when events are acknowledged, not again when they arrive', async () => {
    const { store, proxy, settle } = await start()
    await store.append(1, events(1))
    await settle()
    const before = await store.version(1)
    proxy.decide((statement) => (isInsertOfEvents(statement) ? 'cut' : 'pass'))

    await store.append(1, events(2, 'bo'))
    const acknowledged = await store.version(1)
    proxy.decide(() => 'pass')
    await settle()

    expect(acknowledged).not.toBe(before)
    expect(await store.version(1)).toBe(acknowledged)
  })

  it('makes results stale that were computed without events, once these have arrived', async () => {
    const { store, proxy, settle } = await start()
    await store.append(1, events(1))
    await settle()
    proxy.decide((statement) => (isInsertOfEvents(statement) ? 'cut' : 'pass'))
    await store.append(1, events(2))
    const acknowledged = await store.version(1)

    expect(await store.count(1)).toBe(1)
    expect(await store.version(1)).toBe(acknowledged)
    proxy.decide(() => 'pass')
    await settle()

    expect(await store.version(1)).not.toBe(acknowledged)
    expect(await store.count(1)).toBe(3)
  })

  it('may be down when a server starts that has used it before', async () => {
    const { store, proxy, settle, open } = await start()
    await store.append(1, events(1))
    await settle()
    await store.close()
    cutAll(proxy)

    const next = open()
    onTestFinished(() => next.close())
    expect(await next.append(1, events(2))).toMatchObject({ count: 2 })
    proxy.decide(() => 'pass')

    await vi.waitUntil(async () => (await countOf(next)().catch(() => 0)) === 3, WAIT)
  })

  it('may be silent when a server starts that has used it before', async () => {
    const { store, proxy, settle, open } = await start()
    await store.append(1, events(1))
    await settle()
    await store.close()
    proxy.decide(() => 'hold')

    const during = open()
    expect(await during.append(1, events(2))).toMatchObject({ count: 2 })
    await during.close()
    proxy.decide(() => 'pass')

    const next = open()
    onTestFinished(() => next.close())
    await vi.waitUntil(async () => (await countOf(next)()) === 3, WAIT)
  })

  it('does not keep a server from stopping, and gets the interrupted batch from the next', async () => {
    const { store, proxy, settle, open } = await start()
    await store.append(1, events(1))
    await settle()
    let held = 0
    proxy.decide((statement) => (isInsertOfEvents(statement) && ++held > 0 ? 'hold' : 'pass'))
    await store.append(1, events(3))
    await vi.waitUntil(() => held > 0, WAIT)

    await store.close()
    proxy.decide(() => 'pass')

    const next = open()
    onTestFinished(() => next.close())
    await vi.waitUntil(async () => (await countOf(next)()) === 4, WAIT)
    expect(held).toBe(1)
  })

  it('must be up at the first start', async () => {
    const { store, proxy } = await start()
    cutAll(proxy)

    await expect(store.append(1, events(1))).rejects.toThrow(/ClickHouse at .* cannot be reached/)
  })

  it('counts events once if the response to an insert is lost', async () => {
    const { store, proxy, settle } = await start()
    let lost = 0
    proxy.decide((statement) =>
      isInsertOfEvents(statement) && ++lost <= 2 ? 'lose response' : 'pass',
    )

    await store.append(1, events(5))
    await settle()

    expect(lost).toBe(3)
    expect(await store.count(1)).toBe(5)
  })

  it('sends a batch as it was, not with events that came in since', async () => {
    const { store, proxy, settle } = await start()
    let lost = 0
    proxy.decide((statement) => {
      if (!isInsertOfEvents(statement)) return 'pass'
      return ++lost <= 3 ? 'lose response' : 'pass'
    })
    await store.append(1, events(5))
    await vi.waitUntil(() => lost > 0, WAIT)
    await store.append(1, events(6))
    await settle()

    expect(await store.count(1)).toBe(11)
  })

  it('shows no event of a deleted person, even if it has not deleted them yet', async () => {
    const { store, proxy, db, settle } = await start()
    await store.append(1, [...events(3, 'ada'), ...events(2, 'bob')])
    await settle()
    proxy.decide((statement) => (/^delete from/i.test(statement) ? 'cut' : 'pass'))

    expect(await store.deletePerson(1, 'ada')).toBe(3)
    const listed = await store.list(1, ALL)
    expect(listed.map(({ distinct_id }) => distinct_id)).toEqual(['bob', 'bob'])
    expect(await store.count(1)).toBe(2)
    await store.append(1, events(1, 'ada'))
    proxy.decide(() => 'pass')
    await settle()

    expect(await store.count(1)).toBe(3)
    expect((await sql`select 1 from outbox_changes`.execute(db)).rows).toEqual([])
  })

  it('refuses events when too many wait for it', async () => {
    const { store, proxy, settle } = await start({ maxWaitingMb: 0 })
    await store.append(1, events(1))
    await settle()
    cutAll(proxy)
    await vi.waitUntil(
      async () =>
        store.append(1, events(1)).then(
          () => false,
          () => true,
        ),
      WAIT,
    )

    await expect(store.append(1, events(1))).rejects.toThrow('EVENTS_WAITING_MB')
  })

  it.each(['join_use_nulls', 'prefer_column_name_to_alias', 'final'])(
    'is refused if it ignores %s',
    async (setting) => {
      const { store, proxy } = await start()
      proxy.decide((_, url) => {
        url.searchParams.delete(setting)
        return 'pass'
      })

      await expect(store.count(1)).rejects.toThrow(/settings/)
    },
  )
})
