import type { Page } from 'playwright-core'
import type { Web } from './browser.ts'

export async function openSection(
  { api, page }: Web,
  section: string,
  heading: string,
): Promise<void> {
  await page.goto(`/project/${api.projectId}/settings/${section}`)
  await page.getByRole('heading', { name: heading, level: 2, exact: true }).waitFor()
}

export const shownOnce = async (page: Page): Promise<string> =>
  (await page.getByTestId('shown-once').textContent()) ?? ''
