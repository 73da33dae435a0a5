import { describe, expect, it } from 'vitest'
import { funnelSteps, trend } from '../../../../test/results.ts'
import { summarizeResult } from './result-summary.ts'

describe('the figures of a result', () => {
  it.each([
    [
      'a line',
      [trend('a', [1, 2, 3])],
      [['a', '6 in all, 3 in the last interval, 2 in the one before']],
    ],
    ['a number', [trend('a', [], { aggregated_value: 7 })], [['a', '7']]],
    [
      'steps',
      funnelSteps().slice(0, 2),
      [
        ['$pageview', '12840 (100 %)'],
        ['sign_up', '6210 (48.4 %)'],
      ],
    ],
    [
      'steps by value',
      [
        funnelSteps()
          .slice(0, 1)
          .map((step) => ({ ...step, breakdown_value: 'Chrome' })),
      ],
      [['Chrome: $pageview', '12840 (100 %)']],
    ],
    [
      'a cohort',
      [{ date: '', label: 'Day 0', values: [{ count: 5 }, { count: 3 }] }],
      [['Day 0', '5, 3']],
    ],
    ['a path', [{ source: '1_/', target: '2_/a', value: 9 }], [['1_/ → 2_/a', '9']]],
    ['one cell', [[12]], [['Value', '12']]],
    [
      'rows',
      [
        ['a', 1, null],
        ['b', { c: 2 }, true],
      ],
      [
        ['a', '1, '],
        ['b', '{"c":2}, true'],
      ],
    ],
    ['nothing', [], [['Result', 'nothing']]],
    ['an empty row', [[]], [['Result', 'nothing']]],
    ['null', null, [['Result', 'nothing']]],
    ['what nobody knows', [5, 'x', null, {}], [['Result', 'nothing']]],
  ])('of %s', (_, results, figures) => {
    expect(summarizeResult(results)).toEqual(figures)
  })

  it('are no more than a mail can hold', () => {
    expect(summarizeResult(Array.from({ length: 500 }, (_, row) => [row, row]))).toHaveLength(20)
  })
})
