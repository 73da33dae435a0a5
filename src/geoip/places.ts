import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { Reader } from 'mmdb-lib'
import { findContinent, toCountryName } from '#model/countries.ts'
import { isObject, type JsonObject } from '#model/json.ts'
import { isPublicAddress } from '../egress/address-rules.ts'

/** A place, as properties of events under PostHog's names. */
export type Place = Readonly<Record<`$geoip_${string}`, string>>

/** Finds the places of IP addresses. */
export interface Places {
  /** Returns undefined for private and unknown addresses, and for text that is no address. */
  find(address: string): Place | undefined
}

export const NO_PLACES: Places = { find: () => undefined }

/** Reads the file at the first look-up, because it takes memory that a server without visitors does not need. */
export function createPlaces(file: string | undefined): Places {
  if (file === undefined) return NO_PLACES
  let reader: Reader<never> | undefined
  return {
    find(address) {
      // some tables have countries for private ranges
      if (!isPublicAddress(address)) return undefined
      reader ??= new Reader(readTable(file))
      return toPlace(reader.get(address))
    },
  }
}

/** The bundled table is compressed, to a third. */
function readTable(file: string): Buffer {
  const bytes = readFileSync(file)
  return file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes
}

/** Reads a record of MaxMind's databases, or of those that have only a `country_code`. */
function toPlace(record: unknown): Place | undefined {
  if (!isObject(record)) return undefined
  const country = toObject(record.country)
  const code = country.iso_code ?? record.country_code
  const continent = typeof code === 'string' ? findContinent(code) : undefined
  if (typeof code !== 'string' || continent === undefined) return undefined
  const [subdivision] = Array.isArray(record.subdivisions) ? record.subdivisions : []
  return {
    $geoip_country_code: code,
    $geoip_country_name: findName(country) ?? toCountryName(code),
    $geoip_continent_code: continent,
    ...toPresent({
      $geoip_city_name: findName(record.city) ?? record.city,
      $geoip_subdivision_1_code: toObject(subdivision).iso_code,
      $geoip_subdivision_1_name: findName(subdivision) ?? record.state1,
    }),
  }
}

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

const findName = (part: unknown): string | undefined => {
  const { en } = toObject(toObject(part).names)
  return typeof en === 'string' ? en : undefined
}

const toPresent = (values: JsonObject): Place =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== ''),
  ) as Place
