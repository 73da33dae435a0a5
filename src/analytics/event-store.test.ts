import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DATABASES } from '../../test/support/app/storage.ts'
import { ALL, newEvent, startEventStore, useEventStore } from '../../test/support/data/events.ts'

describe.each(DATABASES)('event store beside %s', (database) => {
  it('lists appended events, newest first', async () => {
    const events = await useEventStore(database)
    const before = new Date().toISOString()
    const old = newEvent({ timestamp: '2025-12-31T23:59:59.999Z' })
    const recent = newEvent({ event: 'bought "it"', distinct_id: '😀', properties: '{"a":[1,{}]}' })

    await events.append(1, [old, recent])

    const [first, second] = await events.list(1, ALL)
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/)
    const properties = expect.any(String)
    expect(first).toEqual({ ...recent, properties, created_at })
    expect(JSON.parse(first?.properties ?? '')).toEqual({ a: [1, {}] })
    expect(second).toEqual({ ...old, properties, created_at })
    expect(first?.created_at.localeCompare(before)).not.toBe(-1)
    expect(await events.count(1)).toBe(2)
  })

  it('orders simultaneous events by UUID', async () => {
    const events = await useEventStore(database)
    const uuids = Array.from({ length: 20 }, () => randomUUID())

    await events.append(
      1,
      uuids.map((uuid) => newEvent({ uuid })),
    )

    const listed = (await events.list(1, ALL)).map(({ uuid }) => uuid)
    expect(listed).toEqual(uuids.toSorted().toReversed())
  })

  it('keeps the first of several events with the same UUID', async () => {
    const events = await useEventStore(database)
    const [one, two] = [newEvent(), newEvent()]
    const again = { ...one, event: 'again', timestamp: '2026-05-05T00:00:00.000Z' }
    const upper = { ...two, uuid: two.uuid.toUpperCase(), event: 'again' }

    await events.append(1, [one, again, two])
    await events.append(1, [again, upper])
    await Promise.all([1, 2, 3].map(() => events.append(1, [again])))

    const names = (await events.list(1, ALL)).map(({ event }) => event)
    expect(names).toEqual(['visited', 'visited'])
    expect(await events.count(1)).toBe(2)
  })

  it('counts the new events of appends', async () => {
    const events = await useEventStore(database)
    const [one, two, three] = [newEvent(), newEvent(), newEvent()]
    const first = await events.append(1, [one, one, two])

    const others = await Promise.all([
      events.append(1, [two, three]),
      events.append(2, [one]),
      events.append(1, []),
    ])

    expect(await events.countNew(1, [first])).toBe(2)
    expect(await events.countNew(1, [first, ...others.filter((_, index) => index !== 1)])).toBe(3)
    expect(await events.countNew(2, others.slice(1, 2))).toBe(1)
    expect(await events.countNew(1, [])).toBe(0)
  })

  it('never shows duplicates while events arrive', async () => {
    const events = await useEventStore(database)
    const event = newEvent()
    await events.append(1, [event])

    const appending = Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n))
        await events.append(1, [event])
      }),
    )
    const seen = new Set<number>()
    for (let n = 0; n < 50; n++) seen.add(await events.count(1))
    await appending

    expect(seen).toEqual(new Set([1]))
  })

  it('drops duplicates of events that an earlier process stored, deduplicated or not', async () => {
    const { events, reopen } = await startEventStore(database)
    const [read, unread] = [newEvent({ event: 'a' }), newEvent({ event: 'b' })]
    await events.append(1, [read])
    await events.count(1)
    await events.append(1, [unread, { ...read, event: 'again' }])

    const later = await reopen()
    await later.append(1, [{ ...unread, event: 'again' }])

    expect((await later.list(1, ALL)).map(({ event }) => event).toSorted()).toEqual(['a', 'b'])
  })

  it('accepts a deleted event again', async () => {
    const { events, reopen } = await startEventStore(database)
    const event = newEvent()
    await events.append(1, [event])
    await events.deletePerson(1, 'ada')

    await events.append(1, [event, event])
    expect(await events.count(1)).toBe(1)
    await events.deletePerson(1, 'ada')
    const later = await reopen()
    await later.append(1, [event, event])

    expect(await later.count(1)).toBe(1)
  })

  it('accepts the same UUID in two projects and keeps them apart', async () => {
    const events = await useEventStore(database)
    const event = newEvent()

    await events.append(1, [event])
    await events.count(1)
    await Promise.all([events.append(1, [event]), events.append(2, [{ ...event, event: 'other' }])])

    expect(await events.list(1, ALL)).toMatchObject([{ event: 'visited' }])
    expect(await events.list(2, ALL)).toMatchObject([{ event: 'other' }])
    expect(await events.list(3, ALL)).toEqual([])
    expect(await events.deletePerson(2, 'ada')).toBe(1)
    expect(await events.deleteBefore(2, '2030-01-01T00:00:00.000Z')).toBe(0)
    expect(await events.count(1)).toBe(1)
  })

  it('filters and pages', async () => {
    const events = await useEventStore(database)
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`
    await events.append(1, [
      newEvent({ event: 'a', distinct_id: 'x', timestamp: at(1) }),
      newEvent({ event: 'b', distinct_id: 'x', timestamp: at(2) }),
      newEvent({ event: 'a', distinct_id: 'y', timestamp: at(3) }),
    ])

    const days = async (filter: object) =>
      (await events.list(1, { ...ALL, ...filter })).map(({ timestamp }) => Number(timestamp[9]))

    expect(await days({ event: 'a' })).toEqual([3, 1])
    expect(await days({ distinctId: 'x' })).toEqual([2, 1])
    expect(await days({ event: 'a', distinctId: 'x' })).toEqual([1])
    expect(await days({ after: at(1), before: at(3) })).toEqual([2])
    expect(await days({ limit: 1, offset: 1 })).toEqual([2])
    expect(await days({ offset: 3 })).toEqual([])
  })

  it("deletes a person's events and events before a time, and returns the count", async () => {
    const events = await useEventStore(database)
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z']
    const duplicate = newEvent({ timestamp: early })
    await events.append(1, [duplicate, duplicate, newEvent({ timestamp: late })])
    await events.append(1, [newEvent({ distinct_id: 'bob', timestamp: late })])

    expect(await events.deleteBefore(1, late)).toBe(1)
    expect(await events.deletePerson(1, 'ada')).toBe(1)

    expect(await events.list(1, ALL)).toMatchObject([{ distinct_id: 'bob' }])
  })

  it('replaces characters that cannot be stored and truncates long texts', async () => {
    const events = await useEventStore(database)
    const [half, nul] = [{ '\ud800': 'a' }, { a: [{ b: '\\u0000 \0' }] }].map((value) =>
      JSON.stringify(value),
    )
    const long = `${'é'.repeat(199)}😀`

    await events.append(1, [newEvent({ event: 'a\0b', distinct_id: long, properties: half })])
    await events.append(1, [newEvent({ event: 'b\udc00', distinct_id: '\0', properties: nul })])

    const listed = await events.list(1, { ...ALL, distinctId: long })
    expect(listed).toMatchObject([{ event: 'a\ufffdb', distinct_id: `${'é'.repeat(199)}\ufffd` }])
    expect(JSON.parse(listed[0]?.properties ?? '')).toEqual({ '\ufffd': 'a' })
    const [other] = await events.list(1, { ...ALL, distinctId: '\0' })
    expect(other).toMatchObject({ event: 'b\ufffd', distinct_id: '\ufffd' })
    expect(JSON.parse(other?.properties ?? '')).toEqual({ a: [{ b: '\\u0000 \ufffd' }] })
  })

  it.each([
    ['an invalid time', { timestamp: 'yesterday' }],
    ['a time before the year 1', { timestamp: '0000-12-31T23:59:59.999Z' }],
    ['a time after the year 9999', { timestamp: '+010000-01-01T00:00:00.000Z' }],
    ['an invalid UUID', { uuid: "'; drop table events; --" }],
  ])('refuses %s with all events of the same append, and no others', async (_, wrong) => {
    const events = await useEventStore(database)

    const appends = [
      events.append(1, [newEvent()]),
      events.append(1, [newEvent(), newEvent(wrong)]),
      events.append(1, [newEvent()]),
    ]

    const outcomes = (await Promise.allSettled(appends)).map(({ status }) => status)
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await events.count(1)).toBe(2)
  })

  it('sorts events of any year', async () => {
    const events = await useEventStore(database)
    const now = new Date()
    const inMonths = (months: number) => {
      const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
      return date.toISOString()
    }
    const times = ['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z'].concat(
      [-40, -37, -36, -35, -1, 0, 1, 2, 3].map(inMonths),
      '9999-12-31T23:59:59.999Z',
    )

    for (const timestamp of times) await events.append(1, [newEvent({ timestamp })])

    const listed = (await events.list(1, ALL)).map(({ timestamp }) => timestamp)
    expect(listed).toEqual(times.toReversed())
  })

  it('accepts an empty append, and refuses any after it is closed', async () => {
    const { events } = await startEventStore(database)

    await events.append(1, [])
    const last = events.append(1, [newEvent()])
    await events.close()

    await expect(last).resolves.toMatchObject({ count: 1 })
    await expect(events.append(1, [newEvent()])).rejects.toThrow('closed')
  })
})
