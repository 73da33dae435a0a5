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

/** Versions by package, from the lock files of the repository and of the client generators. */
function readVersions(): Map<string, string> {
  const files = ['test/sdks/packages/package-lock.json', 'package-lock.json']
  const packages = files.flatMap((file) => Object.entries(JSON.parse(readFile(file)).packages))
  return new Map(
    packages.map(([path, locked]) => [
      path.replace(/^node_modules\//, ''),
      (locked as { version: string }).version,
    ]),
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

    expect(named.length).toBeGreaterThan(12)
    expect(named.map(([, name, version]) => `${name} ${version}`)).toEqual(
      named.map(([, name = '']) => `${name} ${versions.get(name)}`),
    )
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
    'src/features/mcp/mcp.test.ts': 'test/mcp.ts',
  }
  const helper = helpers[path]
  return readFile(path) + (helper ? readFile(helper) : '')
}
