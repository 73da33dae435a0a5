import { describe, expect, it } from 'vitest'
import { PROJECT, startApp } from '../../../../test/support/app/app.ts'
import { newEvent } from '../../../../test/support/data/events.ts'
import { applyRetention } from './retention.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

describe('retention', { tags: 'sql' }, () => {
  it('deletes only events past the retention of their project', async () => {
    const api = await startApp()
    const { events } = api.services
    const other = await api.createProject()
    await api.patch(PROJECT, { retention_days: 30 })
    for (const id of [1, other]) {
      await events.append(
        id,
        [0, 29, 31, 400].map((days) => newEvent({ timestamp: daysAgo(days) })),
      )
    }

    expect(await applyRetention(api.db, events)).toBe(2)

    expect(await events.count(1)).toBe(2)
    expect(await events.count(other)).toBe(4)
    expect(await applyRetention(api.db, events)).toBe(0)
  })
})
