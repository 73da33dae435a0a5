import { describe, expect, it } from 'vitest'
import { trend } from '../../test/support/data/results.ts'
import { OTHER } from './format.ts'
import { nameSeries, toPathLabel, toStepName } from './series-names.ts'

type Fields = Parameters<typeof trend>[2]

const action = (name: string, order = 0, custom_name: string | null = null) =>
  ({ id: name, name, custom_name, order, math: 'total', type: 'events' }) as const

const namesOf = (...all: readonly [string, Fields?][]) =>
  nameSeries(all.map(([label, fields]) => trend(label, [1], fields))).map(({ name }) => name)

describe('names of series', () => {
  it('show known events in words, unless the user named them', () => {
    expect(
      namesOf(
        ['$pageview', { action: action('$pageview') }],
        ['Hits', { action: action('$pageview', 1, 'Hits') }],
        ['signed up', { action: action('signed up', 2) }],
      ),
    ).toEqual(['Page view', 'Hits', 'signed up'])
  })

  it('tell a known event from one that the user calls the same', () => {
    expect(
      namesOf(
        ['$pageview', { action: action('$pageview') }],
        ['Page view', { action: action('Page view', 1) }],
      ),
    ).toEqual(['Page view', 'Page view (custom)'])
  })

  it('leave formulas as they are written', () => {
    expect(namesOf(['$pageview', { action: null }])).toEqual(['$pageview'])
  })

  it('show known values in words', () => {
    const by = (breakdown_value: string): [string, Fields] => [
      breakdown_value,
      { breakdown_value, action: action('$pageview') },
    ]

    expect(namesOf(by('$direct'), by('a.com'), by(OTHER))).toEqual(['Direct', 'a.com', 'Other'])
    expect(namesOf(by('$direct'), by('Direct'))).toEqual(['$direct', 'Direct'])
  })
})

it('names the steps of funnels and the items of paths in words', () => {
  const step = { ...action('$identify'), action_id: '$identify', count: 1 }

  expect(toStepName({ ...step, order: 1 } as unknown as Parameters<typeof toStepName>[0])).toBe(
    '2. Identify',
  )
  expect(toPathLabel('2_$identify')).toBe('Identify')
  expect(toPathLabel('2_/home')).toBe('/home')
})
