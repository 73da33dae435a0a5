import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SCOPES } from '#server/access/scopes.ts'
import { SECRETS, VARIABLES } from '#server/config.ts'
import { ERRORS } from '#server/errors.ts'
import { ROOT } from '../../tools/sources.ts'

const rowsOf = (name: string): string[] =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))

describe('the documents', () => {
  it('describe every error', () => {
    const rows = Object.entries(ERRORS).map(
      ([code, [status, type, meaning]]) => `| \`${code}\` | ${status} | \`${type}\` | ${meaning} |`,
    )

    expect(rowsOf('errors.md')).toEqual(rows)
  })

  it('describe every setting', () => {
    const rows = VARIABLES.map(
      ([name, byDefault, meaning]) => `| \`${name}\` | ${byDefault} | ${meaning} |`,
    )

    expect(rowsOf('operating.md').slice(0, rows.length)).toEqual(rows)
  })

  it('name every scope among the resources of the API', () => {
    const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

    expect(SCOPES.filter((scope) => !page.includes(`\`${scope}\``))).toEqual([])
  })

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'])(
    'name only existing files in %s',
    (name) => {
      const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
      const paths = [...text.matchAll(/`((?:src|web|test|tools|bench|docs)\/[\w./-]+)`/g)]

      const missing = paths
        .map(([, path]) => path as string)
        .filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))

      expect(missing).toEqual([])
    },
  )

  it.each(['ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'README', 'SECURITY'])(
    'link only to existing files in %s.md',
    (name) => {
      const root = new URL('../../', import.meta.url)
      const text = readFileSync(new URL(`${name}.md`, root), 'utf8')
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
        ([, path]) => path as string,
      )

      expect(links.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
      expect(links).not.toEqual([])
    },
  )

  it.each(['README.md', ...globSync('docs/*.md', { cwd: ROOT })])(
    'use in the commands of %s the variables that it sets, and one name for the key',
    (name) => {
      const text = readFileSync(join(ROOT, name), 'utf8')
      const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code).join('')
      const isSet = new Set([...commands.matchAll(/^(?:export )?(\w+)=/gm)].map(([, set]) => set))
      const expanded = commands.replaceAll(/'[^']*'/g, '') // quoted text is literal
      const used = [...expanded.matchAll(/\$\{?(\w+)/g)].map(([, variable]) => variable as string)

      const unknown = used.filter((variable) => variable !== 'HEDGEROW_KEY' && !isSet.has(variable))

      expect(unknown).toEqual([])
      for (const [, sent] of commands.matchAll(/Authorization: Bearer ([^"']+)/g)) {
        expect(sent).toMatch(/^(\$HEDGEROW_KEY|phx_\.\.\.)$/)
      }
    },
  )

  it('list the settings that can be read from files', () => {
    const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

    for (const name of SECRETS) expect(page).toContain(`\`${name}\``)
  })
})
