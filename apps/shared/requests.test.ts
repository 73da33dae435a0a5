import { describe, expect, it } from 'vitest'
import { createFakeApp, type FakeResponse, temporaryError } from '../../test/apps/fake-app.ts'
import { request } from './requests.ts'

const URL_ = 'https://api.example.com/events?key=hidden'

/** Responds with these in order, then repeats the last one. */
function serve(...responses: (FakeResponse | Error)[]) {
  return createFakeApp({
    respond: () => (responses.length > 1 ? responses.shift() : responses[0]) ?? {},
  })
}

const total = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0)

describe('a request', () => {
  it('is retried when the server is busy, failing or unreachable', async () => {
    const fake = serve({ status: 429 }, { status: 503 }, temporaryError('socket hang up'), {})

    const { status } = await request(fake.app, URL_, {})

    expect(status).toBe(200)
    expect(fake.slept).toEqual([1000, 2000, 4000])
  })

  it.each([
    ['7', 7000],
    ['0', 0],
    ['90', 90_000],
  ])('waits for the seconds in Retry-After: %s', async (retryAfter, expected) => {
    const fake = serve({ status: 429, headers: { 'retry-after': retryAfter } }, {})

    await request(fake.app, URL_, {})

    expect(total(fake.slept)).toBe(expected)
    expect(Math.max(0, ...fake.slept)).toBeLessThanOrEqual(30_000)
  })

  it('waits until the date in Retry-After', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    const fake = serve({ status: 503, headers: { 'retry-after': date } }, {})

    await request(fake.app, URL_, {})

    expect(total(fake.slept)).toBeGreaterThan(30_000)
    expect(total(fake.slept)).toBeLessThanOrEqual(60_000)
  })

  it('fails after six attempts, and the message omits the query', async () => {
    const fake = serve({ status: 500 })

    const failing = request(fake.app, URL_, {})

    await expect(failing).rejects.toThrow(
      'https://api.example.com/events returned 500, 6 times in a row.',
    )
    expect(fake.requested).toHaveLength(6)
  })

  it('fails at once when Retry-After is too long', async () => {
    const fake = serve({ status: 429, headers: { 'retry-after': '3600' } })

    await expect(request(fake.app, URL_, {})).rejects.toThrow('asks to wait 3600 s')
    expect(fake.slept).toEqual([])
  })

  it.each(['Internal hostname: shop', 'maximum redirect reached at: a', 'self-signed certificate'])(
    'is not retried after an error that stays: %s',
    async (message) => {
      const fake = serve(new Error(`request to https://a failed, reason: ${message}`))

      await expect(request(fake.app, URL_, {})).rejects.toThrow(
        `https://api.example.com/events cannot be requested: ${message}.`,
      )
      expect(fake.requested).toHaveLength(1)
    },
  )

  it.each([400, 401, 404])('returns %d to the caller', async (status) => {
    const fake = serve({ status })

    expect((await request(fake.app, URL_, {})).status).toBe(status)
    expect(fake.requested).toHaveLength(1)
  })
})
