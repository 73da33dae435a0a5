import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainsInCycles } from '../test/rules/sources.ts'
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

function printSizes(files: readonly string[]): void {
  console.log('Area    Files  Median  p90  Longest')
  for (const [area, belongs] of Object.entries(AREAS)) {
    const sizes = files
      .filter((file) => belongs(file) && !MIGRATION.test(file))
      .map((file) => ({ file, lines: readText(file).split('\n').length - 1 }))
      .sort((a, b) => a.lines - b.lines)
    const at = (share: number): number => sizes[Math.floor(sizes.length * share)]?.lines ?? 0
    const longest = sizes.at(-1)
    const numbers = [String(sizes.length).padStart(6), String(at(0.5)).padStart(7)]
    console.log(
      `${area.padEnd(7)}${numbers.join(' ')}${String(at(0.9)).padStart(5)}  ${longest?.lines} ${longest?.file}`,
    )
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
const cycles = domainsInCycles()
console.log(`\nImport cycles between domains: ${cycles.length} ${cycles.join(', ')}`)

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
