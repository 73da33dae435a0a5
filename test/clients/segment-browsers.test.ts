import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_ORIGIN } from '#server/docs/example-origin.ts'
import { ROOT } from '../../tools/sources.ts'
import { until } from '../support/until.ts'
import { openPage, useClients } from './page.ts'

const CODE = [
  ...readFileSync(join(ROOT, 'docs/segment.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms),
]

useClients()

/** Reads the code of docs/segment.md that imports a package. */
function readExample(name: string): string {
  const code = CODE.map(([, text = '']) => text).find((text) => text.includes(`'${name}'`))
  if (!code) throw new Error(`docs/segment.md has no code for ${name}.`)
  return code
}

/** Adds options to the call that loads Segment's client. */
const segment = (options: object) => (code: string) =>
  code.replace(' })\n', ` }, { integrations: { 'Segment.io': ${JSON.stringify(options)} } })\n`)

/** Adds options to the call that loads RudderStack's client. */
const rudderStack = (options: object) => (code: string) =>
  code.replace('configUrl:', `...${JSON.stringify(options)}, configUrl:`)

const batching = (config: object) => ({ deliveryStrategy: { strategy: 'batching', config } })
const standard = (config: object) => ({ deliveryStrategy: { config } })
const SEGMENT = '@segment/analytics-next'
const RUDDERSTACK = '@rudderstack/analytics-js/bundled'
const BATCH = { enabled: true, maxItems: 3, flushInterval: 300 }
/** The client, its options, and where it sends messages with them. */
const CLIENTS: readonly [string, string, (code: string) => string, string][] = [
  ['as documented', SEGMENT, (code) => code, '/v1/t'],
  ['in batches', SEGMENT, segment(batching({ size: 3, timeout: 300 })), '/v1/b'],
  [
    'in batches with keepalive',
    SEGMENT,
    segment(batching({ size: 3, timeout: 300, keepalive: true })),
    '/v1/b',
  ],
  ['with keepalive', SEGMENT, segment(standard({ keepalive: true })), '/v1/t'],
  ['with credentials', SEGMENT, segment(standard({ credentials: 'include' })), '/v1/t'],
  ['as documented', RUDDERSTACK, (code) => code, '/v1/track'],
  ['in batches', RUDDERSTACK, rudderStack({ queueOptions: { batch: BATCH } }), '/v1/batch'],
  [
    'as beacons',
    RUDDERSTACK,
    rudderStack({ useBeacon: true, beaconQueueOptions: { flushQueueInterval: 300 } }),
    '/beacon/v1/batch',
  ],
]

describe.each(CLIENTS)('%s: %s', (_, name, configure, path) => {
  it('sends each message once, and one person for a visitor who signs in', async () => {
    const { api, page, site, complaints, requested, stored } = await openPage(
      (url, token) =>
        `${configure(readExample(name)).replaceAll(EXAMPLE_ORIGIN, url).replace('phc_...', token)}
        window.analytics = analytics`,
    )
    await page.waitForFunction('window.analytics')
    await page.evaluate(`
      analytics.identify('ada', { plan: 'pro', face: '😀' })
      analytics.group('acme', { seats: 5 })
      analytics.track('ordered', { total: 12.5, items: [{ sku: 'a' }] })
      analytics.alias('ada', 'old-ada')
    `)

    const events = await until(async () => {
      const events = await stored()
      return events.length >= 6 && events
    })
    const find = (event: string) => events.find((stored) => stored.event === event)
    const visitor = find('$pageview')?.distinct_id
    expect(events.map(({ event }) => event).toSorted()).toEqual(
      [
        '$create_alias',
        '$groupidentify',
        '$identify',
        '$pageview',
        'ordered',
        'signed_up',
      ].toSorted(),
    )
    expect(find('$pageview')?.properties).toMatchObject({ $current_url: site, title: 'Shop' })
    expect(find('signed_up')).toMatchObject({ distinct_id: visitor, properties: { plan: 'free' } })
    expect(find('$identify')).toMatchObject({
      distinct_id: 'ada',
      properties: { $anon_distinct_id: visitor, $set: { plan: 'pro', face: '😀' } },
    })
    expect(find('$groupidentify')?.properties).toMatchObject({
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { seats: 5 },
    })
    expect(find('ordered')).toMatchObject({
      distinct_id: 'ada',
      properties: { total: 12.5, items: [{ sku: 'a' }], $lib: expect.any(String) },
    })
    expect(find('$create_alias')).toMatchObject({
      distinct_id: 'ada',
      properties: { alias: 'old-ada' },
    })
    expect((await api.get('persons')).body.results).toMatchObject([
      { distinct_ids: expect.arrayContaining([visitor, 'ada', 'old-ada']) },
    ])
    const hosts = new Set(requested.map(({ host }) => host))
    expect(requested.map(({ pathname }) => pathname)).toContain(path)
    expect([...hosts].toSorted()).toEqual([new URL(api.url).host, new URL(site).host].toSorted())
    expect(complaints).toEqual([])
  })
})
