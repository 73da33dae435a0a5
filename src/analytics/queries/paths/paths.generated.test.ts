import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES, type PathsFilter } from '#model/query-kinds/paths.schema.ts'
import type { PathLink } from '#model/query-results.ts'
import { expectPaths } from '../../../../test/reference/paths.ts'
import { withMerges, withPersons } from '../../../../test/reference/visitors.ts'
import { type Cell, expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compilePathsQuery } from './compile.ts'

const URLS = ['https://a.example', 'https://a.example/p/1', 'https://a.example/?q=/p']

const pageview = fc.record(
  {
    $pathname: fc.constantFrom('/', '/p/1', '/p/2', 'a', 'ünï'),
    $current_url: fc.constantFrom(...URLS),
    $screen_name: fc.constantFrom('a', 'Main'),
  },
  { requiredKeys: [] },
)

/** Draws from a few moments, many of them half an hour apart. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, 0, -1, 1, 60_000))
  .map(([halfHours, ms]) =>
    new Date(Date.parse('2026-03-10T10:00:00Z') + halfHours * 10 * 60_000 + ms).toISOString(),
  )

const IDS = ['ada', 'ada', 'bob', 'cyd']

const event = withMerges(
  fc.record({
    event: fc.constantFrom('$pageview', '$pageview', '$screen', 'a', 'b', '$set', 'ünï'),
    person: fc.constantFrom(...IDS),
    at: moment,
    properties: pageview,
    uuid: fc.uuid(),
  }),
  IDS,
)

const name = fc.constantFrom('/', 'a', 'b', '/p/1', '/p/*', 'nowhere')

const filter = fc.record(
  {
    includeEventTypes: fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1 }),
    startPoint: name,
    endPoint: name,
    stepLimit: fc.integer({ min: 2, max: 7 }),
    edgeLimit: fc.integer({ min: 1, max: 9 }),
    minEdgeWeight: fc.integer({ min: 0, max: 2 }),
    maxEdgeWeight: fc.integer({ min: 1, max: 3 }),
    excludeEvents: fc.array(name, { maxLength: 2 }),
    pathGroupings: fc.array(fc.constantFrom('/p/*', '*1', 'a', '_*'), { maxLength: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PathsFilter>

const cases = fc.record({
  events: fc.array(event, { maxLength: 30 }),
  filters: fc.array(filter, { minLength: 3, maxLength: 3 }),
})

describe('generated paths', () => {
  it("equal the result of following each person's steps", async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(cases, async ({ events, filters }) => {
        projectId++
        await stores.add(events, projectId)

        for (const pathsFilter of filters) {
          const query = { kind: 'PathsQuery', pathsFilter, dateRange: RANGE } as const
          const context = contextOf()
          const links = await stores.run(compilePathsQuery(query, context), projectId)

          const persons = withPersons(events)
          expect(links).toEqual(expectPaths(pathsFilter, persons))
          const cells = [
            ...links.map((link) => {
              const keys = { pathStartKey: link.source, pathEndKey: link.target }
              return choose(pathsFilter, keys, link.value)
            }),
            ...cellsOfSteps(pathsFilter, expectPaths({ ...pathsFilter, ...EVERY_LINK }, persons)),
          ]
          await expectActors(stores, projectId, { query, context, cells })
        }
      }),
      numRuns(100, 10),
    )
  }, 600_000)
})

const RANGE = { date_from: '2026-03-10', date_to: '2026-03-10' }

const EVERY_LINK = { edgeLimit: 1000, minEdgeWeight: null, maxEdgeWeight: null }

const choose = (filter: PathsFilter, keys: PathsFilter, number: number): Cell => {
  const query = { kind: 'PathsQuery', pathsFilter: { ...filter, ...keys }, dateRange: RANGE }
  return { query, point: {}, number, counts: 'events' }
}

/** Lists, for each step, the persons who continued and those who did not. */
function cellsOfSteps(filter: PathsFilter, links: readonly PathLink[]): Cell[] {
  return [...new Set(links.map(({ target }) => target))].flatMap((key) => {
    const sumOf = (side: 'source' | 'target') =>
      links.reduce((sum, link) => sum + (link[side] === key ? link.value : 0), 0)
    return [
      choose(filter, { pathEndKey: key }, sumOf('target')),
      choose(filter, { pathStartKey: key }, sumOf('source')),
      choose(filter, { pathDropoffKey: key }, sumOf('target') - sumOf('source')),
    ]
  })
}
