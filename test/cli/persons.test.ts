import { describe, expect, it } from 'vitest'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage } from '#server/db/open.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { storageOptions } from '../support/app/storage.ts'
import { newEvent } from '../support/data/events.ts'

describe.each(['sqlite', 'postgres'] as const)('persons rebuild on %s', (database) => {
  it('derives persons from the events again and prints how many there are', async () => {
    const options = await storageOptions(database)
    const { db, close } = await openStorage(options)
    const events = openEventStore({ ...options, db })
    await events.append(1, [newEvent(), newEvent({ distinct_id: 'ben' })])
    await events.close()
    await close()

    const { code, json, stderr } = await runHedgerow(
      ['persons', 'rebuild', '--json'],
      toEnv(options),
    )

    expect(code).toBe(0)
    expect(json).toMatchObject({ events: 2 })
    expect(stderr).toContain('100 %, 2 of 2 events')
  })
})
