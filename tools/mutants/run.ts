import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createVitest,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'
import { ROOT, readText } from '../sources.ts'
import { findObstacle } from './find-obstacle.ts'
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
const LATE = 'the time limit'

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '' }, project: { type: 'string', multiple: true } },
})

let unplant = (): void => {}

async function plant({ file, find, replace }: Mutant): Promise<void> {
  const source = readText(file)
  const path = join(ROOT, file)
  unplant = () => {
    writeFileSync(path, source)
    unplant = () => {}
  }
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  await forget(path)
}

async function restore({ file }: Mutant): Promise<void> {
  unplant()
  await forget(join(ROOT, file))
}

/** Lets the component tests read a changed file again. */
async function forget(path: string): Promise<void> {
  for (const vitest of opened.values()) (await vitest).invalidateFile(path)
}

process.on('exit', () => unplant())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

function choose(): readonly Mutant[] {
  const first = MUTANTS.findIndex(({ name }) => name.includes(options.from))
  const rest = first < 0 ? [] : MUTANTS.slice(first)
  const found = rest.filter(({ name }) => words.every((word) => name.includes(word)))
  if (found.length === 0) throw new Error('No mistake has this name.')
  return found
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const failure = await failureWithoutMistake(mutant)
  if (failure) return { outcome: 'not counted', reason: `without it fails ${failure}` }
  await plant(mutant)
  const reason = isBuilt(mutant) && !(await build()) ? 'npm run build' : await run(mutant)
  await restore(mutant)
  if (isBuilt(mutant)) await build()
  // a busy machine is late too, and a mistake that makes the product wait fails at the limit of a test
  if (reason === LATE) return { outcome: 'not counted', reason }
  return { outcome: reason ? 'noticed' : 'missed', reason }
}

/** The files whose tests pass without a mistake. Each runs once, for all mistakes. */
const passing = new Set<string>()

async function failureWithoutMistake(mutant: Mutant): Promise<string | undefined> {
  if (isBuilt(mutant) && !(await build())) return 'npm run build'
  const failure = await run(mutant, passing)
  if (failure) return failure
  for (const file of await filesOf(mutant)) passing.add(file)
  return undefined
}

const toFile = ({ project, moduleId }: TestSpecification | TestModule) =>
  `${project.name} ${moduleId}`
const filesOf = async (mutant: Mutant) => (await listSpecifications(mutant)).map(toFile)

async function listSpecifications({ config, tests }: Mutant): Promise<TestSpecification[]> {
  return (await open(config)).globTestSpecifications([...tests])
}

const opened = new Map<string | undefined, Promise<Vitest>>()

/** Opens one Vitest for all runs of a configuration: its start and set-up take longer than most tests. */
function open(config: Mutant['config']): Promise<Vitest> {
  const known = opened.get(config)
  if (known) return known
  const opening = createVitest('test', {
    ...(config && { config }),
    ...(options.project && { project: options.project }),
    watch: false,
    // other workers would finish their tests after the first failure
    maxWorkers: 1,
    reporters: [{ onTestCaseResult: stopAtFailure }],
  })
  opened.set(config, opening)
  return opening
}

/** The failures of the current run. */
const failures: TestCase[] = []

async function stopAtFailure(test: TestCase): Promise<void> {
  if (test.result().state !== 'failed' || failures.push(test) > 1) return
  // not awaited, because the next reports would wait too, until the next run has begun
  for (const vitest of opened.values()) void (await vitest).cancelCurrentRun('test-failure')
}

/** Returns the name of the first test that fails, or undefined. */
async function run(mutant: Mutant, except?: ReadonlySet<string>): Promise<string | undefined> {
  const all = await listSpecifications(mutant)
  if (all.length === 0) return 'the search for its tests'
  const specifications = all.filter((one) => !except?.has(toFile(one)))
  if (specifications.length === 0) return undefined
  const vitest = await open(mutant.config)
  failures.length = 0
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void vitest.cancelCurrentRun('test-failure')
  }, TIMEOUT_MS)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  clearTimeout(timer)
  if (isLate) return LATE
  const [test] = failures
  if (test) return `${test.module.relativeModuleId} > ${test.fullName}`
  // Vitest also returns the files of earlier runs
  const files = new Set(specifications.map(toFile))
  const broken = testModules.find((one) => files.has(toFile(one)) && one.state() === 'failed')
  return broken?.relativeModuleId ?? (unhandledErrors.length > 0 ? 'the run' : undefined)
}

/** Browser tests use the built web app. */
const isBuilt = ({ file, tests }: Mutant): boolean =>
  file.startsWith('web/') && tests.some((test) => test.startsWith('test/browser/'))

async function build(): Promise<boolean> {
  const [code] = await once(spawn('npm', ['run', 'build'], { cwd: ROOT, stdio: 'ignore' }), 'close')
  return code === 0
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
for (const vitest of opened.values()) await (await vitest).close()
process.exitCode = isComplete ? 0 : 1
