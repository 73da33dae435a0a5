import { describe, expect, it } from 'vitest'
import { type Capturing, startCapturing } from '../../../../../test/capture.ts'

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

  it('allow every origin', async () => {
    const { url } = await startCapturing()
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }

    const response = await fetch(`${url}/v1/track`, { method: 'OPTIONS', headers })

    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})
