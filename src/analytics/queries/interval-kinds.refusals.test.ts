import { describe, expect, it } from 'vitest'
import { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { contextOf, startStores } from '../../../test/support/data/queries.ts'
import { compileLifecycleQuery } from './lifecycle/compile.ts'
import { compileRetentionQuery } from './retention/compile.ts'
import { compileStickinessQuery } from './stickiness/compile.ts'

const KINDS = {
  RetentionQuery: { schema: RetentionQuery, plan: compileRetentionQuery },
  LifecycleQuery: { schema: LifecycleQuery, plan: compileLifecycleQuery },
  StickinessQuery: { schema: StickinessQuery, plan: compileStickinessQuery },
} as const

type Kind = keyof typeof KINDS

/** Reads the error of the schema, or else of the compiler. */
async function readRefusal(kind: Kind, more: object): Promise<unknown> {
  const query = { kind, ...(kind !== 'RetentionQuery' && { series: [{ event: 'a' }] }), ...more }
  const stores = await startStores()
  try {
    getSchemaCheck(KINDS[kind].schema)(query, 'query')
    await stores.run<unknown>(KINDS[kind].plan(query as never, contextOf()))
    return 'accepted'
  } catch (error) {
    return error
  }
}

const retention = (filter: object) => ['RetentionQuery', { retentionFilter: filter }] as const
const stickiness = (filter: object) => ['StickinessQuery', { stickinessFilter: filter }] as const
const wrong = [{ key: 'plan', operator: 'gt', value: 'many' }]

describe('validation', () => {
  it.each([
    [...retention({ period: 'Year' }), 'retentionFilter__period'],
    [...retention({ totalIntervals: 1 }), 'retentionFilter__totalIntervals'],
    [...retention({ totalIntervals: 101 }), 'retentionFilter__totalIntervals'],
    [...retention({ totalIntervals: 2.5 }), 'retentionFilter__totalIntervals'],
    [...retention({ retentionType: 'never' }), 'retentionFilter__retentionType'],
    [...retention({ cumulative: 'yes' }), 'retentionFilter__cumulative'],
    [...retention({ targetEntity: { id: true } }), 'retentionFilter__targetEntity__id'],
    [
      ...retention({ returningEntity: { id: 'a', type: 'groups' } }),
      'retentionFilter__returningEntity__type',
    ],
    [
      ...retention({ returningEntity: { id: 'a', properties: wrong } }),
      'retentionFilter__returningEntity__properties__0__value',
    ],
    ['RetentionQuery', { properties: wrong }, 'properties__0__value'],
    ['RetentionQuery', { dateRange: { date_to: 'soon' } }, 'dateRange__date_to'],
    ['RetentionQuery', { dateRange: { date_from: 'soon' } }, 'dateRange__date_from'],
    ['LifecycleQuery', { series: [] }, 'series'],
    ['LifecycleQuery', { series: [{ event: 'a' }, { event: 'b' }] }, 'series'],
    [
      'LifecycleQuery',
      { series: [{ event: 'a', properties: wrong }] },
      'series__0__properties__0__value',
    ],
    ['LifecycleQuery', { interval: 'year' }, 'interval'],
    ['LifecycleQuery', { dateRange: { date_from: 'soon' } }, 'dateRange__date_from'],
    ['LifecycleQuery', { interval: 'minute', dateRange: { date_from: '-1y' } }, 'dateRange'],
    [
      'LifecycleQuery',
      { lifecycleFilter: { toggledLifecycles: ['new', 'old'] } },
      'lifecycleFilter__toggledLifecycles__1',
    ],
    [...stickiness({ computedAs: 'sum' }), 'stickinessFilter__computedAs'],
    [...stickiness({ display: 'Pie' }), 'stickinessFilter__display'],
    [
      ...stickiness({ stickinessCriteria: { operator: 'gt', value: 1 } }),
      'stickinessFilter__stickinessCriteria__operator',
    ],
    [
      ...stickiness({ stickinessCriteria: { operator: 'gte', value: 0 } }),
      'stickinessFilter__stickinessCriteria__value',
    ],
    ['StickinessQuery', { series: Array(27).fill({ event: 'a' }) }, 'series'],
    ['StickinessQuery', { series: [{}, { properties: wrong }] }, 'series__1__properties__0__value'],
    ['StickinessQuery', { compareFilter: { compare: 1 } }, 'compareFilter__compare'],
  ] as const)('refuses %s %j with its path', async (kind, query, attr) => {
    expect(await readRefusal(kind, query)).toMatchObject({
      statusCode: 400,
      attr: `query__${attr}`,
    })
  })

  it.each([
    ['RetentionQuery', {}],
    ['RetentionQuery', { retentionFilter: null, dateRange: null, properties: null, other: 1 }],
    ['RetentionQuery', { dateRange: { date_to: '2000-01-01' } }],
    ['LifecycleQuery', { lifecycleFilter: { toggledLifecycles: null, showLegend: true } }],
    ['StickinessQuery', { series: Array(26).fill({ event: 'a' }), compareFilter: null }],
    ['StickinessQuery', { stickinessFilter: { stickinessCriteria: null, showValues: true } }],
  ] as const)('accepts %s %j', async (kind, query) => {
    expect(await readRefusal(kind, query)).toBe('accepted')
  })
})
