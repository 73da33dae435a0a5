import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../../../test/support/app/app.ts'
import { type Capturing, startCapturing } from '../../../../test/support/data/capture.ts'

const good = { event: 'a', distinct_id: 'b' }
/** Larger than the head of a body. */
const filler = 'x'.repeat(100_000)

async function storedIp({ stored }: Capturing): Promise<unknown> {
  return (await stored())[0].properties.$ip
}

describe('the IP address of an event', () => {
  it.each([
    ['a small body', (token: string) => ({ ...good, token })],
    ['properties', (token: string) => ({ ...good, token, properties: { plan: 'pro' } })],
    ['a large body', (token: string) => ({ batch: [{ ...good, filler }], api_key: token })],
    ['a large list', (token: string) => [{ ...good, token, filler }]],
  ])("is the sender's, of %s", async (_, toBody) => {
    const api = await startCapturing()

    await api.send('/e/', toBody(api.token))

    expect(await storedIp(api)).toBe('127.0.0.1')
  })

  it('is the one that the event names', async () => {
    const api = await startCapturing()

    await api.send('/e/', { ...good, token: api.token, properties: { $ip: '203.0.113.7' } })

    expect(await storedIp(api)).toBe('203.0.113.7')
  })

  it.each([
    ['a small body', {}],
    ['a large body', { filler }],
  ])('is not stored if the project discards it (%s)', async (_, more) => {
    const api = await startCapturing()
    const properties = { $ip: '203.0.113.7', ...more }
    const { status, body } = await api.patch(PROJECT, { anonymize_ips: true })

    await api.send('/e/', { ...good, token: api.token, properties })
    await api.send('/e/', { ...good, token: api.token, properties: more })

    expect([status, body.anonymize_ips]).toEqual([200, true])
    expect((await api.stored()).map((event) => event.properties)).toEqual([more, more])
  })
})
