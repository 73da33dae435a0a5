import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resolveImport } from '../../test/rules/sources.ts'

const SRC = fileURLToPath(new URL('..', import.meta.url))
const DRAWS = /^(echarts|fontkit|pdfkit|svg-to-pdfkit|@resvg|@expo-google-fonts)/
const IMPORT = /(?:^|[^.\w])(?:import|export)(?!\s+type\b)(?:[^'";]*?from)?\s*\(?\s*'([^']+)'/gm

/** Everything that is loaded with this file, and the packages it takes. */
function loadedWith(entry: string, seen = new Map<string, string[]>()) {
  if (seen.has(entry)) return seen
  const imports = [...readFileSync(entry, 'utf8').matchAll(IMPORT)].map(
    ([, path]) => path as string,
  )
  seen.set(entry, imports)
  for (const path of imports.filter((one) => /^[.#].*\.ts$/.test(one))) {
    loadedWith(resolveImport(entry, path), seen)
  }
  return seen
}

const drawersIn = (entry: string): string[] =>
  [...loadedWith(join(SRC, entry)).values()].flat().filter((name) => DRAWS.test(name))

describe('what draws', () => {
  it('is loaded by the drawing process', () => {
    expect(drawersIn('pictures/child/main.ts')).toEqual(
      expect.arrayContaining(['echarts/core', 'fontkit', 'pdfkit', '@resvg/resvg-js']),
    )
  })

  it.each(['main.ts', 'pictures/pictures.ts', 'pictures/csv.ts'])(
    'is never loaded with %s',
    (entry) => {
      expect(drawersIn(entry)).toEqual([])
    },
  )
})
