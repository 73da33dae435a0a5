import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../tools/sources.ts'

const readFile = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const PAGE = readFile('docs/compatibility.md')

/** The rows of all tables; a row's cells are named for their column. */
const rows = PAGE.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Software |'))
  .map((line) => {
    const [software = '', support = '', version = '', test = ''] = line
      .slice(1)
      .split('|')
      .map((cell) => cell.trim())
    return { software, support, version, test }
  })

/** Packages and their versions, from the lock files of the repository, the client generators and the clients. */
function readVersions(): Set<string> {
  const folders = ['.', 'test/sdks/packages', 'test/clients/packages']
  const packages = folders.flatMap((folder) =>
    Object.entries(JSON.parse(readFile(join(folder, 'package-lock.json'))).packages),
  )
  return new Set(
    packages.map(([path, locked]) => {
      // an alias has the name of its package
      const { name, version } = locked as { name?: string; version: string }
      return `${name ?? path.replace(/^node_modules\//, '')} ${version}`
    }),
  )
}

describe('docs/compatibility.md', () => {
  it('has a known kind of support in each row', () => {
    const kinds = rows.map(({ support }) => support)

    expect(rows.length).toBeGreaterThan(20)
    expect([...new Set(kinds)].sort()).toEqual(['no', 'not tested', 'partly', 'replayed', 'yes'])
  })

  it('names the versions that are installed', () => {
    const versions = readVersions()
    const named = [...PAGE.matchAll(/`([@\w/-]+)` (\d+\.\d[\w.-]*)/g)]

    expect(named.length).toBeGreaterThan(20)
    const unknown = named.map(([, name, version]) => `${name} ${version}`)
    expect(unknown.filter((one) => !versions.has(one))).toEqual([])
  })

  it.each(rows)('names an existing test: $software', ({ support, version, test }) => {
    const files = [...test.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string)

    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(files.length > 0).toBe(support !== 'not tested')
    if (version !== '') expect(['yes', 'partly']).toContain(support)
  })

  it('names a package only in a row whose test uses it', () => {
    const unused = rows.flatMap(({ version, test }) => {
      const tests = [...test.matchAll(/`([^`]+)`/g)].map(([, path]) => readSources(path as string))
      const packages = [...version.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)
      return packages.filter((name) => !tests.join('').includes(name))
    })

    expect(unused).toEqual([])
  })
})

/** Reads a test, and what it runs: helpers beside it, and the recipes of the client generators. */
function readSources(path: string): string {
  const helpers: Readonly<Record<string, string>> = {
    'test/browser/snippet.test.ts': 'test/browser/site.ts',
    'test/sdks/sdks.test.ts': 'docs/sdks.md',
    'src/features/mcp/mcp.test.ts': 'test/support/app/mcp.ts',
  }
  const helper = helpers[path]
  return readFile(path) + (helper ? readFile(helper) : '')
}
