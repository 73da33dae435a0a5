import { describe, expect, it } from 'vitest'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import { contextOf, startStores } from '../../../../test/support/data/queries.ts'
import { compileHogQLQuery } from './compile.ts'

const NASTY = "') or 1 = 1 or ('' = '"

async function start() {
  const stores = await startStores()
  await stores.add([
    { event: 'old', at: '2026-03-01T10:00:00Z', properties: { plan: 'pro' } },
    { event: 'new', at: '2026-03-17T10:00:00Z', properties: { plan: 'free', n: 2 } },
    { event: 'newest', at: '2026-03-18T10:00:00Z', properties: { plan: NASTY } },
  ])
  return async (query: string, more: Partial<HogQLQuery> = {}) => {
    const plan = await compileHogQLQuery({ kind: 'HogQLQuery', query, ...more }, contextOf())
    const { results } = await stores.run<TableResult>(plan)
    return results
  }
}

const withVariables = (values: object): Partial<HogQLQuery> => ({
  variables: Object.fromEntries(
    Object.entries(values).map(([code_name, value]) => [code_name, { code_name, value }]),
  ),
})

describe('filters in SQL', () => {
  it('apply the dates, properties and test accounts of the query', async () => {
    const run = await start()
    const text = 'select event from events where {filters} order by timestamp'
    const names = async (filters: HogQLQuery['filters']) => (await run(text, { filters })).flat()

    expect(await names(undefined)).toEqual(['old', 'new', 'newest'])
    expect(await names({})).toEqual(['old', 'new', 'newest'])
    expect(await names({ dateRange: { date_from: '-1d' } })).toEqual(['new', 'newest'])
    expect(await names({ dateRange: { date_to: '2026-03-17' } })).toEqual(['old', 'new'])
    expect(await names({ dateRange: { date_from: '2026-03-02', date_to: '2026-03-17' } })).toEqual([
      'new',
    ])
    expect(await names({ properties: [{ key: 'plan', value: 'pro' }] })).toEqual(['old'])
  })

  it('can be used as dates only', async () => {
    const run = await start()
    const text =
      'select count() from events where timestamp >= {filters.dateRange.from} and timestamp <= { filters.dateRange.to }'
    const dateRange = { date_from: '2026-03-02', date_to: '2026-03-17' }

    expect(await run(text, { filters: { dateRange } })).toEqual([[1]])
    expect(await run(text, { filters: { dateRange: { date_from: '-17d' } } })).toEqual([[3]])
    await expect(run(text)).rejects.toMatchObject({
      message:
        '{filters.dateRange.from} has no value: neither the query nor the dashboard sets that date.',
    })
  })

  it('filter each of several tables in its own subquery', async () => {
    const run = await start()
    const filters = { dateRange: { date_from: '-1d' } }
    const inner = '(select event from events where {filters})'

    expect(await run(`select count() from ${inner} a cross join ${inner} b`, { filters })).toEqual([
      [4],
    ])
    await expect(
      run('select 1 from events a cross join events b where {filters}', { filters }),
    ).rejects.toMatchObject({ statusCode: 400 })
  })
})

describe('variables in SQL', () => {
  it.each<[string, object, unknown]>([
    ['select count() from events where properties.plan = {variables.x}', { x: 'pro' }, 1],
    ['select count() from events where properties.plan = {variables.x}', { x: NASTY }, 1],
    ['select count() from events where event in {variables.x}', { x: ['old', 'new'] }, 2],
    ['select count() from events where event in ({variables.x})', { x: ['old', 'new'] }, 2],
    ['select count() from events where event not in {variables.x}', { x: ['old'] }, 2],
    ['select count() from events where event in {variables.x}', { x: [] }, 0],
    ['select count() from events where timestamp >= {variables.x}', { x: '2026-03-17' }, 2],
    ['select count() from events where toInt(properties.n) = {variables.x}', { x: 2 }, 1],
    [
      'select count() from events where ({variables.x} or event = {variables.y})',
      { x: false, y: 'old' },
      1,
    ],
    ['select count() from events where {variables.x} is null', { x: null }, 3],
    ['select {variables.x} + 0.5 as sum', { x: 1.5 }, 2],
    ["select concat('{variables.x}', {variables.x})", { x: 'a' }, '{variables.x}a'],
    ["select count() /* /* */ '{variables.x}' */ from events", { x: "*/ , 'leak' --" }, 3],
    ["select $$ {variables.x} $$ || ''", { x: "$$ || 'leak' || $$" }, ' {variables.x} '],
  ])('are filled in: %s with %j', async (text, values, expected) => {
    const run = await start()

    expect(await run(text, withVariables(values))).toEqual([[expected]])
  })

  it('limit the rows', async () => {
    const run = await start()

    const text = 'select event from events order by event limit {variables.n}'
    expect(await run(text, withVariables({ n: 2 }))).toHaveLength(2)
  })

  it.each([
    ['select {variables.y}', 'There is no variable "y". Add it to the query\'s variables.'],
    [
      'select {something}',
      '{something} is not known. There are {filters}, {filters.dateRange.from}, {filters.dateRange.to} and {variables.<name>}.',
    ],
    [
      'select {variables.object}',
      'The value of {variables.object} must be a text, a number, true, false or a list.',
    ],
  ])('are refused with an explanation: %s', async (text, message) => {
    const run = await start()

    await expect(run(text, withVariables({ x: 1, object: {} }))).rejects.toMatchObject({
      statusCode: 400,
      attr: 'query__query',
      message,
    })
  })
})
