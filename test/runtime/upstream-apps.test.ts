import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { createSpec, recordServices, run, startRuntime, startServer } from './apps.ts'

const { resolve } = createRequire(import.meta.url)

/** Reads the unmodified main file from npm. */
const sourceOf = (file: string): string => readFileSync(resolve(file), 'utf8')

describe('@posthog/heartbeat-plugin from npm', () => {
  it('captures events and sends requests', async () => {
    const { origin, requests } = await startServer((_, response) => response.end('{}'))
    const source = sourceOf('@posthog/heartbeat-plugin/index.ts')
    const spec = await createSpec(source, {
      config: {
        events: 'heartbeat + heartbeat_buffer + heartbeat_api',
        host: origin,
        project_api_key: 'phc_test',
      },
    })
    const services = recordServices()
    const runtime = startRuntime({ allowedHosts: ['127.0.0.1'] })

    const outcomes = [await run(runtime, spec, services), await run(runtime, spec, services)]

    expect(outcomes).toEqual([{ ended: 'succeeded' }, { ended: 'succeeded' }])
    expect(services.events.map(({ event }) => event)).toEqual([
      'heartbeat',
      'heartbeat_buffer',
      'heartbeat',
      'heartbeat_buffer',
    ])
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /e', 'POST /e'])
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      token: 'phc_test',
      event: 'heartbeat_api',
    })
    expect(services.messages()[0]).toMatch(/^Sent heartbeat \+ heartbeat_buffer/)
  })
})

describe('@posthog/shopify-sync-plugin from npm', () => {
  const source = sourceOf('@posthog/shopify-sync-plugin/index.js')
  const config = { shopifyStore: 'hedge', shopifyAccessToken: 'shpat_topsecret' }
  const secrets = ['shpat_topsecret']

  const order = (id: number, email?: string) => ({
    id,
    order_number: id,
    currency: 'EUR',
    customer: email && { email, name: 'N' },
  })

  it('reads every page once, waits for the rate limit and stores its position', async () => {
    let refusals = 1
    const { origin, requests } = await startServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x')
      if (searchParams.get('limit') === '1') return response.end('{"orders":[]}')
      if (searchParams.get('page') === '2')
        return response.end(JSON.stringify({ orders: [order(3)] }))
      const next = '<https://hedge.myshopify.com/admin/api/2022-01/orders.json?page=2>; rel="next"'
      response.setHeader('link', next)
      if (refusals-- > 0) return response.writeHead(429).end('{}')
      response.end(JSON.stringify({ orders: [order(1, 'a@x'), order(2, 'a@x')] }))
    })
    const spec = await createSpec({ 'index.js': source }, { config, secrets })
    const services = recordServices()
    const forgetful = {
      ...services,
      cache: { ...services.cache, set: async () => {}, get: async () => undefined },
    }
    const runtime = startRuntime({ hostMap: { 'hedge.myshopify.com': origin } })

    const outcome = await run(runtime, spec, forgetful)
    await run(runtime, spec, forgetful)

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(services.events.map(({ event, distinct_id }) => [event, distinct_id])).toEqual([
      ['Created Shopify Order', '3'],
      ['Created Shopify Customer', 'a@x'],
      ['Created Shopify Order', 'a@x'],
      ['Created Shopify Order', 'a@x'],
    ])
    expect(services.stored.get('shopify-order-2')).toBe('true')
    expect(services.stored.get('current-url')).toBe('null')
    expect(requests.every(({ headers }) => headers['x-shopify-access-token'] === secrets[0])).toBe(
      true,
    )
    expect(requests.filter(({ url }) => url.includes('limit=1')).length).toBeGreaterThan(0)
  })

  it('is throttled when it polls the cache in a loop, and ends', async () => {
    const { origin } = await startServer((_, response) => response.end('{"orders":[]}'))
    const services = recordServices()
    let polls = 0
    const snoozing = {
      ...services,
      cache: {
        ...services.cache,
        get: async () => {
          polls += 1
          return polls < 300 ? 'true' : undefined
        },
      },
    }
    const runtime = startRuntime({
      hostMap: { 'hedge.myshopify.com': origin },
      limits: { callsPerSecond: 100 },
    })
    const before = performance.now()

    const outcome = await run(
      runtime,
      await createSpec({ 'index.js': source }, { config }),
      snoozing,
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    // 300 calls at 100 a second, the first 100 at once: this measures the limit, not the machine
    expect(performance.now() - before).toBeGreaterThan(1500)
  })

  it('reports the error of its setup', async () => {
    const services = recordServices()
    const spec = await createSpec({ 'index.js': source }, { config: {} })

    const outcome = await run(startRuntime(), spec, services)

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'app',
      message: "Please set the 'shopifyStore' config value",
    })
    expect(
      services.lines.filter(({ type }) => type === 'ERROR').map(({ source: by }) => by),
    ).toEqual(['SYSTEM', 'PLUGIN'])
  })
})
