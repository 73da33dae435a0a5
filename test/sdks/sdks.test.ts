import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLE_ORIGIN } from '#server/docs/example-origin.ts'
import { ROOT } from '../../tools/sources.ts'
import { startApp } from '../support/app/app.ts'
import { temporaryFolder } from '../support/data/backups.ts'
import { type Recipe, readRecipes } from './recipes.ts'
import { installTools, PACKAGES, runTool } from './tools.ts'

const FOLDER = import.meta.dirname
const DOCUMENT = join(ROOT, 'openapi.json')
/** With this repository's TypeScript instead of the one that the generators use. */
const CHECK = `${join(ROOT, 'node_modules/.bin/tsc')} --typeRoots ${join(ROOT, 'node_modules/@types')}`

const [basics, ...recipes] = readRecipes() as [Recipe, ...Recipe[]]

beforeAll(installTools)

describe('openapi.json', () => {
  it('has no error and no warning of Redocly', async () => {
    const output = await runTool(`redocly lint --format json ${DOCUMENT}`, FOLDER)

    expect(JSON.parse(output).problems).toEqual([])
  })

  it('has no error and no warning of Spectral', async () => {
    const lint = 'spectral lint --ruleset spectral.yaml --format json --fail-severity error'

    const output = await runTool(`${lint} --quiet ${DOCUMENT}`, FOLDER)

    expect(JSON.parse(output)).toEqual([])
  })
})

describe('docs/sdks.md', () => {
  it('installs the packages that are tested', () => {
    const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'packages/package.json'), 'utf8'))
    const commands = [basics, ...recipes].flatMap((recipe) => recipe.commands)
    const named = commands.flatMap((command) => [...command.matchAll(/(\S+)@(\d\S+)/g)])

    const packages = Object.fromEntries(named.map(([, name, version]) => [name, version]))

    const linters = {
      '@redocly/cli': expect.any(String),
      '@stoplight/spectral-cli': expect.any(String),
    }
    expect({ ...linters, ...packages }).toEqual(dependencies)
  })

  it.each(recipes)('$name: creates, lists and updates a dashboard', async (recipe) => {
    const api = await startApp()
    const { key } = await api.as({ scopes: ['dashboard:read', 'dashboard:write'] })
    const folder = await prepareFolder(recipe, api.url)
    for (const command of recipe.commands) {
      if (!command.startsWith('npm install')) await runTool(withAddress(command, api.url), folder)
    }

    await runTool(CHECK, folder)
    const output = await runTool('tsx example.ts', folder, { HEDGEROW_KEY: key })

    const { body } = await api.get('dashboards')
    expect(body.results).toMatchObject([{ name: 'Signups', pinned: true }])
    expect(output.trim()).toBe(`${body.results[0].id} Signups`)

    const wrong = recipe.files['example.ts']?.replace("name: 'Signups'", 'name: 7')
    writeFileSync(join(folder, 'example.ts'), `${wrong}`)
    await expect(runTool(CHECK, folder)).rejects.toThrow("Type 'number' is not assignable")
  })
})

/** Creates a folder with the files of a recipe, whose packages are installed. */
async function prepareFolder(recipe: Recipe, url: string): Promise<string> {
  const folder = await temporaryFolder()
  symlinkSync(PACKAGES, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [name, code] of Object.entries({ ...basics.files, ...recipe.files })) {
    writeFileSync(join(folder, name), withAddress(code, url))
  }
  return folder
}

const withAddress = (text: string, url: string): string => text.replaceAll(EXAMPLE_ORIGIN, url)
