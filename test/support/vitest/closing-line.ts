import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export const COUNTS_FILE = 'node_modules/.cache/hedgerow/last-test-counts.json'

/**
 * Prints the number and duration of each project's tests, and the last line of a run, `N passed, N failed`, which scripts
 * read. A full run also prints the tests that passed only at the second attempt.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const isFull = modules.some(({ project }) => project.config.env?.TEST_EFFORT === 'full')
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    const projects = new Map<string, { tests: number; ms: number }>()
    const flaky: string[] = []
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++
      const project = projects.get(module.project.name) ?? { tests: 0, ms: 0 }
      projects.set(module.project.name, project)
      project.ms += module.diagnostic().duration
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (isFilteredOut(test)) continue
        if (state !== 'pending') count[state]++
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId}: ${test.fullName}`)
        project.tests++
      }
    }
    mkdirSync(dirname(COUNTS_FILE), { recursive: true })
    writeFileSync(COUNTS_FILE, JSON.stringify(count))
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () => {
      for (const [name, { tests, ms }] of projects) {
        process.stdout.write(`\n${name}: ${tests} tests, ${Math.round(ms / 1000)} s of workers`)
      }
      if (isFull) {
        for (const name of flaky) process.stdout.write(`\nPassed at the second attempt: ${name}`)
        process.stdout.write(`\nThe full check took ${Math.round(process.uptime())} s.`)
      }
      process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`)
    })
  }
}

/** Tests whose tags the project does not select run in another project. */
const isFilteredOut = ({ project, tags }: TestCase): boolean =>
  project.config.tagsFilter?.some((tag) => !tags.includes(tag)) ?? false
