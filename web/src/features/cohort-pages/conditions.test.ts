import { describe, expect, it } from 'vitest'
import type { CohortGroup } from '#model/cohort-filters.schema.ts'
import { fromConditions, toConditions, withKind } from './conditions.ts'
import { describeCohort } from './sentence.ts'

const paid = (more: object = {}) => ({
  type: 'behavioral',
  key: 'paid',
  value: 'performed_event',
  time_value: 30,
  time_interval: 'day',
  ...more,
})

const plan = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const large = { event_filters: [{ key: 'amount', operator: 'gt', value: 5, type: 'event' }] }
const quarter = { time_value: 90 }
const ofAction = { key: 7, event_type: 'actions' }
const times = (operator: string, operator_value: number) => ({
  value: 'performed_event_multiple',
  operator,
  operator_value,
})

const all = (...values: object[]) => ({ properties: { type: 'AND', values } })
const any = (...values: object[]) => ({ properties: { type: 'OR', values } })
const inner = (...values: object[]) => all(...values).properties

const EDITABLE: readonly [sentence: string, filters: object][] = [
  ['whose plan is pro', all(plan)],
  ['who did “paid” in the last 30 days', all(paid())],
  ['who did “paid” at least 3 times in the last 30 days', all(paid(times('gte', 3)))],
  ['who did “paid” (where amount > 5) in the last 30 days', all(paid(large))],
  [
    'who did not do “paid” in the last week',
    all(paid({ time_value: 1, time_interval: 'week', negation: true })),
  ],
  [
    'who stopped doing “paid” (where amount > 5) (done in the last 90 days, not in the last 30 days)',
    all(inner(paid({ ...quarter, ...large }), paid({ ...large, negation: true }))),
  ],
  [
    'who did “Action 7” at least 3 times in the last 30 days',
    all(paid({ ...ofAction, ...times('gte', 3) })),
  ],
  [
    'who stopped doing “Action 7” (done in the last 90 days, not in the last 30 days)',
    all(inner(paid({ ...ofAction, ...quarter }), paid({ ...ofAction, negation: true }))),
  ],
  [
    'in cohort “Staff” or not in cohort “Staff”',
    any(
      { type: 'cohort', key: 'id', value: 9 },
      { type: 'cohort', key: 'id', value: 9, negation: true },
    ),
  ],
  [
    'whose plan is pro or who did “paid” exactly 1 time in the last 30 days',
    any(plan, paid(times('eq', 1))),
  ],
]

const OTHERS: readonly [sentence: string, filters: object][] = [
  ['who did “paid” since 2026-01-31', all(paid({ explicit_datetime: '2026-01-31' }))],
  [
    'who did not do “paid” at least 3 times in the last 30 days',
    all(paid({ ...times('gte', 3), negation: true })),
  ],
  ['except those whose plan is pro', all({ ...plan, negation: true })],
  [
    '(whose plan is pro or who did “paid” in the last 30 days) and whose plan is pro',
    all(any(plan, paid()).properties, plan),
  ],
]

const words = (filters: object) =>
  describeCohort(filters, (id, type) => (type === 'cohort' ? 'Staff' : `Action ${id}`))

describe('the conditions of a cohort', () => {
  it.each(EDITABLE)('read “%s” and are written as they were', (sentence, filters) => {
    const conditions = toConditions(filters)

    expect(words(filters)).toBe(`Persons ${sentence}.`)
    expect(conditions && fromConditions(conditions)).toEqual(filters)
  })

  it.each(OTHERS)('read “%s” but are not edited in the form', (sentence, filters) => {
    expect(words(filters)).toBe(`Persons ${sentence}.`)
    expect(toConditions(filters)).toBeUndefined()
  })

  it('are found in the group inside a group that PostHog writes', () => {
    const wrapped = {
      properties: { type: 'OR', values: [inner(plan, paid())] as CohortGroup['values'] },
    }

    expect(toConditions(wrapped)).toMatchObject({
      match: 'AND',
      all: [{ kind: 'person' }, { kind: 'did' }],
    })
  })

  it('keep event and period when their kind changes', () => {
    const [did] = toConditions(all(paid(large)))?.all ?? []

    expect(did && withKind(did, 'stopped')).toMatchObject({
      key: 'paid',
      filters: large.event_filters,
      period: { time_value: 30 },
    })
  })
})
