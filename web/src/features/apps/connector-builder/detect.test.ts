import { describe, expect, it } from 'vitest'
import { findList, findPaging, findRoles, listRecords } from './detect.ts'
import type { Paginate } from './draft.ts'

const URL = 'https://api.example.com/v1/orders'

describe('a response', () => {
  it.each([
    ['is a list', [{ id: 1 }], '', { id: 1 }],
    ['has a list', { data: [{ id: 1 }], tags: [] }, 'data', { id: 1 }],
    [
      'has a list of records behind another',
      { tags: ['a'], a: { items: [{ id: 2 }] } },
      'a.items',
      { id: 2 },
    ],
    ['has an empty list', { data: [] }, 'data', undefined],
    ['has no list', { id: 1, list: null }, undefined, undefined],
  ])('%s', (_, content, list, first) => {
    expect(findList(content)).toBe(list)
    if (list !== undefined) expect(listRecords(content, list)[0]).toEqual(first)
  })

  it('has values whose names tell what they are', () => {
    const record = {
      object: 'order',
      created: 1_767_261_600,
      id: 'o1',
      customer: { id: 'c1', email: 'ada@example.com' },
      lines: [{ email: 'other@example.com' }],
    }

    expect(findRoles(record)).toEqual({ id: 'id', person: 'customer.email', time: 'created' })
    expect(findRoles({ total: 1, id: { a: 1 } })).toEqual({})
    expect(findRoles('text')).toEqual({})
  })

  it.each<[string, { url?: string; link?: string; content?: unknown }, Paginate]>([
    ['a link header', { link: '<https://a.example/?page=2>; rel="next"' }, { link: true }],
    ['only a link to the last page', { link: '<https://a.example/?page=9>; rel="last"' }, {}],
    ['a URL', { content: { next: `${URL}?page=2`, results: [] } }, { cursor: { path: 'next' } }],
    [
      'a URL that ends here',
      { content: { next: null, results: [] } },
      { cursor: { path: 'next' } },
    ],
    [
      'a path',
      { content: { links: { next: '/v1/orders?a=2' } } },
      { cursor: { path: 'links.next' } },
    ],
    [
      'a token',
      { content: { meta: { next_page_token: 'x1' } } },
      { cursor: { path: 'meta.next_page_token', parameter: 'page_token' } },
    ],
    [
      'a token that ends here',
      { content: { next_cursor: null } },
      { cursor: { path: 'next_cursor', parameter: 'cursor' } },
    ],
    [
      'the number of the next page',
      { content: { next_page: 2 } },
      { cursor: { path: 'next_page', parameter: 'page' } },
    ],
    ['a page in the address', { url: `${URL}?p=0` }, { page: { parameter: 'p', first: 0 } }],
    [
      'pages in the response',
      { content: { total_pages: 3, data: [] } },
      { page: { parameter: 'page', first: 1 } },
    ],
    [
      'an offset in the address',
      { url: `${URL}?skip=20&take=50` },
      { offset: { parameter: 'skip', limit_parameter: 'take', limit: 50 } },
    ],
    [
      'an offset in the response',
      { content: { offset: 0, limit: 25 } },
      { offset: { parameter: 'offset', limit_parameter: 'limit', limit: 100 } },
    ],
    ['names within records only', { content: [{ next: 'a', page: 1 }] }, {}],
    ['nothing', { content: { data: [] } }, {}],
  ])('pages by %s', (_, page, paginate) => {
    expect(findPaging({ url: URL, link: '', content: {}, ...page })).toEqual(paginate)
  })
})
