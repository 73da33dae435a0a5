import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { create } from 'tar'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONFIGS } from '../app.ts'
import { appOf, PLUGINS, sourceOf } from '../plugin.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

const GALLERY = '/project/1/apps/gallery'
const NOTHING = 'export const jobs = {}'

/** An app in a folder of this machine. */
async function makeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'hedgerow-gallery-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const folder = join(parent, 'package')
  await mkdir(join(folder, 'lib'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** As people do. `fill` would have the browser keep the look of what it replaces, as a style. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+a')
  await editor.press('Delete')
  await editor.page().keyboard.insertText(text)
}

const IN_PARTS = appOf(
  "import { double } from './lib/double.ts'\nexport const jobs = { work: () => double(1) }",
  { name: 'In parts' },
  { 'lib/double.ts': 'export const double = (n: number) => n * 2', 'index.test.ts': 'throw 1' },
)

describe('the gallery of apps', () => {
  it('finds an app by what it does', async () => {
    const { page } = await startWeb()
    await page.goto(GALLERY)

    await page.getByLabel('Search apps').fill('rows of a')

    await page.getByRole('heading', { name: 'PostgreSQL table' }).waitFor()
    await page.getByRole('heading', { name: 'CSV' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('search')).toBe('rows of a')
  })

  it('installs an app that is written in the page, and shows the line of a mistake', async () => {
    const web = await startWeb()
    const { api, page } = web
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Install app' }).click()
    await page.getByRole('menuitem', { name: 'Write source code' }).click()
    const editor = page.getByRole('textbox', { name: 'index.ts' })
    await editor.getByText('runEveryHour').waitFor()

    await write(editor, 'export const jobs = {}\n\nconst wrong = (\n')
    await page.getByRole('button', { name: 'Install app', exact: true }).click()

    const alert = page.getByRole('alert')
    await alert.getByText('index.ts, line 4').waitFor()
    await page.locator('.cm-error-line').waitFor()
    expect((await api.get(PLUGINS)).body.count).toBe(4)

    await write(editor, "export const jobs = { 'Import now'() {} }")
    await page.getByRole('button', { name: 'Install app', exact: true }).click()
    await page.getByRole('heading', { name: 'My app' }).waitFor()
    expectNoProblems(web)
  })

  it('edits the source of an app', async () => {
    const { api, page } = await startWeb()
    const { body } = await api.post(PLUGINS, sourceOf(NOTHING, {}, { 'old.ts': '' }))
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Actions for Test app' }).click()
    await page.getByRole('menuitem', { name: 'Edit source' }).click()

    const editor = page.getByRole('textbox', { name: 'index.ts' })
    await write(editor, 'export const runEveryDay = () => {}')
    await page.getByRole('button', { name: 'old.ts' }).click()
    await page.getByRole('button', { name: 'Remove file' }).click()
    await page.getByRole('button', { name: 'Save source' }).click()

    await page.getByText('Saved', { exact: true }).waitFor()
    const source = await api.get(`${PLUGINS}/${body.id}/source`)
    expect(Object.keys(source.body).toSorted()).toEqual(['index.ts', 'plugin.json'])
    const { capabilities } = (await api.get(`${PLUGINS}/${body.id}`)).body
    expect(capabilities.scheduled_tasks).toEqual(['runEveryDay'])
  })

  it('installs an app from a folder, without its tests', async () => {
    const { api, page } = await startWeb()
    const folder = await makeFolder(IN_PARTS)
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Install app' }).click()
    await page.getByRole('menuitem', { name: 'From folder' }).click()

    await page.getByLabel('Folder', { exact: true }).setInputFiles(folder)

    await page.getByRole('heading', { name: 'In parts' }).waitFor()
    const source = await api.get(`${PLUGINS}/1000/source`)
    expect(Object.keys(source.body).toSorted()).toEqual([
      'index.ts',
      'lib/double.ts',
      'plugin.json',
    ])
  })

  it('installs an app from an archive, and says when it is none', async () => {
    const { api, page } = await startWeb()
    const folder = await makeFolder(IN_PARTS)
    const file = join(folder, '..', 'app.tgz')
    await create({ gzip: true, file, cwd: join(folder, '..') }, ['package'])
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Install app' }).click()
    await page.getByRole('menuitem', { name: 'From folder' }).click()
    const archive = page.getByLabel('Archive', { exact: true })

    const text = { name: 'app.tgz', mimeType: 'application/gzip', buffer: Buffer.from('no') }
    await archive.setInputFiles(text)
    await page.getByText('This file is not a .tgz archive.').waitFor()
    await archive.setInputFiles(file)

    await page.getByRole('heading', { name: 'In parts' }).waitFor()
    const source = await api.get(`${PLUGINS}/1000/source`)
    expect(source.body['lib/double.ts']).toContain('n * 2')
  })

  it('says at the field why a package cannot be installed', async () => {
    const { page } = await startWeb()
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Install app' }).click()
    await page.getByRole('menuitem', { name: 'From npm' }).click()

    await page.getByLabel('Package').fill('not a name')
    await page.getByRole('dialog').getByRole('button', { name: 'Install app' }).click()

    await page.getByText('The URL must be npm:<name>').waitFor()
  })

  it('uninstalls an app after saying what that means, and its config tells so', async () => {
    const { api, page } = await startWeb()
    const { body } = await api.post(PLUGINS, sourceOf(NOTHING))
    await api.post(CONFIGS, { plugin: body.id, enabled: true, name: 'Mine' })
    const shop = await api.createProject('Shop')
    await api.post(api.path(CONFIGS, shop), { plugin: body.id, name: 'Theirs' })
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Actions for Test app' }).click()
    await page.getByRole('menuitem', { name: 'Uninstall app…' }).click()

    await page.getByText(/^2 import apps in 2 projects \(.*, Shop\) will stop running/).waitFor()
    await page.getByRole('button', { name: 'Uninstall app' }).click()

    await page
      .getByRole('heading', { name: 'Test app', exact: true })
      .waitFor({ state: 'detached' })
    await page.goto('/project/1/apps')
    await page.getByText('Not installed', { exact: true }).waitFor()
  })

  it('lets members add apps, and says that only admins install them', async () => {
    const { api } = await startWeb()
    await api.post(PLUGINS, sourceOf(NOTHING))
    const member = await api.as({ level: 1 })
    const { page } = await openBrowser(api, { as: member })
    await page.goto(GALLERY)

    await page.getByText('Only admins can install apps.').waitFor()
    expect(await page.getByRole('button', { name: 'Actions for Test app' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add Test app to project' }).click()
    await page.getByRole('heading', { name: 'Test app', level: 1 }).waitFor()
    await page.goto('/project/1/apps/source')
    await page.getByText('Only admins can install apps and edit their source.').waitFor()
  })
})
