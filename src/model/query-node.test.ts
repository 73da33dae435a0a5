import { describe, expect, it } from 'vitest'
import { unwrapQuery } from './query-node.ts'

const QUERY = { kind: 'TrendsQuery', series: [{ event: 'secret' }], interval: 'week' }

describe('unwrapping a query', () => {
  it('finds the query inside nodes within nodes', () => {
    const inner = { kind: 'InsightVizNode', source: QUERY }
    const outer = { kind: 'DataTableNode', source: inner }

    expect(unwrapQuery(outer)).toEqual({ source: QUERY, wrappers: [outer, inner] })
  })

  it('does not unwrap a query that has a field called source', () => {
    const query = { ...QUERY, source: { kind: 'HogQLQuery' } }

    expect(unwrapQuery(query)).toEqual({ source: query, wrappers: [] })
  })

  it.each([[[]], ['text'], [null], [undefined]])('stops at a node whose source is %j', (source) => {
    const node = { kind: 'InsightVizNode', source }

    expect(unwrapQuery(node)).toEqual({ source: node, wrappers: [] })
  })

  it.each([null, undefined, 5, 'x', []])('finds no kind in %j', (query) => {
    expect(unwrapQuery(query).source.kind).toBeUndefined()
  })
})
