import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const WHOLE = { include: ['html'] }
/** Dialogs and menus are rendered outside the root element. */
const OPENED = { exclude: ['#root'] }

interface Finding {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Allows dozens of whole-page checks on a busy machine. */
export const MANY_CHECKS_MS = 180_000

/** Without this, axe would measure colors and opacity in the middle of a transition. */
const NO_TRANSITIONS = '* { transition: none !important }'

/**
 * Expects axe to find no serious problem in light and dark colors. Only contrast depends on the color scheme, so
 * everything else is checked once. The context must be opened with `bypassCSP: true`.
 */
export async function expectAccessible(page: Page, part: object = WHOLE): Promise<void> {
  await setColorScheme(page, 'dark')
  await expectNoViolations(page, part, { runOnly: ['color-contrast'] })
  await setColorScheme(page, 'light')
  await expectNoViolations(page, part)
}

/** Checks an open dialog or menu. The page below is checked separately, because that takes five times as long. */
export async function expectOpenedAccessible(page: Page): Promise<void> {
  const unchecked = page.locator('#root').locator('[role="dialog"], [role="menu"]')
  expect(await unchecked.filter({ visible: true }).count()).toBe(0)
  await expectAccessible(page, OPENED)
}

async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // shared pages do not have this attribute: their colors change at once
  const attribute = 'data-mantine-color-scheme'
  await page.locator(`html[${attribute}="${colorScheme}"], html:not([${attribute}])`).waitFor()
}

async function expectNoViolations(page: Page, part: object, options: object = {}): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) {
    await page.addStyleTag({ content: NO_TRANSITIONS })
    await page.evaluate(AXE)
  }
  // without resultTypes axe also describes every element that passes, which takes longer than finding violations;
  // without preload: false it loads all style sheets again, for rules about audio and orientation
  const settings = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false })
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    `axe.run(${JSON.stringify(part)}, ${settings})`,
  )
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }))
  expect(found, page.url()).toEqual([])
}
