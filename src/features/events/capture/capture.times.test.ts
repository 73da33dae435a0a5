import { describe, expect, it } from 'vitest'
import { startCapturing } from '../../../../test/support/data/capture.ts'

const HOUR = 3_600_000
const iso = (time: number) => new Date(time).toISOString()

/** Sends one event and returns its age in milliseconds. */
async function readAge(event: object, wrapper: object = {}, path = '/batch/') {
  const { send, stored, token } = await startCapturing()
  const before = Date.now()
  const sent = { event: 'a', distinct_id: 'b', ...event }
  const { status } = await send(path, { api_key: token, batch: [sent], ...wrapper })
  expect(status).toBe(200)
  const [{ timestamp }] = await stored()
  return before - Date.parse(timestamp)
}

/** Tolerates the duration of the test. */
const about = (ms: number) => ({
  asymmetricMatch: (age: number) => Math.abs(age - ms) < 60_000,
  toString: () => `about ${ms} ms`,
})

describe('event time', () => {
  it('defaults to now', async () => {
    expect(await readAge({})).toEqual(about(0))
  })

  it.each([
    '2026-01-02T03:04:05.678Z',
    '2026-01-02T03:04:05.678123Z',
    '2026-01-02T05:04:05.678+02:00',
    '2026-01-02T05:04:05.678+0200',
    '2026-01-02T03:04:05.678',
    '2026-01-02 03:04:05.678',
    '2026-01-02T03:04:05.678123456Z',
    1_767_323_045_678,
    1_767_323_045.678,
    '1767323045678',
    '1767323045.678',
    1_767_323_045_678_000,
    '1767323045678000000',
  ])('accepts %s', async (timestamp) => {
    const { send, stored, token } = await startCapturing()

    await send('/e/', { token, event: 'a', distinct_id: 'b', timestamp })

    expect((await stored())[0].timestamp).toBe('2026-01-02T03:04:05.678Z')
  })

  it.each([
    '2026-01-02T03:04:05Z',
    'Fri, 02 Jan 2026 03:04:05 GMT',
    'Fri, 2 Jan 2026 04:04:05 +0100',
    '02 Jan 2026 03:04:05 GMT',
    'Fri Jan 02 2026 04:04:05 GMT+0100 (Central European Standard Time)',
    1_767_323_045,
    '1767323045',
  ])('accepts %s, in seconds', async (timestamp) => {
    const { send, stored, token } = await startCapturing()

    await send('/e/', { token, event: 'a', distinct_id: 'b', timestamp })

    expect((await stored())[0].timestamp).toBe('2026-01-02T03:04:05.000Z')
  })

  it.each([
    'yesterday',
    7,
    1e300,
    -1,
    true,
    {},
    '02/01/2026',
    '2026-13-01',
    '0000-06-01T00:00:00.000Z',
    '+010000-01-01T00:00:00.000Z',
    'Foo, 99 Bar 2026 99:99:99 GMT',
  ])('rejects %j', async (timestamp) => {
    const { send, stored, token } = await startCapturing()
    const batch = [{ event: 'a', distinct_id: 'b', timestamp }]

    const response = await send('/batch/', { api_key: token, batch })

    expect(response).toMatchObject({ status: 400, body: { attr: 'batch__0__timestamp' } })
    expect(await stored()).toEqual([])
  })

  it('is stored as sent with $ignore_sent_at', async () => {
    const sent_at = iso(Date.now() + 500 * HOUR)
    const event = { timestamp: iso(Date.now() - HOUR), properties: { $ignore_sent_at: true } }

    expect(await readAge(event, { sent_at })).toEqual(about(HOUR))
  })

  it.each(['Unix time', 'RFC 2822'])('is corrected by a clock in %s', async (form) => {
    const wrong = Date.now() + 500 * HOUR
    const sent_at = form === 'RFC 2822' ? new Date(wrong).toUTCString() : wrong / 1000

    expect(await readAge({ timestamp: iso(wrong - HOUR) }, { sent_at })).toEqual(about(HOUR))
  })

  it("is corrected by the skew of the sender's clock", async () => {
    const wrong = Date.now() + 500 * HOUR
    const sent_at = iso(wrong)

    expect(await readAge({ timestamp: iso(wrong - 2 * HOUR) }, { sent_at })).toEqual(
      about(2 * HOUR),
    )
  })

  it('is corrected by the clock in the URL', async () => {
    const wrong = Date.now() - 30 * HOUR
    const path = `/e/?_=${wrong}`

    expect(await readAge({ timestamp: iso(wrong - HOUR) }, {}, path)).toEqual(about(HOUR))
  })

  it('ignores an implausible clock', async () => {
    const timestamp = iso(Date.now() - HOUR)

    for (const sent_at of ['soon', 7, null, '0000-00-00', '+999999-01-01T00:00:00Z']) {
      expect(await readAge({ timestamp }, { sent_at })).toEqual(about(HOUR))
    }
  })

  it('subtracts the offset from now', async () => {
    expect(await readAge({ offset: HOUR })).toEqual(about(HOUR))
    expect(await readAge({ offset: HOUR + 0.5 })).toEqual(about(HOUR))
  })

  it.each([
    ['an empty time', { timestamp: '' }],
    ['null', { timestamp: null }],
    ['a time a day ahead', { timestamp: iso(Date.now() + 24 * HOUR) }],
    ['a huge offset', { offset: 1e300 }],
    ['an offset into the future', { offset: -1e12 }],
  ])('is now instead of %s', async (_, event) => {
    expect(await readAge(event)).toEqual(about(0))
  })
})
