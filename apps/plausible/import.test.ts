import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import { importNewDays, importWindow } from './import.ts'

interface Query {
  readonly dimensions: readonly string[]
  readonly date_range: readonly [string, string]
  readonly pagination: { readonly limit: number; readonly offset: number }
}

/** Collects the queries of a site that has no visitors, or whose rows a test gives. */
function start(
  respond: (query: Query) => unknown[] | FakeResponse = () => [],
  config: object = {},
) {
  const queries: Query[] = []
  const fake = createFakeApp({
    config: { site: 'example.com', key: 'k', ...config },
    respond(_url, _headers, body) {
      const query = JSON.parse(body) as Query
      queries.push(query)
      const response = respond(query)
      return Array.isArray(response) ? { body: JSON.stringify({ results: response }) } : response
    },
  })
  return { ...fake, queries }
}

const ranges = (queries: readonly Query[]) => queries.map(({ date_range }) => date_range.join(' '))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-03-10T11:00:00Z') })
})
afterEach(() => void vi.useRealTimers())

describe('the days of a site', () => {
  it('are imported once they are over everywhere, each run from where the last ended', async () => {
    const fake = start(undefined, { days: '7' })
    await importNewDays(fake.app)
    await importNewDays(fake.app)
    vi.setSystemTime(new Date('2025-03-11T12:00:00Z'))

    await importNewDays(fake.app)

    const [first, second] = ['2025-03-02 2025-03-08', '2025-03-09 2025-03-10']
    expect(ranges(fake.queries)).toEqual([...Array(4).fill(first), ...Array(4).fill(second)])
  })

  it('are read in pages, in a fixed order', async () => {
    const fake = start(({ dimensions, pagination: { offset } }) => {
      if (dimensions[1] !== 'event:page') return []
      const count = offset < 2000 ? 1000 : 1
      return Array.from({ length: count }, (_, n) => ({
        dimensions: ['2025-03-01', `/${offset + n}`],
        metrics: [1, 2],
      }))
    })

    await importNewDays(fake.app)

    expect(fake.events()).toHaveLength(2001)
    expect(fake.queries[1]).toMatchObject({
      order_by: [
        ['time:day', 'asc'],
        ['event:page', 'asc'],
      ],
    })
  })

  it('continue with the stream that failed', async () => {
    let isBroken = true
    const fake = start(({ dimensions }) =>
      isBroken && dimensions[1] === 'visit:source' ? { status: 400, body: 'no' } : [],
    )
    await expect(importNewDays(fake.app)).rejects.toThrow('returned 400. Response: no')
    isBroken = false
    fake.queries.length = 0

    await importNewDays(fake.app)

    expect(fake.queries.map(({ dimensions }) => dimensions[1])).toEqual([
      'visit:source',
      'visit:country_name',
    ])
  })

  it('of the past are imported in windows, without those that are not over', async () => {
    const fake = start()
    const window = (from: string, to: string, streams: string[] | null = ['days']) =>
      importWindow(fake.app, { from, to, streams })

    await window('2025-01-01T00:00:00Z', '2025-01-03T00:00:00Z')
    await window('2025-03-08T00:00:00Z', '2025-03-11T00:00:00Z')
    await window('2025-03-09T00:00:00Z', '2025-03-11T00:00:00Z')

    expect(ranges(fake.queries)).toEqual(['2025-01-01 2025-01-02', '2025-03-08 2025-03-08'])
    expect(fake.storage.size).toBe(0)
    await expect(window('2025-01-01', '2025-01-02', ['funnels'])).rejects.toThrow(
      'There is no stream "funnels".',
    )
  })

  it('that cannot be read are skipped with the reason', async () => {
    const fake = start(() => [{ dimensions: ['yesterday'], metrics: [1] }, 'junk'])

    await importNewDays(fake.app)

    expect(fake.skipped[0]?.reason).toBe('Stream "days": "yesterday" is not a day.')
  })

  it.each([
    [{ site: '' }, 'The "Site" is not set.'],
    [{ key: '' }, 'The "API key" is not set.'],
    [{ url: 'ftp://a' }, 'The "URL" is not valid: "ftp://a".'],
    [{ days: 'many' }, '"Days of history" must be a whole number from 1 to 3650, not "many".'],
  ])('need settings: %j is refused', async (config, message) => {
    await expect(importNewDays(start(undefined, config).app)).rejects.toThrow(message)
  })
})
