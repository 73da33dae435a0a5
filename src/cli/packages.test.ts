import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BUNDLED_MODULES, BUNDLED_PACKAGES, bundlePackages } from './packages.ts'

test('bundles export what the packages export', { timeout: 60_000 }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'hedgerow-bundles-'))
  const folder = join(parent, 'packages')

  await bundlePackages(folder)

  for (const [module, file] of Object.entries(BUNDLED_MODULES)) {
    const [bundled, original] = [await import(join(folder, file)), await import(module)]
    expect(Object.keys(bundled)).toEqual(Object.keys(original))
  }
  const { Type } = await import(join(folder, 'typebox.mjs'))
  const { Check } = await import(join(folder, 'typebox-value.mjs'))
  expect(Check(Type.Integer(), 5)).toBe(true)
  expect(Check(Type.Integer(), '5')).toBe(false)
  rmSync(parent, { recursive: true })
})

test('has a bundle for each imported module of these packages', () => {
  const names = BUNDLED_PACKAGES.join('|')
  const imports = new RegExp(`(?:from |import\\()'((?:${names})(?:/[^']+)?)'`, 'g')
  const files = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })

  const modules = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(imports)].map(([, module]) => module),
  )

  expect(new Set(modules)).toEqual(new Set(Object.keys(BUNDLED_MODULES)))
})
