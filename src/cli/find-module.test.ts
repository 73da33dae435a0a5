import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findModule } from './find-module.ts'

const ROOT = new URL('../..', import.meta.url).href

/** Compares `findModule` with Node for every import of a server. */
const COMPARE = `
  import { registerHooks } from 'node:module'
  import { findModule } from '${ROOT}src/cli/find-module.ts'
  const seen = { same: 0, different: [] }
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const actual = nextResolve(specifier, context)
      const found = findModule(specifier, context.parentURL)
      if (!found || !/^[.#]/.test(specifier)) return actual
      const isSame = found.url === actual.url && found.format === (actual.format ?? found.format)
      if (isSame) seen.same++
      else seen.different.push(specifier + ' in ' + context.parentURL)
      return actual
    },
  })
  await import('${ROOT}src/cli/serve.ts')
  process.stdout.write(JSON.stringify(seen), () => process.exit())
`

test('finds modules where Node finds them', { timeout: 60_000 }, () => {
  const args = ['--input-type=module', '--no-warnings', '--eval', COMPARE]

  const { same, different } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))

  expect(different).toEqual([])
  expect(same).toBeGreaterThan(3000)
})

test.for([
  ['./b.js', 'lib/a/c.js', 'lib/a/b.js'],
  ['../b/d.js', 'lib/a/c.js', 'lib/b/d.js'],
  ['../../b.ts', 'src/a/c/d.ts', 'src/b.ts'],
])('finds %s of %s', ([specifier = '', parent, found]) => {
  expect(findModule(specifier, ROOT + parent)?.url).toBe(ROOT + found)
})

test.for([
  ['fastify', 'src/a.ts'],
  ['kysely', 'bench/a.ts'],
  ['node:fs', 'src/a.ts'],
  ['../package.json', 'src/main.ts'],
  ['./b.js', 'node_modules/fastify/fastify.js'],
])('leaves %s of %s to Node', ([specifier = '', parent]) => {
  expect(findModule(specifier, ROOT + parent)).toBeUndefined()
})
