import { describe, it } from 'vitest'
import { until } from '../support/until.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { openWeb } from './browser.ts'
import { addEvents, newInsight } from './insights.ts'

const KINDS = {
  Trends: '',
  Funnel: 'FunnelsQuery',
  Retention: 'RetentionQuery',
  Lifecycle: 'LifecycleQuery',
  Stickiness: 'StickinessQuery',
  Paths: 'PathsQuery',
  SQL: 'HogQLQuery',
}

describe('the insight editor', () => {
  it(
    'is accessible for every kind of query',
    async () => {
      const { api, page } = await openWeb({ bypassCSP: true })
      await addEvents(api)

      await page.goto(newInsight(api))
      for (const [name, kind] of Object.entries(KINDS)) {
        await page.getByRole('tab', { name, exact: true }).click()
        await page.getByText('Computed', { exact: true }).waitFor()
        // the URL holds the query once it has a result
        await until(() => atob(new URL(page.url()).searchParams.get('q') ?? '').includes(kind))
        await page.locator('[aria-busy="false"]').waitFor()
        await expectAccessible(page)
      }
    },
    MANY_CHECKS_MS,
  )
})
