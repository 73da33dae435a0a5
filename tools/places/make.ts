import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { findContinent } from '../../src/model/countries.ts'
import { ROOT } from '../sources.ts'
import { type Range, writeMmdb } from './mmdb.ts'

/**
 * Writes the bundled table of countries from lines of `first address,last address,country code`: the files of
 * `@ip-location-db/asn-country`, which are the statistics of the five internet registries. docs/dependencies.md has the
 * command.
 */
const files = process.argv.slice(2)
if (files.length === 0) throw new Error('Usage: node tools/places/make.ts <file.csv>...')
const ranges = files.flatMap((file) =>
  readFileSync(file, 'utf8').trim().split('\n').flatMap(toRange),
)
const target = join(ROOT, 'src/geoip/countries.mmdb.br')
writeFileSync(target, brotliCompressSync(writeMmdb(ranges)))
console.log(`${ranges.length} ranges`)

function toRange(line: string): Range[] {
  const [first = '', last = '', code = ''] = line.split(',')
  return findContinent(code) ? [{ first, last, record: { country_code: code } }] : []
}
