import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Properties } from '#model/query-kinds/common.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../test/support/data/queries.ts'
import { toRequired } from './columns.ts'
import { columnsIn, matches } from './filters.ts'
import type { Plan } from './plan.ts'

const at = '2026-03-18T10:00:00Z'
const EVENTS: readonly TestEvent[] = [
  { person: 'none', at },
  { person: 'pro', at, properties: { plan: 'Pro 100%', seats: 12, since: '2026-03-01T10:00:00Z' } },
  { person: 'free', at, properties: { plan: 'free', seats: 1, trial: true, since: '2025-12-31' } },
  { person: 'null', at, properties: { plan: null, seats: '3.5', $os: 'x' } },
  { person: 'odd', at, properties: { plan: "it's_%", seats: 'many', 'a/b~c': 'deep' } },
]

const planOf = (properties: Properties): Plan<string[]> => ({
  ...toRequired(columnsIn(properties)),
  statements: [
    (table) =>
      sql`select distinct_id from ${table.rows} e where ${matches(table, properties, contextOf(), 'query__properties')} order by 1`,
  ],
  toResult: async ([rows]) => rows?.map((row) => row.distinct_id as string) ?? [],
})

async function start() {
  const stores = await startStores()
  await stores.add(EVENTS)
  await stores.add([{ person: 'foreign', at, properties: { plan: 'free' } }], 2)
  return (properties: Properties) => stores.run(planOf(properties))
}

describe('property filters', () => {
  it('ignore case in every alphabet', async () => {
    const stores = await startStores()
    const names = [
      'ÄRGER',
      'ärger',
      'Σίσυφος',
      'ΣΊΣΥΦΟΣ',
      'ЖУК',
      'İstanbul',
      'Straße',
      'Ǆ',
      'Arger',
    ]
    await stores.add(names.map((name) => ({ person: name, at, properties: { name } })))
    const persons = (value: string) =>
      stores.run(planOf([{ key: 'name', operator: 'icontains', value }] as Properties))

    expect(await persons('ärGER')).toEqual(['ÄRGER', 'ärger'])
    expect(await persons('ΊΣΥ')).toEqual(['ΣΊΣΥΦΟΣ', 'Σίσυφος'])
    expect(await persons('жук')).toEqual(['ЖУК'])
    expect(await persons('STRASSE')).toEqual([])
    expect(await persons('ǆ')).toEqual(['Ǆ'])
  })

  it('support every operator', async () => {
    const persons = await start()
    const one = (operator: string, key: string, value?: unknown) =>
      persons([{ key, operator, value }] as Properties)

    expect(await one('exact', 'plan', 'free')).toEqual(['free'])
    expect(await one('exact', 'plan', ['free', "it's_%"])).toEqual(['free', 'odd'])
    expect(await one('exact', 'seats', 12)).toEqual(['pro'])
    expect(await one('exact', 'trial', true)).toEqual(['free'])
    expect(await one('is_not', 'plan', 'free')).toEqual(['none', 'null', 'odd', 'pro'])
    expect(await one('icontains', 'plan', 'PRO')).toEqual(['pro'])
    expect(await one('icontains', 'plan', '%')).toEqual(['odd', 'pro'])
    expect(await one('not_icontains', 'plan', 'r')).toEqual(['none', 'null', 'odd'])
    expect(await one('regex', 'plan', '^f.*e$')).toEqual(['free'])
    expect(await one('regex', 'plan', '[0-9]+')).toEqual(['pro'])
    expect(await one('not_regex', 'plan', 'e')).toEqual(['none', 'null', 'odd', 'pro'])
    expect(await one('gt', 'seats', 1)).toEqual(['null', 'pro'])
    expect(await one('gte', 'seats', '3.5')).toEqual(['null', 'pro'])
    expect(await one('lt', 'seats', 2)).toEqual(['free'])
    expect(await one('lte', 'seats', 12)).toEqual(['free', 'null', 'pro'])
    expect(await one('between', 'seats', [1, 4])).toEqual(['free', 'null'])
    expect(await one('not_between', 'seats', [1, 4])).toEqual(['none', 'odd', 'pro'])
    expect(await one('is_set', 'plan')).toEqual(['free', 'odd', 'pro'])
    expect(await one('is_not_set', 'plan')).toEqual(['none', 'null'])
    expect(await one('is_date_before', 'since', '2026-01-01')).toEqual(['free'])
    expect(await one('is_date_after', 'since', '-1mStart')).toEqual(['pro'])
    expect(await one('is_date_exact', 'since', '2026-03-01')).toEqual(['pro'])
    expect(await one('is_set', '$os')).toEqual(['null'])
    expect(await one('exact', 'a/b~c', 'deep')).toEqual(['odd'])
  })

  it.each([2 ** 63, 1e25, 1e308, 5e-324])('compare with %d', async (size) => {
    const persons = await start()
    const seats = (operator: 'gt' | 'between', value: number | number[]) =>
      persons([{ key: 'seats', operator, value }])

    expect(await seats('gt', -size)).toHaveLength(3)
    expect(await seats('between', [-size, 1e308])).toHaveLength(3)
  })

  it('combine with AND, OR and nested groups', async () => {
    const persons = await start()
    const free = { key: 'plan', value: 'free' }
    const many = { key: 'seats', operator: 'gt', value: 2 } as const
    const os = { key: '$os', operator: 'is_set' } as const

    expect(await persons([many, os])).toEqual(['null'])
    expect(await persons({ type: 'OR', values: [free, many] })).toEqual(['free', 'null', 'pro'])
    const nested: Properties = {
      type: 'OR',
      values: [free, { type: 'AND', values: [many, os] }],
    }
    expect(await persons(nested)).toEqual(['free', 'null'])
    expect(await persons([])).toHaveLength(5)
    expect(await persons({ type: 'OR', values: [] })).toHaveLength(5)
  })

  it('match columns of an event besides its properties', async () => {
    const persons = await start()

    expect(
      await persons([{ key: 'distinct_id', type: 'event_metadata', value: ['pro', 'foreign'] }]),
    ).toEqual(['pro'])
  })

  it.each([
    [{ key: 'plan', operator: 'exact' }, 'query__properties__0__value'],
    [{ key: 'plan', operator: 'gt', value: 'many' }, 'query__properties__0__value'],
    [{ key: 'plan', operator: 'between', value: [1] }, 'query__properties__0__value'],
    [{ key: 'plan', operator: 'regex', value: '(' }, 'query__properties__0__value'],
    [{ key: 'plan', operator: 'is_date_after', value: 'soon' }, 'query__properties__0__value'],
  ] as const)('refuse %j', async (filter, attr) => {
    const persons = await start()

    await expect(persons([filter] as never)).rejects.toMatchObject({ statusCode: 400, attr })
  })
})
