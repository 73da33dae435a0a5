import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing, signingIn } from '../../../../test/support/data/persons.ts'

const WARNINGS = 'ingestion_warnings'

describe('ingestion warnings', () => {
  it('list refused merges by type', { tags: 'sql' }, async () => {
    const api = await useApp()
    await addEvents(api, signingIn('ada', 'phone'), signingIn('bob', 'ada'), doing('cy'))
    await addEvents(api, signingIn('ada', 'null'), signingIn('bob', 'guest'))

    const { status, body } = await api.get(WARNINGS)

    expect(status).toBe(200)
    expect(body.results).toHaveLength(2)
    const [identified] = body.results.filter(
      ({ type }: { type: string }) => type === 'cannot_merge_already_identified',
    )
    expect(identified).toEqual({
      type: 'cannot_merge_already_identified',
      lastSeen: expect.any(String),
      count: 1,
      warnings: [
        {
          type: 'cannot_merge_already_identified',
          timestamp: identified.lastSeen,
          details: { distinctId: 'bob', otherDistinctId: 'ada' },
        },
      ],
    })
    const counts = body.results.map(({ count }: { count: number }) => count)
    expect(counts.toSorted()).toEqual([1, 2])
  })

  it('are isolated between projects', async () => {
    const api = await useApp()
    await addEvents(api, doing('ada'), signingIn('ada', 'null'))
    const other = await api.createProject()

    expect((await api.get(api.path(WARNINGS, other))).body).toEqual({ results: [] })
  })
})
