import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainImports, featureImports, partsInCycles } from '../test/rules/sources.ts'
import { findDuplicates } from './duplicates.ts'
import { findForbidden } from './language.ts'
import { isCode, isTest, listFiles, ROOT, readText } from './sources.ts'

/**
 * Prints code measures: file sizes, import cycles, duplicates, repeated names, forbidden wording and the last test run.
 */

const AREAS: Readonly<Record<string, (file: string) => boolean>> = {
  src: (file) => file.startsWith('src/') && !isTest(file),
  web: (file) => file.startsWith('web/') && !isTest(file),
  apps: (file) => file.startsWith('apps/') && !isTest(file),
  tests: (file) => isTest(file) || file.startsWith('test/'),
  bench: (file) => file.startsWith('bench/') || file.startsWith('tools/'),
}

const MIGRATION = /^src\/db\/migrations\//

/** A file with fewer lines is a crumb: it seldom is a whole thought. */
const CRUMB = 15

const isProduct = (file: string): boolean => /^(src|web)\//.test(file) && !isTest(file)

function printSizes(files: readonly string[]): void {
  console.log('Area    Files   Lines  Median  p90  Crumbs  Longest')
  for (const [area, belongs] of Object.entries(AREAS)) {
    const sizes = files
      .filter((file) => belongs(file) && !MIGRATION.test(file))
      .map((file) => ({ file, lines: countLines(file) }))
      .sort((a, b) => a.lines - b.lines)
    const at = (share: number): number => sizes[Math.floor(sizes.length * share)]?.lines ?? 0
    const columns = [
      String(sizes.length).padStart(6),
      String(sizes.reduce((sum, { lines }) => sum + lines, 0)).padStart(7),
      String(at(0.5)).padStart(7),
      String(at(0.9)).padStart(4),
      String(sizes.filter(({ lines }) => lines < CRUMB).length).padStart(7),
    ]
    const longest = sizes.at(-1)
    console.log(`${area.padEnd(7)}${columns.join(' ')}  ${longest?.lines} ${longest?.file}`)
  }
  const product = listFiles('src', 'web').filter(
    (file) => /\.(tsx?|css)$/.test(file) && isProduct(file) && !file.startsWith('web/src/test/'),
  )
  const lines = product.reduce((sum, file) => sum + countLines(file), 0)
  console.log(`Product, with styles and migrations: ${lines} lines`)
}

const countLines = (file: string): number => readText(file).split('\n').length - 1

/** Things that should be said once: a word that stands wherever one is said, and the files that only use it. */
const SAID_ONCE: Readonly<Record<string, { readonly word: RegExp; readonly uses: RegExp }>> = {
  'a field of a dashboard': { word: /\bpinned\b/, uses: /^web\// },
  'a display of a chart': { word: /\bActionsBarValue\b/, uses: /\/templates\/built-in\// },
}

function printPlaces(files: readonly string[], isDetailed: boolean): void {
  for (const [thing, { word, uses }] of Object.entries(SAID_ONCE)) {
    const places = files.filter(
      (file) =>
        isProduct(file) && !MIGRATION.test(file) && !uses.test(file) && word.test(readText(file)),
    )
    console.log(`Files that name ${thing}: ${places.length}`)
    if (isDetailed) for (const place of places) console.log(`  ${place}`)
  }
}

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm

/** Finds exported names that occur in more than one file. A schema and its type share a name on purpose. */
export function findRepeatedNames(files: readonly string[]): [string, string[]][] {
  const places = new Map<string, Set<string>>()
  for (const file of files) {
    for (const [, name] of readText(file).matchAll(EXPORTED)) {
      places.set(name as string, (places.get(name as string) ?? new Set()).add(file))
    }
  }
  return [...places]
    .filter(([, where]) => where.size > 1)
    .map(([name, where]): [string, string[]] => [name, [...where]])
    .sort(([, a], [, b]) => b.length - a.length)
}

function printLastRun(): void {
  const path = join(ROOT, 'node_modules/.cache/hedgerow/last-test-run.json')
  if (!existsSync(path)) {
    console.log('Last test run: none yet (npm test)')
    return
  }
  const { wallSeconds, cpuSeconds, passed, failed } = JSON.parse(readFileSync(path, 'utf8'))
  console.log(
    `Last test run: ${wallSeconds} s wall, ${cpuSeconds} s CPU, ${passed} passed, ${failed} failed`,
  )
}

const isDetailed = process.argv.includes('--details')
const files = listFiles('src', 'web', 'apps', 'test', 'bench', 'tools').filter(isCode)

printSizes(files)
const cycles = partsInCycles(domainImports())
console.log(`\nImport cycles between domains: ${cycles.length} ${cycles.join(', ')}`)
const inCycles = partsInCycles(featureImports())
console.log(`Features in import cycles: ${inCycles.length} ${inCycles.join(', ')}`)

printPlaces(files, isDetailed)

const duplicates = ['src', 'web/src'].flatMap(findDuplicates)
console.log(`Duplicate pairs (6 or more equal lines): ${duplicates.length}`)
if (isDetailed) for (const { first, second } of duplicates) console.log(`  ${first} = ${second}`)

const repeated = findRepeatedNames(
  files.filter((file) => /^(src|web\/src)\//.test(file) && !isTest(file)),
)
console.log(`Exported names that occur more than once: ${repeated.length}`)
if (isDetailed) for (const [name, where] of repeated) console.log(`  ${name}: ${where.join(', ')}`)

const forbidden = findForbidden()
console.log(`Forbidden phrases: ${forbidden.length}${forbidden.length ? ' (npm run lint)' : ''}`)
printLastRun()
