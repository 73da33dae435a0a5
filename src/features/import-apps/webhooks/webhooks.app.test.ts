import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'
import { sendTo } from '../../../../test/support/app/receiving.ts'
import { until } from '../../../../test/support/until.ts'

/** Writes down the requests that it gets, in their order, and fails on the third. */
const WRITES_DOWN = `
  export async function onRequest({ body: { n } }, { storage }) {
    await storage.set('seen', [...((await storage.get('seen')) ?? []), n])
    if (n === 3) throw new Error('No such order')
  }
`

/** Starts with configs of an app that receives requests, and returns their addresses. */
async function startConfigs(
  count: number,
  receives: object = {},
  code = WRITES_DOWN,
): Promise<TestApp & { addresses: readonly string[] }> {
  const api = await startApp()
  const { status, body: plugin, text } = await api.post(PLUGINS, sourceOf(code, { receives }))
  expect(status, text).toBe(201)
  const addresses: string[] = []
  for (let n = 0; n < count; n++) {
    const { body } = await api.post(CONFIGS, { plugin: plugin.id, enabled: true })
    addresses.push(api.address((await api.get(`${CONFIGS}/${body.id}/address`)).body.path))
  }
  return { ...api, addresses }
}

const seenBy = async (api: TestApp, config: number) =>
  (await api.get(`${CONFIGS}/${config}/state`)).body.state.seen

const sendAll = async (
  { addresses: [address = ''] }: { addresses: readonly string[] },
  count: number,
) => {
  for (let n = 0; n < count; n++) await sendTo(address, { n })
}

const waitUntilHandled = (api: TestApp, count: number) =>
  until(async () => {
    const list = async (state: string) =>
      (await api.get(`${CONFIGS}/1/requests?state=${state}`)).body.results
    const [done, failed] = [await list('done'), await list('failed')]
    return done.length + failed.length === count && { done, failed }
  })

/** Reads the properties of the events of a name. */
const readEvents = async (api: TestApp, name: string) =>
  (await api.services.events.list(1, { limit: 100, offset: 0 }))
    .filter(({ event }) => event === name)
    .map(({ properties }) => JSON.parse(properties as string))

describe('an app that receives requests', () => {
  it('gets those of each config in their order, before and after a worker starts', {
    tags: 'sql',
  }, async () => {
    const api = await startConfigs(2)
    const [first = '', second = ''] = api.addresses
    const send = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        await sendTo(first, { n })
        await sendTo(second, { n: -n })
      }
    }

    await send(0, 12)
    startTestWorker(api)
    await send(12, 25)

    const numbers = Array.from({ length: 25 }, (_, n) => n)
    await until(async () => {
      const seen = await Promise.all([1, 2].map((config) => seenBy(api, config)))
      return seen.every((list) => list?.length === 25)
    })
    expect(await seenBy(api, 1)).toEqual(numbers)
    expect(await seenBy(api, 2)).toEqual(numbers.map((n) => 0 - n))
    const failed = await api.get(`${CONFIGS}/1/requests?state=failed`)
    expect(failed.body.results).toMatchObject([{ message: 'No such order' }])
  })

  it('says which requests it takes and what is responded to them', async () => {
    const api = await startConfigs(1, {
      methods: ['PUT'],
      id_header: 'X-Order',
      max_body: 20,
      respond: { status: 202, body: '{"taken":true}' },
    })
    const [address = ''] = api.addresses
    const put = (body: object, order = 'a') =>
      sendTo(address, body, { 'x-order': order }, { method: 'PUT' })

    expect(await put({ n: 1 })).toMatchObject({ status: 202, text: '{"taken":true}' })
    expect(await put({ n: 1 })).toMatchObject({ status: 202 })
    expect(await put({ n: 2 }, 'b'.repeat(5000))).toMatchObject({ status: 202 })
    expect(await put({ n: 3, more: 'than is taken' }, 'c')).toMatchObject({ status: 413 })
    const posted = await sendTo(address, { n: 4 })

    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'PUT'])
    expect((await api.get(`${CONFIGS}/1/requests`)).body).toMatchObject({
      count: 2,
      results: [{ method: 'PUT' }, { method: 'PUT' }],
    })
  })

  it('fails only on the request that ends its process', async () => {
    const api = await startConfigs(
      1,
      {},
      `export async function onRequest({ body: { n } }) {
        await posthog.capture('seen', { n })
        const all = []
        while (n === 5) all.push(new Array(1e6).fill(n))
      }`,
    )
    await sendAll(api, 9)

    startTestWorker(api)
    const { failed } = await waitUntilHandled(api, 9)

    expect(failed).toMatchObject([{ message: 'The app ran out of memory.' }])
    const events = await readEvents(api, 'seen')
    expect(events.map(({ n }) => n).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('captures what it did not wait for as events of the same request, each time', async () => {
    const api = await startConfigs(
      1,
      {},
      `export function onRequest({ body: { n } }, { storage }) {
        storage.get('a').then(() => posthog.capture('late', { n }))
      }`,
    )
    await sendAll(api, 9)

    startTestWorker(api)
    await waitUntilHandled(api, 9)
    const before = await readEvents(api, 'late')
    await api.post(`${CONFIGS}/1/requests/replay`, {})
    await waitUntilHandled(api, 9)

    expect(before.map(({ n }) => n).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(await readEvents(api, 'late')).toHaveLength(9)
  })

  it('is loaded only for requests that are verified', async () => {
    const receives = { verify: { kind: 'token', secret: 'secret' } }
    const config = [{ key: 'secret', type: 'string', secret: true }]
    const api = await startApp()
    const { body: plugin } = await api.post(PLUGINS, sourceOf(WRITES_DOWN, { receives, config }))
    await api.post(CONFIGS, { plugin: plugin.id, enabled: true })
    await api.patch(`${CONFIGS}/1/settings`, { settings: { secret: 'open sesame' } })
    const address = api.address((await api.get(`${CONFIGS}/1/address`)).body.path)
    startTestWorker(api)

    expect((await sendTo(address, { n: 1 }, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await sendTo(address, { n: 2 }, { authorization: 'open sesame' })).status).toBe(200)
    await until(async () => (await seenBy(api, 1)) !== undefined)

    expect(await seenBy(api, 1)).toEqual([2])
    expect((await api.get(`${CONFIGS}/1/runs`)).body.count).toBe(1)
  })
})
