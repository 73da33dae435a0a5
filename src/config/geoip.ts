import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUNDLED = new URL('../geoip/countries.mmdb.br', import.meta.url)
/** The format says that the metadata starts in the last 128 KiB of a file, with these bytes. */
const METADATA_BYTES = 128 * 1024
const METADATA = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/** Returns the path of the table of places, or undefined to look up none. Adds to the problems. */
export function toGeoipFile(text: string | undefined, problems: string[]): string | undefined {
  if (text === 'off') return undefined
  if (text === undefined) return fileURLToPath(BUNDLED)
  const file = resolve(text)
  const problem = findProblem(file)
  if (problem) problems.push(`HEDGEROW_GEOIP names ${file}, which ${problem}.`)
  return file
}

/** Reads only the end of the file, because a table of cities can have 100 MB. */
function findProblem(file: string): string | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const { size } = fstatSync(fd)
    const end = Buffer.alloc(Math.min(size, METADATA_BYTES))
    readSync(fd, end, 0, end.length, size - end.length)
    return end.includes(METADATA) ? undefined : 'is not a MaxMind DB file (.mmdb)'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
