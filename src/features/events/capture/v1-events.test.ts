import { randomUUID } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { PostHog } from 'posthog-node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Capturing, startCapturing } from '../../../../test/support/data/capture.ts'

const PATH = '/i/v1/analytics/events'
const HOUR = 3_600_000
const iso = (time: number) => new Date(time).toISOString()

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const newEvent = (more = {}) => ({
  event: 'a',
  uuid: randomUUID(),
  distinct_id: 'ada',
  options: {},
  properties: {},
  ...more,
})

const sendBatch = ({ send, token }: Capturing, batch: unknown, headers = {}) =>
  send(PATH, { created_at: iso(Date.now()), batch } as object, { ...bearer(token), ...headers })

describe('posthog-node in its mode v1', () => {
  it('sends events that arrive', async () => {
    vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1')
    const { url, token, stored } = await startCapturing()
    const client = new PostHog(token, { host: url })
    onTestFinished(() => client.shutdown())
    const errors: unknown[] = []
    client.on('error', (error) => errors.push(error))

    client.capture({ distinctId: 'ada', event: 'opened', properties: { $session_id: 's1' } })
    client.captureAi({ distinctId: 'ada', event: '$ai_generation', properties: { $ai_model: 'm' } })
    await client.flush()
    vi.unstubAllEnvs()

    expect(errors).toEqual([])
    const events = await stored()
    expect(events.find(({ event }) => event === 'opened')).toMatchObject({
      distinct_id: 'ada',
      properties: {
        $session_id: 's1',
        $lib: 'posthog-node',
        $lib_version: expect.stringMatching(/^5\./),
      },
    })
    expect(events.find(({ event }) => event === '$ai_generation')).toBeDefined()
  })
})

describe('/i/v1/analytics/events', () => {
  it('stores the valid events and reports each', async () => {
    const api = await startCapturing()
    const [good, nameless, timeless, odd] = [
      newEvent(),
      newEvent({ event: '' }),
      newEvent({ timestamp: 'yesterday' }),
      newEvent({ uuid: 'no-uuid' }),
    ]

    const { status, body } = await sendBatch(api, [good, nameless, timeless, odd, 7])

    expect(status).toBe(200)
    expect(body).toEqual({
      results: {
        [good.uuid]: { result: 'ok' },
        [nameless.uuid]: { result: 'drop', details: 'event: This field is required.' },
        [timeless.uuid]: { result: 'drop', details: 'timestamp: Not a valid time.' },
        'no-uuid': { result: 'drop', details: 'uuid: Must be a valid UUID.' },
      },
    })
    expect(await api.stored()).toMatchObject([{ id: good.uuid }])
  })

  it('reports the events of a large body', async () => {
    const api = await startCapturing()
    const properties = { filler: 'x'.repeat(1000) }
    const batch = Array.from({ length: 200 }, (_, index) =>
      newEvent({ properties, event: index % 10 === 0 ? '' : 'a' }),
    )

    const { status, body } = await sendBatch(api, batch)

    expect(status).toBe(200)
    const outcomes = batch.map(
      ({ uuid }) => (body.results as Record<string, { result: string }>)[uuid]?.result,
    )
    expect(outcomes.filter((outcome) => outcome === 'drop')).toHaveLength(20)
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(180)
    expect(await api.stored()).toHaveLength(180)
  })

  it('turns fields and options into properties', async () => {
    const api = await startCapturing()
    const options = { process_person_profile: false, cookieless_mode: true }
    const event = newEvent({
      session_id: 's',
      window_id: 'w',
      options,
      properties: { plan: 'pro' },
    })

    await sendBatch(api, [event], { 'posthog-sdk-info': 'posthog-rs/1.2.3' })

    expect((await api.stored())[0].properties).toEqual({
      $session_id: 's',
      $window_id: 'w',
      $process_person_profile: false,
      $cookieless_mode: true,
      $lib: 'posthog-rs',
      $lib_version: '1.2.3',
      plan: 'pro',
      $ip: '127.0.0.1',
    })
  })

  it('corrects the skew of the clock, unless an event forbids it', async () => {
    const api = await startCapturing()
    const wrong = Date.now() - 500 * HOUR
    const skewed = newEvent({ event: 'skewed', timestamp: iso(wrong - HOUR) })
    const exact = newEvent({
      event: 'exact',
      timestamp: iso(wrong),
      options: { disable_skew_correction: true },
    })

    await sendBatch(api, [skewed, exact], { 'posthog-request-timestamp': iso(wrong) })

    const ages = new Map(
      (await api.stored()).map(({ event, timestamp }) => [
        event,
        Date.now() - Date.parse(timestamp),
      ]),
    )
    expect(Math.round((ages.get('skewed') ?? 0) / HOUR)).toBe(1)
    expect(Math.round((ages.get('exact') ?? 0) / HOUR)).toBe(500)
  })

  it('accepts compressed bodies and stores a repeated event once', async () => {
    const api = await startCapturing()
    const body = new Uint8Array(brotliCompressSync(JSON.stringify({ batch: [newEvent()] })))

    for (let n = 0; n < 2; n++) {
      const sent = await api.send(PATH, body, { ...bearer(api.token), 'content-encoding': 'br' })
      expect(sent.status).toBe(200)
    }

    expect(await api.stored()).toHaveLength(1)
  })

  it.each([
    ['no token', {}, 401],
    ['an unknown token', bearer('phc_x'), 401],
    ['a token of another kind', { authorization: 'Basic cGhjX3g6' }, 401],
  ])('rejects %s', async (_, headers, status) => {
    const { send } = await startCapturing()

    expect((await send(PATH, { batch: [newEvent()] }, headers)).status).toBe(status)
  })

  it.each([
    ['no batch', {}],
    ['an empty batch', { batch: [] }],
    ['a batch that is text', { batch: 'a' }],
  ])('rejects %s', async (_, body) => {
    const { send, token } = await startCapturing()

    const response = await send(PATH, body, bearer(token))

    expect(response.status).toBe(400)
  })
})
