import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { ROOT, readText } from '../sources.ts'
import { MUTANTS, type Mutant } from './mutants.ts'

/**
 * Plants each mistake, runs the tests that should catch it, and reports the score. A mistake that no test catches is a
 * gap in the tests; one that cannot be planted no longer matches the code. A mistake counts only if its tests pass
 * without it.
 *
 *     npm run mutants                          all of them
 *     npm run mutants -- access guard          those whose name contains these words
 *     npm run mutants -- --from 'web: undo'    continues at the first whose name contains this text
 *     npm run mutants -- --project sqlite      runs the tests of one project of vitest.config.ts
 */
type Outcome = 'noticed' | 'missed' | 'not counted' | 'not planted'

interface Verdict {
  readonly outcome: Outcome
  readonly reason?: string | undefined
}

const SIGNS: Readonly<Record<Outcome, string>> = {
  noticed: '✓',
  missed: '✗',
  'not counted': '!',
  'not planted': '?',
}

const TIMEOUT_MS = 900_000

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '' }, project: { type: 'string', multiple: true } },
})
const projects = options.project?.map((name) => `--project=${name}`) ?? []

let restore = (): void => {}

function plant({ file, find, replace }: Mutant): void {
  const source = readText(file)
  const write = (content: string) => writeFileSync(join(ROOT, file), content)
  restore = () => {
    write(source)
    restore = () => {}
  }
  write(source.replace(find, () => replace))
}

process.on('exit', () => restore())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

function choose(): readonly Mutant[] {
  const first = MUTANTS.findIndex(({ name }) => name.includes(options.from))
  const rest = first < 0 ? [] : MUTANTS.slice(first)
  const found = rest.filter(({ name }) => words.every((word) => name.includes(word)))
  if (found.length === 0) throw new Error('No mistake has this name.')
  return found
}

/** Finds the reason why a mistake cannot be planted, or undefined. */
function findObstacle({ file, find, tests }: Mutant): string | undefined {
  const lost = [file, ...tests].find((path) => !existsSync(join(ROOT, path)))
  if (lost) return `${lost} does not exist`
  const count = readText(file).split(find).length - 1
  return count === 1 ? undefined : `its text occurs ${count} times in ${file}`
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const failure = await failureWithoutMistake(mutant)
  if (failure) return { outcome: 'not counted', reason: `without it fails ${failure}` }
  plant(mutant)
  // one worker, because other workers would finish their tests after the first failure
  const reason = await findFailure(mutant, '--bail=1', '--maxWorkers=1')
  restore()
  if (isBuilt(mutant)) await run('npm', 'run', 'build')
  return { outcome: reason ? 'noticed' : 'missed', reason }
}

const baselines = new Map<string, Promise<string | undefined>>()

/** Runs each set of tests once. */
function failureWithoutMistake(mutant: Mutant): Promise<string | undefined> {
  const key = `${mutant.tests}`
  const baseline = baselines.get(key) ?? findFailure(mutant)
  baselines.set(key, baseline)
  return baseline
}

/** Finds the name of the first test that fails, or undefined. */
async function findFailure(mutant: Mutant, ...flags: string[]): Promise<string | undefined> {
  if (isBuilt(mutant) && !(await run('npm', 'run', 'build')).passed) return 'npm run build'
  const config = mutant.config ? [`--config=${mutant.config}`] : []
  const args = [...config, ...flags, ...projects, ...mutant.tests]
  const { passed, output } = await run('vitest', 'run', ...args)
  return passed ? undefined : (/FAIL +(.+)/.exec(output)?.[1] ?? 'the run, or its time limit')
}

/** Browser tests use the built web app. */
const isBuilt = ({ file, tests }: Mutant): boolean =>
  file.startsWith('web/') && tests.some((test) => test.startsWith('test/browser/'))

async function run(command: string, ...args: readonly string[]) {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: TIMEOUT_MS,
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { passed: code === 0, output: output + errors }
}

const chosen = choose()
const verdicts = new Map<Mutant, Verdict>()
function report(mutant: Mutant, verdict: Verdict): void {
  verdicts.set(mutant, verdict)
  const { outcome, reason } = verdict
  const progress = `${verdicts.size}/${chosen.length}`
  console.log(
    `${SIGNS[outcome]} ${progress} ${mutant.name}: ${outcome}${reason ? `, ${reason}` : ''}`,
  )
}

for (const mutant of chosen) {
  const reason = findObstacle(mutant)
  if (reason) report(mutant, { outcome: 'not planted', reason })
}
for (const mutant of chosen) {
  if (!verdicts.has(mutant)) report(mutant, await judge(mutant))
}

console.log('')
for (const outcome of Object.keys(SIGNS) as Outcome[]) {
  const names = chosen.filter((mutant) => verdicts.get(mutant)?.outcome === outcome)
  if (outcome === 'noticed') console.log(`${names.length} of ${chosen.length} mistakes noticed`)
  else for (const { name } of names) console.log(`${outcome}: ${name}`)
}
const isComplete = chosen.every((mutant) => verdicts.get(mutant)?.outcome === 'noticed')
process.exitCode = isComplete ? 0 : 1
