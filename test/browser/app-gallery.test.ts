import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { create } from 'tar'
import { expect, it, onTestFinished } from 'vitest'
import { appOf, PLUGINS } from '../support/app/plugin.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const GALLERY = '/project/1/apps/gallery'

/** Writes an app into a temporary folder. */
async function writeApp(name: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'hedgerow-gallery-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const folder = join(parent, 'package')
  await mkdir(join(folder, 'lib'), { recursive: true })
  const files = appOf(
    "import { double } from './lib/double.ts'\nexport const jobs = { work: () => double(1) }",
    { name },
    { 'lib/double.ts': 'export const double = (n: number) => n * 2', 'index.test.ts': 'throw 1' },
  )
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  return folder
}

/** Replaces the text of the editor. */
async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+a')
  await editor.page().keyboard.insertText(text)
}

it('installs an app written in the page, marks its compile errors, and edits its source', async () => {
  const web = await startWeb()
  const { api, page } = web
  await page.goto(GALLERY)
  await page.getByRole('button', { name: 'Install app' }).click()
  await page.getByRole('menuitem', { name: 'Write source code' }).click()
  const editor = page.getByRole('textbox', { name: 'index.ts' })
  await editor.getByText('runEveryHour').waitFor()

  await replaceText(editor, 'export const jobs = {}\n\nconst wrong = (\n')
  await page.getByRole('button', { name: 'Install app' }).click()
  await page.getByRole('alert').getByText('index.ts, line 4').waitFor()
  await page.locator('.cm-error-line').waitFor()
  expect((await api.get(`${PLUGINS}/1000`)).status).toBe(404)
  await replaceText(editor, "export const jobs = { 'Import now'() {} }")
  await page.getByRole('button', { name: 'Install app' }).click()
  await page.getByRole('heading', { name: 'My app' }).waitFor()

  await page.getByRole('button', { name: 'Actions for My app' }).click()
  await page.getByRole('menuitem', { name: 'Edit source' }).click()
  await replaceText(
    editor,
    "export const jobs = { 'Import now'() {} }\nexport const runEveryDay = () => {}",
  )
  await page.getByRole('button', { name: 'hedgerow.d.ts' }).click()
  await page.getByRole('button', { name: 'Remove file' }).click()
  await page.getByRole('button', { name: 'Save source' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const source = await api.get(`${PLUGINS}/1000/source`)
  expect(Object.keys(source.body)).toContain('index.ts')
  expect(Object.keys(source.body)).not.toContain('hedgerow.d.ts')
  const { capabilities } = (await api.get(`${PLUGINS}/1000`)).body
  expect(capabilities.scheduled_tasks).toEqual(['runEveryDay'])
  expectNoProblems(web)
})

it('installs apps from a folder and from an archive', async () => {
  const { api, page } = await startWeb()
  const folder = await writeApp('From a folder')
  const packed = await writeApp('From an archive')
  const file = join(packed, '..', 'app.tgz')
  await create({ gzip: true, file, cwd: join(packed, '..') }, ['package'])
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Install app' }).click()
    await page.getByRole('menuitem', { name: 'From folder or .tgz file' }).click()
  }
  await page.goto(GALLERY)

  await openDialog()
  await page.getByLabel('Folder', { exact: true }).setInputFiles(folder)
  await page.getByRole('heading', { name: 'From a folder' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await openDialog()
  const archive = page.getByLabel('Archive', { exact: true })
  const text = { name: 'app.tgz', mimeType: 'application/gzip', buffer: Buffer.from('no') }
  await archive.setInputFiles(text)
  await page.getByText('This file is not a .tgz archive.').waitFor()
  await archive.setInputFiles(file)
  await page.getByRole('heading', { name: 'From an archive' }).waitFor()

  const kept = ['index.ts', 'lib/double.ts', 'plugin.json']
  for (const id of [1000, 1001]) {
    const source = await api.get(`${PLUGINS}/${id}/source`)
    expect(Object.keys(source.body).toSorted()).toEqual(kept)
    expect(source.body['lib/double.ts']).toContain('n * 2')
  }
})
