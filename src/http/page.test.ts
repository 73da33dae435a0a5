import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { PageRange } from '../db/page-range.ts'
import { page, requestOrigin } from './page.ts'

/** Returns a page of a list with `count` items, requested at this URL. */
function requestPage(count: number, address: string) {
  const { host, pathname, search, searchParams } = new URL(address)
  const query = Object.fromEntries([...searchParams].map(([name, value]) => [name, Number(value)]))
  const request = { protocol: 'http', host, originalUrl: pathname + search, query }
  const list = async ({ limit, offset }: PageRange) => ({
    count,
    results: Array.from({ length: count }, (_, index) => index).slice(offset, offset + limit),
  })
  return page(request as unknown as FastifyRequest, list)
}

describe('page', () => {
  it.each([
    // count, query -> first and last item, next, previous
    [0, '', [], null, null],
    [3, '', [0, 1, 2], null, null],
    [3, '?limit=3', [0, 1, 2], null, null],
    [3, '?limit=2', [0, 1], '?limit=2&offset=2', null],
    [3, '?limit=2&offset=2', [2], null, '?limit=2'],
    [3, '?limit=1&offset=1', [1], '?limit=1&offset=2', '?limit=1'],
    [5, '?limit=1&offset=3', [3], '?limit=1&offset=4', '?limit=1&offset=2'],
    [5, '?limit=2&offset=1', [1, 2], '?limit=2&offset=3', '?limit=2'],
    [3, '?limit=2&offset=9', [], null, '?limit=2&offset=7'],
    [3, '?offset=1', [1, 2], null, '?limit=100'],
    [3, '?x=%26&limit=1', [0], '?limit=1&offset=1&x=%26', null],
    [3, '?limit=1&a=1&a=2', [0], '?a=1&a=2&limit=1&offset=1', null],
  ])('of %i items with "%s" contains %j', async (count, query, results, next, previous) => {
    const link = (text: string | null) => text && `http://x:8000/api/things${text}`

    const got = await requestPage(count, `http://x:8000/api/things${query}`)

    expect(got).toEqual({ count, results, next: link(next), previous: link(previous) })
  })

  it('contains 100 items by default and at most 1000', async () => {
    const usual = await requestPage(5000, 'http://x/things')
    const most = await requestPage(5000, 'http://x/things?limit=4000')

    expect(usual.results).toHaveLength(100)
    expect(usual.next).toBe('http://x/things?limit=100&offset=100')
    expect(most.results).toHaveLength(1000)
    expect(most.next).toBe('http://x/things?limit=1000&offset=1000')
  })

  it('has its fields in the order of the API', async () => {
    const got = await requestPage(1, 'http://x/things')

    expect(Object.keys(got)).toEqual(['count', 'next', 'previous', 'results'])
  })
})

describe('the origin of links', () => {
  const origin = (host: string) => requestOrigin({ protocol: 'https', host } as FastifyRequest)

  it.each(['x', 'a-b.example', 'x_y', '127.0.0.1:80', '[::1]', '[::ffff:1.2.3.4]:65535'])(
    'includes the host %s',
    (host) => {
      expect(origin(host)).toBe(`https://${host}`)
    },
  )

  it.each(['', ' ', 'a b', 'x/', 'x:', 'x:1234567', 'u@x', '<x>', '[x', 'x,y', 'é'])(
    'is refused for the Host header "%s"',
    (host) => {
      expect(() => origin(host)).toThrow('The Host header names no host.')
    },
  )
})
