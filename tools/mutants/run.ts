import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'
import { MUTANTS, type Mutant } from './mutants.ts'

/**
 * Plants each mistake, runs the tests that should notice it, and reports the score. A mistake that no test notices is a
 * gap in the tests; one that cannot be planted has lost its place in the code. `npm run mutants -- guard` runs those
 * whose name contains a word.
 */
type Outcome = 'noticed' | 'missed' | 'not planted'

const TIMEOUT_MS = 300_000

function run(mutant: Mutant): Outcome {
  const path = join(ROOT, mutant.file)
  const source = readFileSync(path, 'utf8')
  if (source.split(mutant.find).length !== 2) return 'not planted'
  writeFileSync(
    path,
    source.replace(mutant.find, () => mutant.replace),
  )
  try {
    return isNoticed(mutant) ? 'noticed' : 'missed'
  } finally {
    writeFileSync(path, source)
  }
}

function isNoticed({ tests, file }: Mutant): boolean {
  const isDrivenByBrowser = tests.some((test) => test.startsWith('test/browser/'))
  if (isDrivenByBrowser && file.startsWith('web/') && !succeeds('npm', ['run', 'build'])) {
    return true // the types or the bundler noticed
  }
  return !succeeds('npx', ['vitest', 'run', '--bail=1', ...tests])
}

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { cwd: ROOT, stdio: 'ignore', timeout: TIMEOUT_MS }).status === 0

const SIGNS: Readonly<Record<Outcome, string>> = { noticed: '✓', missed: '✗', 'not planted': '?' }

const words = process.argv.slice(2)
const chosen = MUTANTS.filter(({ name }) => words.every((word) => name.includes(word)))
const counts: Record<Outcome, number> = { noticed: 0, missed: 0, 'not planted': 0 }
for (const [index, mutant] of chosen.entries()) {
  const start = performance.now()
  const outcome = run(mutant)
  counts[outcome]++
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(
    `${SIGNS[outcome]} ${index + 1}/${chosen.length} ${mutant.name}: ${outcome} (${seconds} s)`,
  )
}
const unplanted = counts['not planted'] > 0 ? `, ${counts['not planted']} not planted` : ''
console.log(`\n${counts.noticed} of ${chosen.length} mistakes noticed${unplanted}`)
process.exitCode = counts.noticed === chosen.length ? 0 : 1
