import { describe, expect, it } from 'vitest'
import { QUERY_KINDS, type QueryKindName, type QueryNode } from '#model/query-kinds/index.ts'
import { newNode, toKind, toNode } from './query-model.ts'

const TREND: QueryNode = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [
      { kind: 'EventsNode', event: 'signed_up', name: 'signed_up', math: 'dau' },
      { kind: 'EventsNode', event: 'purchased', name: 'purchased', math: 'total' },
    ],
    dateRange: { date_from: '-90d' },
    properties: [{ key: 'plan', value: ['pro'], operator: 'exact', type: 'event' }],
    filterTestAccounts: true,
  },
}

describe('query in the editor', () => {
  it.each(QUERY_KINDS)('has a default of kind $kind that can be read back', ({ kind }) => {
    const node = newNode(kind)

    expect(toNode(node)).toBe(node)
    expect(node.source.kind).toBe(kind)
  })

  it('is wrapped if it has no display node', () => {
    expect(toNode(TREND.source)).toEqual(TREND)
    expect(toNode({ kind: 'HogQLQuery', query: 'select 1' })).toMatchObject({
      kind: 'DataVisualizationNode',
      source: { query: 'select 1' },
    })
  })

  it('is found inside nested nodes, whose settings are kept', () => {
    const inner = { kind: 'DataVisualizationNode', display: 'ActionsBar', chartSettings: { x: 1 } }
    const query = {
      kind: 'DataTableNode',
      source: { ...inner, source: newNode('HogQLQuery').source },
    }

    expect(toNode(query)).toMatchObject(inner)
  })

  it.each([{}, { kind: 'WebVitalsQuery' }, { kind: 'InsightVizNode', source: { kind: 'x' } }])(
    'cannot be edited when it is %j',
    (query) => {
      expect(toNode(query)).toBeUndefined()
    },
  )

  it.each<QueryKindName>(['FunnelsQuery', 'StickinessQuery', 'LifecycleQuery', 'PathsQuery'])(
    'takes dates and filters along to the kind %s',
    (kind) => {
      expect(toKind(TREND, kind).source).toMatchObject({
        kind,
        dateRange: { date_from: '-90d' },
        properties: [{ key: 'plan' }],
        filterTestAccounts: true,
      })
    },
  )

  it('keeps as many events as the other kind has room for', () => {
    expect(toKind(TREND, 'FunnelsQuery').source).toMatchObject({
      series: [{ event: 'signed_up' }, { event: 'purchased' }],
    })
    expect(toKind(TREND, 'LifecycleQuery').source).toHaveProperty('series.length', 1)
    expect(toKind(TREND, 'RetentionQuery').source).toMatchObject({
      retentionFilter: { targetEntity: { id: 'signed_up' }, returningEntity: { id: 'purchased' } },
    })
    const one = { ...TREND, source: { ...TREND.source, series: [{ event: 'a' }] } } as QueryNode
    expect(toKind(one, 'FunnelsQuery').source).toHaveProperty('series.length', 2)
  })
})
