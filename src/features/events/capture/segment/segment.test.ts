import { describe, expect, it } from 'vitest'
import { type Capturing, startCapturing } from '../../../../../test/support/data/capture.ts'

const HOUR = 3_600_000
const good = { type: 'track', event: 'a', userId: 'b' }
const basic = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
})
const sendAs = ({ send, token }: Capturing, path: string, body: object) =>
  send(path, body, basic(token))

describe("Segment's endpoints", () => {
  it('accept the token as user name or as writeKey', async () => {
    const api = await startCapturing()

    const byHeader = await api.send('/v1/batch', { batch: [good] }, basic(api.token))
    const byBody = await api.send('/v1/track/', { ...good, writeKey: api.token })
    const byBoth = await api.send(
      '/v1/batch',
      { batch: [good], writeKey: api.token },
      { authorization: 'Bearer x' },
    )

    for (const response of [byHeader, byBody, byBoth]) {
      expect(response).toMatchObject({ status: 200, body: { success: true } })
    }
    expect(await api.stored()).toHaveLength(3)
  })

  it.each([
    ['track', { event: 'ordered' }, 'ordered'],
    ['identify', { traits: {} }, '$identify'],
    ['page', {}, '$pageview'],
    ['screen', {}, '$screen'],
    ['group', { groupId: 7 }, '$groupidentify'],
    ['alias', { previousId: 'c' }, '$create_alias'],
  ])('take the type of a single message from /v1/%s', async (type, message, event) => {
    const api = await startCapturing()

    const { status } = await sendAs(api, `/v1/${type}`, { userId: 'b', ...message })

    expect(status).toBe(200)
    expect(await api.stored()).toMatchObject([{ event, distinct_id: 'b' }])
  })

  it('store a message that is sent again once', async () => {
    const api = await startCapturing()
    const uuid = '0197f1b4-5f2e-7aaa-8bbb-0123456789ab'
    const batch = [
      { ...good, messageId: 'node-next-1-x' },
      { ...good, messageId: uuid },
    ]

    for (const _ of [1, 2]) await sendAs(api, '/v1/batch', { batch })

    const uuids = (await api.stored()).map((event) => event.uuid ?? event.id)
    expect(uuids).toHaveLength(2)
    expect(uuids).toContain(uuid)
  })

  it.each(['timestamp', 'originalTimestamp'])(
    'correct the %s by the clock of the sender',
    async (field) => {
      const api = await startCapturing()
      const wrong = Date.now() + 500 * HOUR
      const sentAt = new Date(wrong).toISOString()
      const message = { ...good, [field]: new Date(wrong - 2 * HOUR).toISOString() }

      await sendAs(api, '/v1/batch', { batch: [message], sentAt })

      const age = Date.now() - Date.parse((await api.stored())[0].timestamp)
      expect(Math.abs(age - 2 * HOUR)).toBeLessThan(60_000)
    },
  )

  it('take a timestamp beside originalTimestamp as it is', async () => {
    const api = await startCapturing()
    const times = {
      timestamp: '2026-01-03T04:05:06.789Z',
      originalTimestamp: '2026-01-01T00:00:00Z',
    }
    const sentAt = new Date(Date.now() - 500 * HOUR).toISOString()

    await sendAs(api, '/v1/batch', { batch: [{ ...good, ...times }], sentAt })
    await sendAs(api, '/v1/track', { ...good, ...times, timestamp: '', sentAt })

    const stored = (await api.stored()).map(({ timestamp }) => Date.parse(timestamp))
    const corrected = Date.parse(times.originalTimestamp) + 500 * HOUR
    expect(stored).toContain(Date.parse(times.timestamp))
    expect(stored.some((time) => Math.abs(time - corrected) < 60_000)).toBe(true)
  })

  it('accept the short paths and the beacons of browsers', async () => {
    const api = await startCapturing()
    const { token, send } = api

    const statuses = [
      await sendAs(api, '/v1/t', { userId: 'b', event: 'short' }),
      await sendAs(api, '/v1/p', { userId: 'b' }),
      await sendAs(api, '/v1/b', { batch: [{ ...good, event: 'batched' }] }),
      await send(`/beacon/v1/batch?writeKey=${token}`, { batch: [{ ...good, event: 'beacon' }] }),
      await send('/v1/m', { series: [{ type: 'Counter', metric: 'analytics_js.invoke' }] }),
      await send('/beacon/v1/batch?writeKey=phc_x', { batch: [good] }),
    ].map(({ status }) => status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 401])
    const names = (await api.stored()).map(({ event }) => event)
    expect(names.toSorted()).toEqual(['$pageview', 'batched', 'beacon', 'short'])
  })

  it('tell browsers to send messages here and to load nothing', async () => {
    const { url, token } = await startCapturing()
    const load = async (path: string, headers = {}) => {
      const response = await fetch(url + path, { headers })
      const body = (await response.json()) as Record<string, unknown>
      return { status: response.status, body }
    }

    const settings = await load(`/v1/projects/${token}/settings`)
    const config = await load(`/sourceConfig/?p=npm&v=3&writeKey=${token}`, basic(token))

    const apiHost = `${new URL(url).host}/v1`
    expect(settings.body).toEqual({
      integrations: { 'Segment.io': { apiKey: token, apiHost, protocol: 'http' } },
      metrics: { sampleRate: 0 },
    })
    expect(config.body.source).toMatchObject({ id: token, enabled: true, destinations: [] })
    expect((await load('/v1/projects/phc_x/settings')).status).toBe(404)
    expect((await load('/sourceConfig/?writeKey=phc_x')).status).toBe(401)
    expect((await load('/sourceConfig/')).status).toBe(401)
  })

  it('set traits of visitors and traits in the context', async () => {
    const api = await startCapturing()
    const batch = [
      { type: 'identify', anonymousId: 'v', traits: { color: 'red' } },
      {
        ...good,
        userId: null,
        anonymousId: 'v',
        context: { traits: { size: 3 }, groupId: 'acme' },
      },
    ]

    await sendAs(api, '/v1/batch', { batch })

    const stored = new Map((await api.stored()).map((event) => [event.event, event]))
    expect(stored.get('$set')).toMatchObject({
      distinct_id: 'v',
      properties: { $set: { color: 'red' } },
    })
    expect(stored.get('a').properties).toMatchObject({
      $set: { size: 3 },
      $groups: { company: 'acme' },
    })
  })

  it('take the type of a group from its traits', async () => {
    const api = await startCapturing()

    await sendAs(api, '/v1/group', {
      userId: 'b',
      groupId: 'x',
      traits: { groupType: 'team', n: 1 },
    })

    expect((await api.stored())[0].properties).toMatchObject({
      $group_type: 'team',
      $group_set: { n: 1 },
      $groups: { team: 'x' },
    })
  })

  it("keep a message's own property named token, and properties over context", async () => {
    const api = await startCapturing()
    const properties = { token: 'reset-1', $ip: '203.0.113.9', $unknown: null }

    await sendAs(api, '/v1/track', { ...good, properties, context: { ip: '203.0.113.1', os: 'x' } })

    expect((await api.stored())[0].properties).toMatchObject(properties)
  })

  it.each([
    ['small', 'x'],
    ['large', 'x'.repeat(500)],
  ])('find the token in the messages of a %s batch', async (_, text) => {
    const api = await startCapturing()
    const toBatch = (writeKey: string) =>
      Array.from({ length: 300 }, (_, index) => ({
        ...good,
        ...(index > 0 && { writeKey: index === 299 ? writeKey : api.token }),
        properties: { text },
      }))

    const same = await api.send('/v1/batch', { batch: toBatch(api.token), writeKey: null })
    const different = await api.send('/v1/batch', { batch: toBatch('phc_other') })
    const unknown = await api.send('/v1/batch', { batch: [{ ...good, writeKey: 'phc_other' }] })

    expect(same).toMatchObject({ status: 200, body: { success: true } })
    expect(different).toMatchObject({ status: 400, body: { attr: 'token' } })
    expect(unknown.status).toBe(401)
    expect(await api.stored()).toHaveLength(300)
  })

  it('store batches that are larger than the head of a body', async () => {
    const api = await startCapturing()
    const batch = Array.from({ length: 300 }, (_, index) => ({
      ...good,
      properties: { index, text: 'x'.repeat(500) },
    }))

    const withHeader = await sendAs(api, '/v1/batch', { batch })
    const withKey = await api.send('/v1/batch', { batch, writeKey: api.token })

    expect([withHeader.status, withKey.status]).toEqual([200, 200])
    expect(await api.stored()).toHaveLength(600)
  })
})
