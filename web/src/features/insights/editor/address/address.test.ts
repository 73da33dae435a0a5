import { describe, expect, it } from 'vitest'
import { QUERY_KINDS, type QueryNode } from '#model/query-kinds/index.ts'
import { MAX_LENGTH } from '../../../../api/address-text.ts'
import { newNode } from '../query-model.ts'
import { fromAddress, toAddressText } from './address.ts'

const sql = (query: string, display = 'ActionsTable'): QueryNode => ({
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query },
  display,
})

const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('query in a URL', () => {
  it.each<[string, QueryNode]>([
    ...QUERY_KINDS.map(({ kind }): [string, QueryNode] => [kind, newNode(kind)]),
    ['one that is shown otherwise', sql('select 1', 'BoldNumber')],
    ['one in many scripts', sql("select '日本 ñ 🦔 ?&#%+/='")],
  ])('survives encoding: %s', (_, node) => {
    const text = toAddressText(node) ?? ''

    expect(text).toMatch(/^[\w-]+$/)
    expect(fromAddress(text)).toEqual(node)
  })

  it('is left out if it is too long', () => {
    expect(toAddressText(sql('x'.repeat(2500)))).toBeDefined()
    expect(toAddressText(sql('x'.repeat(MAX_LENGTH)))).toBeUndefined()
    expect(fromAddress(raw(sql('x'.repeat(MAX_LENGTH))))).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['what is not base64', '%%%'],
    ['what is not text', Buffer.from([0xff, 0xfe]).toString('base64url')],
    ['what is not JSON', Buffer.from('{"kind":').toString('base64url')],
    ['a number', raw(5)],
    ['null', raw(null)],
    ['a list', raw([newNode('TrendsQuery')])],
    ['a kind that there is not', raw({ kind: 'ActorsQuery' })],
    ['a kind from above', raw({ kind: 'toString' })],
    ['a node around nothing', raw({ kind: 'InsightVizNode', source: null })],
  ])('is ignored if it is %s', (_, text) => {
    expect(fromAddress(text)).toBeUndefined()
  })

  it('is ignored if it is nested too deeply', () => {
    const deep = `${'{"source":'.repeat(290)}1${'}'.repeat(290)}`

    expect(fromAddress(Buffer.from(deep).toString('base64url'))).toBeUndefined()
  })
})
