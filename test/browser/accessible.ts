import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface Finding {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** axe finds no serious problem. The context must be opened with `bypassCSP: true`. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  // else it also describes every element that is right, which takes longer than finding what is wrong
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    "axe.run({ resultTypes: ['violations'] })",
  )
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }))
  expect(found, page.url()).toEqual([])
}
