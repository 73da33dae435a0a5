import { describe, expect, it, onTestFinished } from 'vitest'
import { FAILURES_PER_MINUTE } from '#server/access/throttle.ts'
import { buildApp } from '#server/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { startServices } from '../support/app/storage.ts'
import { DASHBOARDS } from './paths.ts'
import { send } from './raw.ts'

const AUTHORIZED = { authorization: `Bearer ${OWNER.apiKey}` }
const FORWARDED = { 'x-forwarded-host': 'example.com', 'x-forwarded-proto': 'https' }

async function start(trustedProxy: string | undefined) {
  const services = await startServices()
  const app = buildApp({ services, config: { logLevel: 'silent', trustedProxy } })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const list = async (headers: Record<string, string>) => {
    const path = `${DASHBOARDS}?limit=1`
    return JSON.parse((await send(url, { method: 'GET', path, headers })).text)
  }
  for (let count = 0; count < 2; count++) {
    await send(url, { method: 'POST', path: DASHBOARDS, headers: AUTHORIZED })
  }
  return { url, list }
}

describe('behind a proxy', () => {
  it('links to the origin that the caller used', async () => {
    const { list } = await start('127.0.0.1')

    const { next } = await list({ ...AUTHORIZED, ...FORWARDED })

    expect(next).toBe(`https://example.com${DASHBOARDS}?limit=1&offset=1`)
  })

  it.each([
    ['127.0.0.1', '203.0.113.7'],
    [undefined, '127.0.0.1'],
  ])('stores the address of the sender (proxy: %s)', async (proxy, address) => {
    const { url } = await start(proxy)
    const load = async (path: string) =>
      JSON.parse((await send(url, { method: 'GET', path, headers: AUTHORIZED })).text)
    const { api_token } = await load('/api/projects/1')
    const body = JSON.stringify({ token: api_token, event: 'a', distinct_id: 'b' })

    await fetch(`${url}/e`, { method: 'POST', headers: { 'x-forwarded-for': '203.0.113.7' }, body })

    const { results } = await load('/api/projects/1/events')
    expect(results[0].properties.$ip).toBe(address)
  })

  it('ignores forwarded headers without a trusted proxy', async () => {
    const { list, url } = await start(undefined)

    const { next } = await list({ ...AUTHORIZED, ...FORWARDED })

    expect(next).toBe(`${url}${DASHBOARDS}?limit=1&offset=1`)
  })

  it('ignores a proxy that is not trusted', async () => {
    const { list, url } = await start('10.0.0.0/8')

    const { next } = await list({ ...AUTHORIZED, ...FORWARDED })

    expect(next).toBe(`${url}${DASHBOARDS}?limit=1&offset=1`)
  })

  it('does not share cached responses between origins', async () => {
    const { list } = await start('127.0.0.1')
    await list({ ...AUTHORIZED, ...FORWARDED })

    const { next } = await list({ ...AUTHORIZED, ...FORWARDED, 'x-forwarded-host': 'other' })

    expect(next).toMatch(/^https:\/\/other\//)
  })

  it('counts wrong keys by client address', async () => {
    const { list } = await start('127.0.0.1')
    const wrong = (from: string) => list({ authorization: 'Bearer no', 'x-forwarded-for': from })
    for (let count = 0; count < FAILURES_PER_MINUTE; count++) await wrong('192.0.2.1')

    const [first, second] = [await wrong('192.0.2.1'), await wrong('192.0.2.2')]

    expect(first.code).toBe('throttled')
    expect(second.code).toBe('authentication_failed')
  })
})
