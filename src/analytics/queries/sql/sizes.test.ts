import { describe, expect, it } from 'vitest'
import { compiler } from '#server/analytics/duckdb/compile-statement.ts'
import { toEventTable as toDuckDbTable } from '#server/analytics/duckdb/event-table.ts'
import { toEventTable as toPostgresTable } from '#server/analytics/postgres/event-table.ts'
import { BOMBS } from '../../../../test/support/data/sql-bombs.ts'
import { numbered, startBoth } from '../../../../test/support/data/user-sql.ts'
import { compileSql } from './compile.ts'

const REQUIRED = { properties: [] }
const duckDbTable = () => toDuckDbTable(1, 0, [], REQUIRED)
const postgresTable = () => toPostgresTable(1, 'und-x-icu', new Map(), REQUIRED)

const readOutcome = (text: string): Promise<string> =>
  compileSql(text, { zone: 'UTC' }).then(
    () => 'accepted',
    ({ statusCode, message }) => `${statusCode} ${message}`,
  )

const list = (count: number, toItem: (n: number) => string, between = ', ') =>
  Array.from({ length: count }, (_, n) => toItem(n)).join(between)

/** Names `count` queries, each of which reads the one before it. */
const chain = (count: number, toQuery: (before: string) => string) =>
  `with a0 as (select event as x, 1 as n from events), ${list(count, (n) => `a${n + 1} as (${toQuery(`a${n}`)})`)}
    select count() from a${count}`

describe('the size of SQL', () => {
  it.each([
    ['doubled by cross joins', 25, 'too complex'],
    ['doubled by joins', 25, 'too complex'],
    ['doubled by UNION ALL', 25, 'too complex'],
    ['doubled by values', 25, 'too complex'],
    ['doubled by IN', 25, 'too complex'],
    ['doubled inside subqueries', 25, 'too complex'],
    ['doubled expressions through layers', 20, 'too complex'],
    ['converted through layers', 8, 'too complex'],
    ['nested groups', 20, 'too complex'],
    ['nested conversions', 5, 'too complex'],
    ['values correlated with the outermost', 20, 'too complex'],
    ['events joined in a chain', 20, 'More than 20 tables are joined'],
    ['events cross joined', 21, 'More than 20 tables are joined'],
    ['subqueries joined', 20, 'More than 20 tables are joined'],
    ['many distinct counts', 51, 'counts distinct values at most 50 times'],
    ['many regular expressions', 400, 'searches too many long texts'],
    ['many LIKE', 400, 'searches too many long texts'],
    ['concatenations of concatenations', 20, 'joins too many long texts'],
    ['a long LIKE', 1001, 'The pattern of LIKE has at most 1,000 characters'],
    ['a large class of letters', 1001, 'A regular expression has at most 1,000 characters'],
  ])('is refused for a statement with %s', async (name, size, reason) => {
    const text = BOMBS[name]?.(size) ?? ''

    expect(text.length).toBeLessThan(20_000)
    expect(await readOutcome(text)).toMatch(new RegExp(`^400 .*${reason}`))
  })

  it.each([
    [
      'a name that is used four times',
      `with a as (select * from events where event = 'x')
      select count() from a join a b using (uuid) join a c using (uuid) join a d using (uuid)`,
    ],
    [
      '20 names in a chain',
      chain(20, (before) => `select x, n + 1 as n from ${before} where n > 0`),
    ],
    [
      '20 names that group in a chain',
      chain(20, (before) => `select x, sum(n) as n from ${before} group by x`),
    ],
    [
      'three names that each join the one before four times',
      chain(
        3,
        (before) =>
          `select distinct a.x, 1 as n from ${before} a join ${before} b using (x) join ${before} c using (x) join ${before} d using (x)`,
      ),
    ],
    [
      'ten joins',
      `select count() from events t0 ${list(9, (n) => `join events t${n + 1} on t${n + 1}.uuid = t0.uuid`, ' ')}`,
    ],
    [
      '100 columns and 100 conditions',
      `select ${list(100, (n) => `properties.p${n} as p${n}`)} from events
      where ${list(100, (n) => `properties.p${n} like '%a_b%'`, ' or ')}`,
    ],
    [
      'a list of 1,000 values',
      `select count() from events where event in (${list(1000, (n) => `'e${n}'`)})`,
    ],
    [
      'a choice among 100 patterns',
      `select multiIf(${list(49, (n) => `properties.url like '%/${n}/%', 'page ${n}'`)}, 'other'), count() from events group by 1`,
    ],
  ])('allows %s', async (_, text) => {
    for (const store of await startBoth()) {
      expect((await store.run(text)).columns.length).toBeGreaterThan(0)
    }
  })

  it.each([
    [
      'copies a name that is used once',
      'with a as (select event from events) select * from a',
      false,
    ],
    [
      'computes a name that is used twice once',
      'with a as (select event from events) select * from a union all select * from a',
      true,
    ],
    [
      'plans a name alone if planning it takes long',
      chain(12, (before) => `select x, sum(n) as n from ${before} group by x`),
      true,
    ],
  ])('%s', async (_, text, isMaterialized) => {
    const { statements } = await compileSql(text, { zone: 'UTC' })
    for (const toTable of [duckDbTable, postgresTable]) {
      const { sql } = statements[0]?.(toTable()).compile(compiler) ?? {}
      expect(sql?.includes('as materialized (')).toBe(isMaterialized)
    }
  })

  it('does not make LIKE slow for a text that almost matches in many ways', async () => {
    const stores = await startBoth(numbered([{ properties: { text: 'a'.repeat(1000) } }]))

    for (const store of stores) {
      const { results } = await store.run(
        `select properties.text like '${'%a'.repeat(30)}b', properties.text like '${'%_a'.repeat(30)}b',
          properties.text ilike '${'%A'.repeat(30)}\\_' from events`,
      )
      expect(results).toEqual([[false, false, false]])
    }
  })
})
