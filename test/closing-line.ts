import type { Reporter, TestModule } from 'vitest/node'

/** The last line of a run, for whoever reads it by machine: `N passed, N failed`. Before it, what passed only at a second try. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    const shaky: string[] = []
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') count[state]++
        if (test.diagnostic()?.flaky) shaky.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () => {
      for (const name of shaky) process.stdout.write(`\npassed at the second try only: ${name}`)
      process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`)
    })
  }
}
