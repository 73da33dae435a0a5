import { describe, expect, it } from 'vitest'
import { DATABASES } from '../../../../test/support/app/storage.ts'
import { newEvent, startEventStore } from '../../../../test/support/data/events.ts'

describe.each(DATABASES)('what waits for ClickHouse, with events beside %s', (database) => {
  const isClickHouse = database === 'clickhouse'

  it('is nothing when all is sent, and each month of events has a part', async () => {
    const { events } = await startEventStore(database)
    const times = ['2026-01-02T00:00:00.000Z', '2026-02-02T00:00:00.000Z']
    await events.append(
      1,
      times.map((timestamp) => newEvent({ timestamp })),
    )
    expect(await events.count(1)).toBe(2)

    const nothing = { events: 0, bytes: 0, seconds: 0, mergedPersons: 0, deletions: 0 }
    const waiting = { ...nothing, maxBytes: 1024 * 1024 * 1024 }
    expect(await events.readOutbox?.()).toEqual(isClickHouse ? waiting : undefined)
    expect(await events.readParts?.()).toBe(isClickHouse ? 1 : undefined)
  })
})
