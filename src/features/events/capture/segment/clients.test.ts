import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import { describe, expect, it } from 'vitest'
import { type Capturing, startCapturing } from '../../../../../test/support/data/capture.ts'
import { until } from '../../../../../test/support/until.ts'

const ADA = { userId: 'ada', anonymousId: 'anon-1' }
const CONTEXT = {
  ip: '203.0.113.7',
  page: { url: 'https://shop.example/cart?x=1', path: '/cart', referrer: 'https://news.example/a' },
  campaign: { name: 'spring', source: 'mail' },
}

/** Both clients have these calls. */
interface Client {
  track(message: object): unknown
  identify(message: object): unknown
  page(message: object): unknown
  screen(message: object): unknown
  group(message: object): unknown
  alias(message: object): unknown
}

/** Sends one message of each type. */
function sendAll(client: Client): void {
  client.track({ anonymousId: 'anon-1', event: 'opened', context: CONTEXT })
  client.identify({ ...ADA, traits: { plan: 'pro', age: 36 } })
  client.track({ ...ADA, event: 'ordered', properties: { total: 12.5, items: [{ sku: 'a' }] } })
  client.page({ ...ADA, name: 'Cart', properties: { url: 'https://shop.example/cart' } })
  client.screen({ ...ADA, name: 'Checkout' })
  client.group({ ...ADA, groupId: 'acme', traits: { seats: 5 } })
  client.alias({ userId: 'ada', previousId: 'old-ada' })
}

/** A client may send its last messages after it has told that it is done. */
const waitForAll = (api: Capturing) =>
  until(async () => {
    const stored = await api.stored()
    return stored.length >= 7 && stored
  })

function sendWithSegment({ url, token }: Capturing): Promise<void> {
  const client = new Analytics({ writeKey: token, host: url, httpRequestTimeout: 60_000 })
  sendAll(client as Client)
  return client.closeAndFlush()
}

async function sendWithRudderStack({ url, token }: Capturing, gzip: boolean): Promise<void> {
  const client = new RudderAnalytics(token, { dataPlaneUrl: url, gzip, logLevel: 'error' })
  sendAll(client as unknown as Client)
  await client.flush()
  await client.flush() // the first message is a request of its own
}

describe.each([
  ['@segment/analytics-node', sendWithSegment],
  ['@rudderstack/rudder-sdk-node', (api: Capturing) => sendWithRudderStack(api, true)],
  [
    '@rudderstack/rudder-sdk-node uncompressed',
    (api: Capturing) => sendWithRudderStack(api, false),
  ],
])('%s', (_, sendWith) => {
  it('sends every type of message', async () => {
    const api = await startCapturing()

    await sendWith(api)

    const events = await waitForAll(api)
    expect(events).toHaveLength(7)
    const find = (name: string) => events.find(({ event }) => event === name)
    expect(find('opened')).toMatchObject({
      distinct_id: 'anon-1',
      properties: {
        $ip: '203.0.113.7',
        $current_url: 'https://shop.example/cart?x=1',
        $host: 'shop.example',
        $pathname: '/cart',
        $referring_domain: 'news.example',
        utm_campaign: 'spring',
        utm_source: 'mail',
        $lib: expect.stringContaining('analytics'),
        $lib_version: expect.stringMatching(/^\d+\./),
      },
    })
    expect(find('$identify')).toMatchObject({
      distinct_id: 'ada',
      properties: { $anon_distinct_id: 'anon-1', $set: { plan: 'pro', age: 36 } },
    })
    expect(find('ordered').properties).toMatchObject({ total: 12.5, items: [{ sku: 'a' }] })
    expect(find('$pageview').properties).toMatchObject({
      $current_url: 'https://shop.example/cart',
      name: 'Cart',
    })
    expect(find('$screen').properties).toMatchObject({ $screen_name: 'Checkout' })
    expect(find('$groupidentify').properties).toMatchObject({
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { seats: 5 },
      $groups: { company: 'acme' },
    })
    expect(find('$create_alias')).toMatchObject({
      distinct_id: 'ada',
      properties: { alias: 'old-ada' },
    })
  })

  it('makes one person of a visitor who signs in', async () => {
    const api = await startCapturing()

    await sendWith(api)
    await waitForAll(api)

    expect((await api.get('persons')).body.results).toMatchObject([
      {
        distinct_ids: expect.arrayContaining(['ada', 'anon-1', 'old-ada']),
        properties: { plan: 'pro', age: 36 },
      },
    ])
  })
})

describe('@rudderstack/rudder-sdk-node', () => {
  it('sends events of the past', async () => {
    const api = await startCapturing()
    const { url, token } = api
    const client = new RudderAnalytics(token, { dataPlaneUrl: url, logLevel: 'error' })
    const timestamp = new Date('2026-11-03T10:20:30.456Z')

    client.track({ userId: 'ada', event: 'ordered', timestamp })
    await client.flush()

    const [event] = await until(async () => {
      const stored = await api.stored()
      return stored.length > 0 && stored
    })
    expect(Date.parse(event.timestamp)).toBe(timestamp.getTime())
  })
})
