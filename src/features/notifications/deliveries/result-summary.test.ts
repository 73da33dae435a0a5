import { describe, expect, it } from 'vitest'
import { funnelSteps, trend } from '../../../../test/support/data/results.ts'
import { summarizeResult } from './result-summary.ts'

describe('result summary', () => {
  it.each([
    [
      'a trend',
      [trend('a', [1, 2, 3])],
      [['a', '6 total, 3 in the last interval, 2 in the one before']],
    ],
    ['a single value', [trend('a', [], { aggregated_value: 7 })], [['a', '7']]],
    [
      'a funnel',
      funnelSteps().slice(0, 2),
      [
        ['Page view', '12840 (100%)'],
        ['sign_up', '6210 (48.4%)'],
      ],
    ],
    [
      'a funnel with a breakdown',
      [
        funnelSteps()
          .slice(0, 1)
          .map((step) => ({ ...step, breakdown_value: 'Chrome' })),
      ],
      [['Chrome: Page view', '12840 (100%)']],
    ],
    [
      'a retention cohort',
      [{ date: '', label: 'Day 0', values: [{ count: 5 }, { count: 3 }] }],
      [['Day 0', '5, 3']],
    ],
    ['a path', [{ source: '1_/', target: '2_$identify', value: 9 }], [['/ → Identify', '9']]],
    [
      'a lifecycle',
      [{ ...trend('$pageview', [1, 2]), label: '$pageview - new', status: 'new' }],
      [['Page view - new', '3 total, 2 in the last interval, 1 in the one before']],
    ],
    [
      'a breakdown',
      [trend('$pageview', [4], { label: '$direct', breakdown_value: '$direct' })],
      [['Direct', '4']],
    ],
    ['one cell', [[12]], [['Value', '12']]],
    [
      'table rows',
      [
        ['a', 1, null],
        ['b', { c: 2 }, true],
      ],
      [
        ['a', '1, '],
        ['b', '{"c":2}, true'],
      ],
    ],
    ['an empty result', [], [['Result', 'no data']]],
    ['an empty row', [[]], [['Result', 'no data']]],
    ['no result', null, [['Result', 'no data']]],
    ['unknown shapes', [5, 'x', null, {}], [['Result', 'no data']]],
  ])('shows %s', (_, results, rows) => {
    expect(summarizeResult(results)).toEqual(rows)
  })

  it('limits the number of rows', () => {
    expect(summarizeResult(Array.from({ length: 500 }, (_, row) => [row, row]))).toHaveLength(20)
  })
})
