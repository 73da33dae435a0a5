import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WebBreakdown } from '#model/web-breakdowns.ts'
import { visitEvents } from '../../../../test/reference/generate-visits.ts'
import { divideSessions, type ReferenceSession } from '../../../../test/reference/sessions.ts'
import { expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileWebGoalsQuery } from '../web-goals/compile.ts'
import { compileWebOverviewQuery } from '../web-overview/compile.ts'
import { compileWebStatsTableQuery } from '../web-stats-table/compile.ts'

const DAY_MS = 86_400_000

type Range = readonly [number, number]

const isView = ({ event }: { readonly event: string }) =>
  event === '$pageview' || event === '$screen'

/** Sessions of two people have the person of either, so each person has sessions of its own here. */
const withOwnSessions = (events: readonly TestEvent[]): TestEvent[] =>
  events.map((event) => {
    const { $session_id: id, ...rest } = event.properties ?? {}
    return { ...event, properties: id ? { ...rest, $session_id: `${id}${event.person}` } : rest }
  })

/** Finds the sessions that began in a range and have a page view, the slow way. */
function listVisits(events: readonly TestEvent[], [from, to]: Range): ReferenceSession[] {
  const near = events.filter(({ at }) => {
    const ms = Date.parse(at)
    return ms >= from - DAY_MS && ms < to + DAY_MS
  })
  return divideSessions(near).filter(({ session, visits }) => {
    const start = Date.parse(String(session.$start_timestamp))
    return start >= from && start < to && visits.some(isView)
  })
}

const countVisitors = (visits: readonly ReferenceSession[]) =>
  new Set(visits.flatMap((each) => each.visits.map(({ person }) => person))).size

const countViews = (visits: readonly ReferenceSession[]) =>
  visits.flatMap((each) => each.visits).filter(isView).length

const average = (numbers: readonly number[]) =>
  numbers.length === 0
    ? null
    : Number((numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toPrecision(12))

function expectValues(visits: readonly ReferenceSession[]) {
  return {
    visitors: countVisitors(visits),
    views: countViews(visits),
    sessions: visits.length,
    'session duration': average(visits.map(({ session }) => Number(session.$session_duration))),
    'bounce rate': average(visits.map(({ session }) => (session.$is_bounce ? 100 : 0))),
  }
}

const COLUMNS = {
  InitialPage: '$entry_pathname',
  ExitPage: '$end_pathname',
  InitialReferringDomain: '$entry_referring_domain',
  InitialUTMSource: '$entry_utm_source',
  Country: '$geoip_country_code',
} as const satisfies Partial<Record<WebBreakdown, string>>

/** Counts visitors and views by the value of a column. */
function expectTable(visits: readonly ReferenceSession[], column: string) {
  const byValue = Map.groupBy(visits, ({ session }) => session[column] || null)
  return [...byValue].map(([value, of]) => [value, countVisitors(of), countViews(of)])
}

const cases = fc.record({
  events: visitEvents.map(withOwnSessions),
  breakdownBy: fc.constantFrom(...(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])),
  days: fc.constantFrom<readonly [string, string]>(
    ['2026-03-01', '2026-03-01'],
    ['2026-03-02', '2026-03-03'],
    ['2026-02-01', '2026-04-01'],
  ),
})

it('web analytics of generated visits equal those of a naive division', async () => {
  const stores = await startStores()
  let projectId = 1

  await fc.assert(
    fc.asyncProperty(cases, async ({ events, breakdownBy, days: [date_from, date_to] }) => {
      projectId++
      await stores.add(events, projectId)
      const now: Range = [Date.parse(date_from), Date.parse(date_to) + DAY_MS]
      const before: Range = [2 * now[0] - now[1], now[0]]
      const [visits, earlier] = [listVisits(events, now), listVisits(events, before)]
      const query = { dateRange: { date_from, date_to }, compareFilter: { compare: true } }
      const tableQuery = { kind: 'WebStatsTableQuery' as const, ...query, breakdownBy, limit: 100 }
      const goalsQuery = { kind: 'WebGoalsQuery' as const, ...query, goals: [{ event: 'paid' }] }

      const figures = await stores.run(
        compileWebOverviewQuery({ kind: 'WebOverviewQuery', ...query }, contextOf()),
        projectId,
      )
      await expectActors(stores, projectId, {
        query: { kind: 'WebOverviewQuery', ...query },
        context: contextOf(),
        cells: (['current', 'previous'] as const).map((compare, at) => ({
          point: { compare },
          number: countVisitors([visits, earlier][at] ?? []),
          counts: 'persons',
        })),
      })
      const valuesOf = (key: 'value' | 'previous') =>
        Object.fromEntries(figures.map((figure) => [figure.key, figure[key]]))
      expect(valuesOf('value')).toEqual(expectValues(visits))
      expect(valuesOf('previous')).toEqual(expectValues(earlier))

      const table = await stores.run(compileWebStatsTableQuery(tableQuery, contextOf()), projectId)
      const rows = table.results as readonly (readonly [
        unknown,
        [number, number],
        [number, number],
      ])[]
      const rowsOf = (period: 0 | 1) =>
        new Set(
          rows.map(([value, ...pairs]) =>
            JSON.stringify([value, ...pairs.map((pair) => pair[period])]),
          ),
        )
      const expected = expectTable(visits, COLUMNS[breakdownBy])
      expect(rowsOf(0)).toEqual(new Set(expected.map((row) => JSON.stringify(row))))
      await expectActors(stores, projectId, {
        query: tableQuery,
        context: contextOf(),
        cells: expected.map(([value, number]) => ({
          point: { breakdown: String(value ?? '') },
          number: Number(number),
          counts: 'persons',
        })),
      })
      const values = new Set(expected.map(([value]) => value))
      const previous = expectTable(earlier, COLUMNS[breakdownBy]).filter(([value]) =>
        values.has(value),
      )
      for (const row of previous) expect(rowsOf(1)).toContain(JSON.stringify(row))

      const goals = await stores.run(compileWebGoalsQuery(goalsQuery, contextOf()), projectId)
      const visitors = new Set(visits.flatMap((each) => each.visits.map(({ person }) => person)))
      const paid = events.filter(
        ({ event, person = '', at }) =>
          event === 'paid' &&
          visitors.has(person) &&
          Date.parse(at) >= now[0] &&
          Date.parse(at) < now[1],
      )
      const people = new Set(paid.map(({ person }) => person)).size
      await expectActors(stores, projectId, {
        query: goalsQuery,
        context: contextOf(),
        cells: [{ point: { series: 0 }, number: people, counts: 'persons' }],
      })
      const [row] = goals.results as readonly (readonly [
        string,
        [number],
        [number],
        [number | null],
      ])[]
      expect(row?.map((cell) => (typeof cell === 'string' ? cell : cell[0]))).toEqual([
        'paid',
        people,
        paid.length,
        visitors.size === 0 ? null : Number((people / visitors.size).toPrecision(12)),
      ])
    }),
    numRuns(90, 8),
  )
}, 600_000)
