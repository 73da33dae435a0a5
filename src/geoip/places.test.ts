import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Value, writeMmdb } from '../../tools/places/mmdb.ts'
import { readConfig } from '../config.ts'
import { createPlaces } from './places.ts'

function placesOf(records: Readonly<Record<string, Value>>) {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-places-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'places.mmdb')
  const ranges = Object.entries(records).map(([first, record]) => ({ first, last: first, record }))
  writeFileSync(file, writeMmdb(ranges))
  return createPlaces(file)
}

describe('the bundled table', () => {
  const places = createPlaces(readConfig({}).geoipFile)

  it.each([
    ['8.8.8.8', 'US', 'United States', 'NA'],
    ['133.11.0.1', 'JP', 'Japan', 'AS'],
    ['2001:200:900::1', 'JP', 'Japan', 'AS'],
    ['200.160.2.3', 'BR', 'Brazil', 'SA'],
    ['2a02:2e0:3fe::1', 'DE', 'Germany', 'EU'],
  ])('has the country of %s', (address, code, name, continent) => {
    expect(places.find(address)).toEqual({
      $geoip_country_code: code,
      $geoip_country_name: name,
      $geoip_continent_code: continent,
    })
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    '203.0.113.7',
    '',
    'a proxy',
  ])('has no country of %j', (address) => {
    expect(places.find(address)).toBeUndefined()
  })
})

describe('a table of cities', () => {
  it("has the city and the state of an address, in MaxMind's form", () => {
    const names = (en: string) => ({ names: { en, de: 'anders' } })
    const places = placesOf({
      '8.8.8.8': {
        continent: { code: 'NA' },
        country: { iso_code: 'US', ...names('USA') },
        city: names('Mountain View'),
        subdivisions: [{ iso_code: 'CA', ...names('California') }],
      },
    })

    expect(places.find('8.8.8.8')).toEqual({
      $geoip_country_code: 'US',
      $geoip_country_name: 'USA',
      $geoip_continent_code: 'NA',
      $geoip_city_name: 'Mountain View',
      $geoip_subdivision_1_code: 'CA',
      $geoip_subdivision_1_name: 'California',
    })
  })

  it('has the city and the state of an address, in plain fields', () => {
    const places = placesOf({ '8.8.8.8': { country_code: 'CH', city: 'Chur', state1: '' } })

    expect(places.find('8.8.8.8')).toEqual({
      $geoip_country_code: 'CH',
      $geoip_country_name: 'Switzerland',
      $geoip_continent_code: 'EU',
      $geoip_city_name: 'Chur',
    })
  })

  it('has no place without a known country', () => {
    const places = placesOf({ '8.8.8.8': { country_code: 'FL', city: 'Miami' }, '9.9.9.9': {} })

    expect(['8.8.8.8', '9.9.9.9', '7.7.7.7'].map(places.find)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
