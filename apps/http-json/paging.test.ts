import { describe, expect, it } from 'vitest'
import { findLink } from '../shared/link.ts'
import { findNextUrl } from './paging.ts'
import { readSettings } from './settings.ts'

const BASE = 'https://api.example.com/items'

const next = (config: Record<string, unknown>, page: Record<string, unknown> = {}) =>
  findNextUrl(readSettings({ config: { url: BASE, ...config } }), {
    url: BASE,
    body: {},
    link: null,
    isEmpty: false,
    ...page,
  })

describe('the next page', () => {
  it('does not exist without paging', () => {
    expect(next({ paging: 'none' }, { link: '</2>; rel=next' })).toBeUndefined()
  })

  it.each([
    [BASE, `${BASE}?p=2`],
    [`${BASE}?p=0&x=1`, `${BASE}?p=1&x=1`],
    [`${BASE}?p=41`, `${BASE}?p=42`],
  ])('by number after %s is %s', (url, expected) => {
    expect(next({ paging: 'page', paging_parameter: 'p' }, { url })).toBe(expected)
  })

  it('by number does not exist after an empty page', () => {
    expect(next({ paging: 'page', paging_parameter: 'p' }, { isEmpty: true })).toBeUndefined()
  })

  it.each([
    ['meta.next', { meta: { next: 'a b&c' } }, `${BASE}?after=a+b%26c`],
    ['meta.next', { meta: { next: 7 } }, `${BASE}?after=7`],
    ['data.-1.id', { data: [{ id: 1 }, { id: 2 }] }, `${BASE}?after=2`],
    ['next', { next: null }, undefined],
    ['next', { next: '' }, undefined],
    ['next', {}, undefined],
    ['data.-1.id', { data: [] }, undefined],
  ])('by the cursor at %s of %j is %s', (cursor_path, body, expected) => {
    const config = { paging: 'cursor', paging_parameter: 'after', cursor_path }

    expect(next(config, { body })).toBe(expected)
  })

  it('is the cursor itself if there is no parameter for it', () => {
    const config = { paging: 'cursor', cursor_path: 'next' }

    expect(next(config, { body: { next: '/items?page=2' } })).toBe(`${BASE}?page=2`)
  })

  it('does not exist if the cursor stays the same', () => {
    const config = { paging: 'cursor', paging_parameter: 'after', cursor_path: 'next' }

    expect(next(config, { url: `${BASE}?after=x`, body: { next: 'x' } })).toBeUndefined()
  })

  it('by link is resolved relative to the page', () => {
    const link = '</items?page=1>; rel="prev", <?page=3>; rel="next"'

    expect(next({ paging: 'link' }, { link })).toBe(`${BASE}?page=3`)
  })
})

describe('a Link header', () => {
  it.each([
    ['<https://a/2>; rel="next"', 'https://a/2'],
    ['<https://a/2>;rel=next', 'https://a/2'],
    ['<https://a/1>; rel="prev", <https://a/2>; rel="next last"', 'https://a/2'],
    ['<https://a/x,y;z>; title="a, b; rel=next"; rel="NEXT"', 'https://a/x,y;z'],
    ['<https://a/1>; title="<b>; rel=next"; rel="prev"', undefined],
    ['<https://a/1>; rel="nextish"', undefined],
    ['', undefined],
    ['nonsense', undefined],
  ])('%j leads to %s', (header, expected) => {
    expect(findLink(header, 'next')).toBe(expected)
  })

  it('is parsed in linear time', () => {
    expect(findLink(`<a${'; x="'.repeat(20_000)}`, 'next')).toBeUndefined()
    expect(findLink(`<a>${'; x'.repeat(20_000)}"`, 'next')).toBeUndefined()
    expect(findLink('<'.repeat(50_000), 'next')).toBeUndefined()
  })
})
