import { version } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { COMPILER, compileApp, compileFrontend } from '#server/runtime/compile.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { createSpec, EVERY_MINUTE, recordServices, run, startRuntime } from './apps.ts'

const listExports = async (source: string | Record<string, string>) => {
  const runtime = startRuntime()
  return runtime.describe((await createSpec(source)).code)
}

describe('compiling an app', () => {
  it('names the installed version of the compiler', () => {
    expect(COMPILER).toContain(`esbuild ${version}`)
  })

  it.each([
    ['an ES module', 'export async function runEveryMinute() {}'],
    ['a CommonJS module', 'async function runEveryMinute() {} module.exports = { runEveryMinute }'],
    ['assignments to exports', 'exports.runEveryMinute = async () => {}'],
    ['a default export', 'export default { runEveryMinute: async () => {} }'],
    ['global functions', 'async function runEveryMinute() {}'],
    [
      'enums and namespaces',
      'enum A { b } namespace N { export const x = 1 } export const runEveryMinute = () => A.b + N.x',
    ],
  ])('finds the exports of %s', async (_, source) => {
    const { scheduled_tasks } = await listExports(source)

    expect(scheduled_tasks).toEqual(['runEveryMinute'])
  })

  it('prefers exports to globals', async () => {
    const source = 'function runEveryDay() {} export function runEveryHour() {}'

    expect((await listExports(source)).scheduled_tasks).toEqual(['runEveryHour'])
  })

  it('lists tasks, jobs and methods, but only functions', async () => {
    const capabilities = await listExports(`
      export const runEveryHour = 5
      export async function runEveryDay() {}
      export const jobs = { 'Import now': async () => {}, broken: 1 }
      export async function setupPlugin() {}
      export const onEvent = () => {}`)

    expect(capabilities).toEqual({
      scheduled_tasks: ['runEveryDay'],
      jobs: ['Import now'],
      methods: ['setupPlugin', 'onEvent'],
    })
  })

  it('bundles the files that the main file imports', async () => {
    const spec = await createSpec({
      'index.ts': `import { greet } from './lib/greet.js'
        import names from './names.json'
        export const runEveryMinute = () => console.log(greet(names[0]))`,
      'lib/greet.ts': `import { polite } from '../polite'
        export const greet = (name: string) => polite + name`,
      'polite/index.ts': `export const polite = 'Dear '`,
      'names.json': '["Ada"]',
    })
    const services = recordServices()

    await run(startRuntime(), spec, services, EVERY_MINUTE)

    expect(services.messages()).toEqual(['Dear Ada'])
  })

  it('omits type imports that are not marked as such', async () => {
    const source = `import { Plugin } from 'some-types'; const x: Plugin = 1; export const runEveryDay = () => x`

    expect((await listExports(source)).scheduled_tasks).toEqual(['runEveryDay'])
  })

  it('keeps scripts in sloppy mode', async () => {
    const spec = await createSpec(
      'function runEveryMinute() { undeclared = 010; console.log(undeclared) }',
    )
    const services = recordServices()

    await run(startRuntime(), spec, services)

    expect(services.messages()).toEqual(['8'])
  })

  it.each([
    [
      'another package',
      "import kea from 'kea'; kea()",
      "/index.ts: Cannot import 'kea'! This package is not provided by Hedgerow in apps. (1:16)",
    ],
    [
      'a Node module',
      "const fs = require('fs')",
      "Cannot import 'fs'! This package is not provided by Hedgerow in apps.",
    ],
    [
      'a file that is not there',
      "import { x } from './x'; x()",
      "Cannot import './x': the app has no such file.",
    ],
    [
      'a file outside',
      "import { x } from '../../etc/passwd'; x()",
      "Cannot import '../../etc/passwd'",
    ],
    ['a mistake', 'const x = {', '/index.ts: Expected identifier but found end of file (1:11)'],
  ])('refuses %s and reports the position', async (_, source, message) => {
    const compiling = compileApp({ 'index.ts': source }, 'index.ts')

    await expect(compiling).rejects.toThrow(AppProblem)
    await expect(compiling).rejects.toThrow(message)
  })

  it('refuses a missing main file', async () => {
    await expect(compileApp({ 'index.ts': '' }, 'dist/index.js')).rejects.toThrow(
      "Could not find the main file 'dist/index.js'.",
    )
  })

  it('reports the error of an app that cannot be loaded', async () => {
    await expect(listExports(`throw new Error('not today')`)).rejects.toThrow('not today')
  })
})

describe('compiling a frontend', () => {
  it('creates a module whose function returns the exports of the source', async () => {
    const text = await compileFrontend(
      `import React from 'react'; export const scene = { title: 'Hi', view: () => <b>1</b> }`,
    )

    expect(text.startsWith('"use strict";\nexport function getFrontendApp (require) {')).toBe(true)
    const module = await import(`data:text/javascript,${encodeURIComponent(text)}`)
    const app = module.getFrontendApp(() => ({ createElement: (tag: string) => tag }))
    expect(app.scene.title).toBe('Hi')
    expect(app.scene.view()).toBe('b')
  })

  it('refuses a syntax error', async () => {
    await expect(compileFrontend('export const a = <div>')).rejects.toThrow('/frontend.tsx: ')
  })
})
