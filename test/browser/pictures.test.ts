import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { openBrowser } from './browser.ts'
import { compare, shrink } from './pictures/compare.ts'
import { drawProduction } from './pictures/diagram.ts'
import { createPictureWorld, NOW, stopClock } from './pictures/world.ts'

const STORED = new URL('pictures/stored/', import.meta.url)
const DOCUMENTS = new URL('../../docs/pictures/', import.meta.url)
const UPDATES = process.env.UPDATE_PICTURES === '1'

/** Above the antialiasing of other machines, below another font: the test below measures that. */
const TOLERANCE = 0.06

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
}

/** The pictures of the documentation: a page and a look, and what to click first. */
const ILLUSTRATIONS = [
  { file: 'web-dashboard.webp', page: 'dashboard', look: 'light' },
  { file: 'web-insight-dark.webp', page: 'insight', look: 'dark' },
  { file: 'sql.webp', page: 'sql', look: 'light' },
  { file: 'alerts.webp', page: 'alerts', look: 'light' },
  { file: 'source-editor.webp', page: 'source', look: 'light' },
  { file: 'test-run.webp', page: 'test-run', look: 'light' },
  { file: 'share-dialog.webp', page: 'dashboard', look: 'light', click: 'Share' },
] as const

/** The pictures that the server draws itself. */
const EXPORTS = [
  { file: 'dashboard-dark.webp', path: 'dashboards/1/export.png?scheme=dark' },
  { file: 'trends-light.webp', path: 'insights/1/export.png' },
]

/** Opens a page and returns its screenshot once nothing changes any more. */
async function shoot(page: Page, path: string): Promise<Buffer> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.evaluate('document.fonts.ready')
  let before = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  for (let tries = 0; tries < 20; tries++) {
    await page.waitForTimeout(250)
    const now = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (now.equals(before)) break
    before = now
  }
  return before
}

async function takeExports(api: TestApp): Promise<void> {
  const { page } = await openBrowser(api, { changesClock: true })
  for (const { file, path } of EXPORTS) {
    const headers = { authorization: `Bearer ${OWNER.apiKey}` }
    const response = await fetch(api.address(path), { headers })
    const png = Buffer.from(await response.arrayBuffer())
    writeFileSync(new URL(file, DOCUMENTS), await shrink(page, png, 0.5))
  }
}

it('the main pages look as in their last pictures', { timeout: 300_000 }, async () => {
  stopClock()
  const api = await startApp()
  const { compared, shown } = await createPictureWorld(api)
  const paths: Readonly<Record<string, string>> = { ...compared, ...shown }
  const changed: Record<string, number> = {}
  mkdirSync(STORED, { recursive: true })
  for (const [look, options] of Object.entries(LOOKS)) {
    const { page } = await openBrowser(api, { ...options, changesClock: true })
    await page.clock.setFixedTime(NOW)
    const canvas = await page.context().newPage()
    for (const [name, path] of Object.entries(compared)) {
      const screenshot = await shoot(page, path)
      const file = new URL(`${name}-${look}.webp`, STORED)
      if (UPDATES) writeFileSync(file, await shrink(canvas, screenshot))
      const share = existsSync(file) ? await compare(canvas, readFileSync(file), screenshot) : 1
      if (share > TOLERANCE) changed[`${name}-${look}`] = Number(share.toFixed(3))
    }
    for (const { file, page: name, ...more } of ILLUSTRATIONS) {
      if (!UPDATES || more.look !== look) continue
      await shoot(page, paths[name] as string)
      if ('click' in more) await page.getByRole('button', { name: more.click }).first().click()
      if ('click' in more) await page.getByRole('dialog').waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      writeFileSync(new URL(file, DOCUMENTS), await shrink(canvas, screenshot, 1))
    }
  }
  if (UPDATES) await takeExports(api)
  if (UPDATES) writeFileSync(new URL('production.svg', DOCUMENTS), drawProduction())
  expect(changed, 'If these changes are intended, run "npm run pictures".').toEqual({})

  const { page } = await openBrowser(api, { ...LOOKS.light, changesClock: true })
  await page.clock.setFixedTime(NOW)
  const canvas = await page.context().newPage()
  for (const name of ['dashboards', 'dashboard', 'events']) {
    await shoot(page, paths[name] as string)
    await page.evaluate("document.body.style.fontFamily = 'serif'")
    await page.evaluate(
      "document.documentElement.style.setProperty('--mantine-font-family', 'serif')",
    )
    const stored = readFileSync(new URL(`${name}-light.webp`, STORED))
    const share = await compare(canvas, stored, await page.screenshot({ caret: 'hide' }))
    expect({ name, isNoticed: share > TOLERANCE * 2 }).toEqual({ name, isNoticed: true })
  }
})
