import { describe, expect, it } from 'vitest'
import { PROJECT, startApp } from '../../../../test/support/app/app.ts'
import { startCapturing } from '../../../../test/support/data/capture.ts'

const PUBLIC = '8.8.8.8'
const PLACE = {
  $geoip_country_code: 'US',
  $geoip_country_name: 'United States',
  $geoip_continent_code: 'NA',
}
const good = { event: 'a', distinct_id: 'b' }
/** Larger than the head of a body. */
const filler = 'x'.repeat(100_000)

const startBehindProxy = (env: Record<string, string> = {}) =>
  startCapturing(startApp(undefined, { HEDGEROW_TRUSTED_PROXY: 'loopback', ...env }))

describe('the place of an event', () => {
  it.each([
    ['a small body', { properties: { plan: 'pro' } }],
    ['an event without properties', { properties: {} }],
    ['a large body', { properties: { filler } }],
  ])("is that of the sender's address (%s)", async (_, more) => {
    const api = await startBehindProxy()

    await api.send('/e/', { ...good, ...more, token: api.token }, { 'x-forwarded-for': PUBLIC })

    const [{ properties }] = await api.stored()
    expect(properties).toEqual({ ...more.properties, $ip: PUBLIC, ...PLACE })
  })

  it.each([
    ['a small body', {}],
    ['a large body', { filler }],
  ])('is that of the address which the event names (%s)', async (_, more) => {
    const api = await startCapturing()
    const properties = { $ip: PUBLIC, ...more }

    await api.send('/e/', { ...good, token: api.token, properties })

    expect((await api.stored())[0].properties).toEqual({ ...properties, ...PLACE })
  })

  it.each([
    ['a small body', {}],
    ['a large body', { filler }],
  ])('is kept if the project discards IP addresses (%s)', async (_, more) => {
    const api = await startCapturing()
    await api.patch(PROJECT, { anonymize_ips: true })

    await api.send('/e/', { ...good, token: api.token, properties: { $ip: PUBLIC, ...more } })

    expect((await api.stored())[0].properties).toEqual({ ...more, ...PLACE })
  })

  it.each([
    ['names its country', { $geoip_country_code: 'CH' }],
    ['names a part of its place', { $geoip_city_name: null }],
    ['asks for none', { $geoip_disable: true }],
    ['comes from a private address', { $ip: '192.168.1.1' }],
    ['comes from something else', { $ip: 7 }],
  ])('is not added if the event %s', async (_, more) => {
    const api = await startCapturing()
    const properties = { $ip: PUBLIC, ...more }

    await api.send('/e/', { ...good, token: api.token, properties })

    expect((await api.stored())[0].properties).toEqual(properties)
  })

  it.each([
    ['a small body', {}],
    ['a large body', { filler }],
  ])('is not looked up if the operator turns it off (%s)', async (_, more) => {
    const api = await startBehindProxy({ HEDGEROW_GEOIP: 'off' })
    const properties = { $ip: PUBLIC, ...more }

    await api.send('/e/', { ...good, token: api.token, properties })

    expect((await api.stored())[0].properties).toEqual(properties)
  })
})
