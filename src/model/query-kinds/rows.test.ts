import { describe, expect, it } from 'vitest'
import { funnelSteps, trend } from '../../../test/support/data/results.ts'
import { SHOWN, STORED } from '../names/row-names.ts'
import { toRows } from './index.ts'

const action = (name: string, order: number, custom_name: string | null = null) =>
  ({ id: name, name, custom_name, order, math: 'total', type: 'events' }) as const

const header = (query: object, result: unknown, names = SHOWN) => toRows(query, result, names)[0]

describe('tables of results', () => {
  const TRENDS = { kind: 'TrendsQuery' }

  it('name series in words on a page, and as stored in a file', () => {
    const all = [
      trend('$pageview', [1], { action: action('$pageview', 0) }),
      trend('Hits', [1], { action: action('$pageview', 1, 'Hits') }),
      trend('Formula (A)', [1], { action: null }),
    ]

    expect(header(TRENDS, all)).toEqual(['date', 'Page view', 'Hits', 'Formula (A)'])
    expect(header(TRENDS, all, STORED)).toEqual(['date', '$pageview', 'Hits', 'Formula (A)'])
  })

  it('name values of breakdowns once, after the event if there are several', () => {
    const by = (label: string, order: number) =>
      trend(label, [1], { action: action('$pageview', order), breakdown_value: '$direct' })

    expect(header(TRENDS, [by('$direct', 0)])).toEqual(['date', 'Direct'])
    expect(header(TRENDS, [by('$direct', 0)], STORED)).toEqual(['date', '$direct'])
    const several = [by('$pageview - $direct', 0)]
    expect(header(TRENDS, several)).toEqual(['date', 'Page view - Direct'])
    expect(header(TRENDS, several, STORED)).toEqual(['date', '$pageview - $direct'])
  })

  it('name steps of funnels and items of paths', () => {
    const FUNNEL = { kind: 'FunnelsQuery' }
    const step = { ...funnelSteps()[0], breakdown_value: '$direct' }
    const PATHS = { kind: 'PathsQuery' }
    const link = { source: '1_/', target: '2_$identify', value: 3, average_conversion_time: 0 }

    expect(toRows(FUNNEL, [[step]], SHOWN)[1]?.slice(0, 3)).toEqual(['Direct', 1, 'Page view'])
    expect(toRows(FUNNEL, [[step]], STORED)[1]?.slice(0, 3)).toEqual(['$direct', 1, '$pageview'])
    expect(toRows(PATHS, [link], SHOWN)[1]?.slice(1, 3)).toEqual(['/', 'Identify'])
    expect(toRows(PATHS, [link], STORED)[1]?.slice(1, 3)).toEqual(['/', '$identify'])
  })
})
