import { describe, expect, it } from 'vitest'
import { webhookConfig } from '../../../test/import-apps.ts'
import { toItemPath, toMapping, toRemoval, toRoles, toUse } from './mapping.ts'

describe('mapping of requests', () => {
  it.each([
    ['a value', { data: { email: 'a' } }, '', ['data', 'email'], 'data.email'],
    ['an item of a list inside', { ids: [7] }, '', ['ids', '0'], 'ids.0'],
    ['a body that is a list', [{ email: 'a' }], '', ['0', 'email'], 'email'],
    ['a list at a path', { a: { b: [{ c: 1 }] } }, 'a.b', ['a', 'b', '0', 'c'], 'c'],
    ['an object at a path', { a: { b: 1 } }, 'a', ['a', 'b'], 'b'],
    ['a key with a dot at the top', { 'a.b': 1 }, '', ['a.b'], 'a.b'],
    ['a value outside the list', { a: [1], id: 1 }, 'a', ['id'], undefined],
    ['a whole item', [{ a: 1 }], '', ['0'], undefined],
    ['a key with a dot below', { a: { 'b.c': 1 } }, '', ['a', 'b.c'], undefined],
    ['an empty key', { '': 1 }, '', [''], undefined],
  ])('finds the path of %s', (_, content, list, keys, path) => {
    expect(toItemPath(content, list, keys)).toBe(path)
  })

  it('adds and removes properties, each once', () => {
    const mapping = toMapping(webhookConfig({ properties: ' a.b, c ' }))

    expect(toUse(mapping, 'properties', 'd')).toEqual({ properties: 'a.b, c, d' })
    expect(toUse(mapping, 'properties', 'c')).toEqual({ properties: 'a.b, c' })
    expect(toRemoval(mapping, 'properties', 'c')).toEqual({ properties: 'a.b' })
  })

  it('returns to the defaults when a path is removed', () => {
    const mapping = toMapping(webhookConfig({ event: 'type', properties: 'c' }))

    expect(toRemoval(mapping, 'event', 'type')).toEqual({ event: 'webhook' })
    expect(toRemoval(mapping, 'timestamp', 'at')).toEqual({ timestamp: null })
    expect(toRemoval(mapping, 'properties', 'c')).toEqual({ properties: null })
    expect(toMapping(webhookConfig({ event: 'webhook' })).event).toEqual([])
  })

  it('offers only what a value can be', () => {
    expect(toRoles('ada', 'email')).toHaveLength(4)
    expect(toRoles({ a: 1 }, 'data')).toEqual(['properties'])
    expect(toRoles(true, 'a,b')).toEqual([])
  })
})
