import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resolveImport } from '../../test/rules/sources.ts'

const SRC = fileURLToPath(new URL('..', import.meta.url))
const DRAWING_LIBRARY = /^(echarts|fontkit|pdfkit|svg-to-pdfkit|@resvg|@expo-google-fonts)/
const IMPORT = /(?:^|[^.\w])(?:import|export)(?!\s+type\b)(?:[^'";]*?from)?\s*\(?\s*'([^']+)'/gm

/** Maps every file that is loaded with this one to its imports. */
function collectImports(entry: string, seen = new Map<string, string[]>()) {
  if (seen.has(entry)) return seen
  const imports = [...readFileSync(entry, 'utf8').matchAll(IMPORT)].map(
    ([, path]) => path as string,
  )
  seen.set(entry, imports)
  for (const path of imports.filter((one) => /^[.#].*\.ts$/.test(one))) {
    collectImports(resolveImport(entry, path), seen)
  }
  return seen
}

const drawingLibrariesOf = (entry: string): string[] =>
  [...collectImports(join(SRC, entry)).values()].flat().filter((name) => DRAWING_LIBRARY.test(name))

describe('drawing libraries', () => {
  it('are loaded by the drawing process', () => {
    expect(drawingLibrariesOf('pictures/child/main.ts')).toEqual(
      expect.arrayContaining(['echarts/core', 'fontkit', 'pdfkit', '@resvg/resvg-js']),
    )
  })

  it.each(['main.ts', 'pictures/pictures.ts', 'pictures/csv.ts'])(
    'are not loaded by %s',
    (entry) => {
      expect(drawingLibrariesOf(entry)).toEqual([])
    },
  )
})
