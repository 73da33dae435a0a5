import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface Finding {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Dozens of checks of whole pages, on a busy machine. */
export const MANY_CHECKS_MS = 180_000

/** Inherited colors and opacity would otherwise pass through transitions, and be read halfway. */
const NO_TRANSITIONS = '* { transition: none !important }'

/** Expects axe to find no serious problem. The context must be opened with `bypassCSP: true`. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNoViolations(page, {})
}

/** Checks the page in light and dark colors. Only contrast depends on the color scheme, so all else is checked once. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await setColorScheme(page, 'dark')
  await expectNoViolations(page, { runOnly: ['color-contrast'] })
  await setColorScheme(page, 'light')
  await expectNoViolations(page, {})
}

async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // shared pages have no such attribute: their colors follow at once
  const attribute = 'data-mantine-color-scheme'
  await page.locator(`html[${attribute}="${colorScheme}"], html:not([${attribute}])`).waitFor()
}

async function expectNoViolations(page: Page, options: object): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) {
    await page.addStyleTag({ content: NO_TRANSITIONS })
    await page.evaluate(axe.source)
  }
  // without resultTypes axe also describes every element that passes, which takes longer than finding violations;
  // without preload: false it loads all style sheets again, for rules about audio and orientation
  const settings = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false })
  const { violations } = await page.evaluate<{ violations: Finding[] }>(`axe.run(${settings})`)
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }))
  expect(found, page.url()).toEqual([])
}
