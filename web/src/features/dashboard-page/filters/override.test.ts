import { describe, expect, it } from 'vitest'
import { toDashboardSearch } from '../../dashboard-list/search.ts'
import { isOverridden, listVariables, toDefaults, toOverride } from './override.ts'

const PLAN = { key: 'plan', operator: 'exact', value: 'pro', type: 'person' } as const

describe('filters in the URL of a dashboard', () => {
  it('are sent to the API', () => {
    const search = toDashboardSearch({ date_from: '-7d', properties: [PLAN], variables: { n: 3 } })

    const { filters_override = '', variables_override = '' } = toOverride(search)

    expect(JSON.parse(filters_override)).toEqual({ date_from: '-7d', properties: [PLAN] })
    expect(JSON.parse(variables_override)).toEqual({ n: { code_name: 'n', value: 3 } })
  })

  it.each([
    {},
    { kiosk: '', refresh: '60' },
    { properties: 'x', variables: [1] },
    { properties: [null, 3, { key: 4 }], date_from: 7 },
  ])('are ignored if they are %j', (typed) => {
    expect(isOverridden(toDashboardSearch(typed))).toBe(false)
  })

  it('become the saved filters, beside those saved before', () => {
    const saved = {
      filters: {
        date_from: '-30d',
        interval: 'day',
        properties: [{ key: 'a', operator: 'is_set' }],
      },
      variables: { '01-ab': { code_name: 'n', value: 1 } },
    }

    const defaults = toDefaults(saved, {
      date_from: '-7d',
      properties: [PLAN],
      variables: { n: '2' },
    })

    expect(defaults).toEqual({
      filters: {
        date_from: '-7d',
        date_to: null,
        interval: 'day',
        properties: [{ key: 'a', operator: 'is_set' }, PLAN],
      },
      variables: { '01-ab': { code_name: 'n', value: 2 } },
    })
  })

  it('keep groups and types that an API client saved', () => {
    const any = { type: 'OR', values: [{ key: 'a', operator: 'is_set' }] }
    const all = { type: 'AND', values: [any] }
    const add = (properties: unknown) =>
      toDefaults({ filters: { properties }, variables: {} }, { properties: [PLAN] }).filters

    expect(add(any)).toEqual({ properties: { type: 'AND', values: [any, PLAN] } })
    expect(add(all)).toEqual({ properties: { type: 'AND', values: [any, PLAN] } })
    expect(add([{ key: 'id', type: 'cohort', value: 3, operator: 'in' }])).toMatchObject({
      properties: [{ key: 'id', type: 'cohort', value: 3 }, PLAN],
    })
  })

  it('lists the variables that the tiles use', () => {
    const query = { source: { query: 'select {variables.plan} from events' } }
    const tiles = [{ insight: { query } }] as never
    const variables = { x: { code_name: 'region', value: 'EU' } }

    const listed = listVariables({ tiles, variables }, { variables: { plan: 'pro' } })

    expect(listed).toEqual([
      { name: 'plan', value: 'pro' },
      { name: 'region', value: 'EU' },
    ])
  })
})
