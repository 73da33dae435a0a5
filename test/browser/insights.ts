import type { Page } from 'playwright-core'
import type { TestApp } from '../support/app/app.ts'
import { toEvent } from '../support/data/queries.ts'

export const newInsight = ({ projectId }: TestApp): string => `/project/${projectId}/insights/new`

/** Adds events of two people with different browsers. */
export const addEvents = (api: TestApp, names = ['$pageview', 'signed_up']) =>
  api.services.events.append(
    api.projectId,
    names.flatMap((event, step) =>
      ['Firefox', 'Chrome'].map((browser, person) =>
        toEvent({
          event,
          person: `p${person}`,
          at: new Date(Date.now() - 3_600_000 + step * 60_000).toISOString(),
          properties: { $browser: browser },
        }),
      ),
    ),
  )

export async function choose(page: Page, name: string, value: string): Promise<void> {
  const box = page.getByRole('combobox', { name })
  await box.click()
  await box.fill(value)
  await page.getByRole('option', { name: value }).first().click()
}

export const drawn = (page: Page) => page.getByRole('img', { name: /./ }).waitFor()
