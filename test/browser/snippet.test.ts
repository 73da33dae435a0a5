import { describe, expect, it } from 'vitest'
import { PROJECT } from '../app.ts'
import { until } from '../until.ts'
import { openWeb } from './browser.ts'
import { startSite, watchComplaints } from './site.ts'

interface Stored {
  readonly event: string
  readonly distinct_id: string
  readonly properties: Record<string, unknown>
}

/** The site says so when `onFeatureFlags` fires. */
const FLAGS_LOADED = "document.title === 'Flags: 0'"

/** Opens a page of another origin that has the snippet. */
async function openSite() {
  const { api, page } = await openWeb({ as: null })
  const { body: project } = await api.get(PROJECT)
  const site = await startSite(api.url, project.api_token)
  const complaints = watchComplaints(page)
  await page.goto(site)
  const find = async (name: string): Promise<Stored | undefined> => {
    const { body } = await api.get('events?limit=100')
    return body.results.find(({ event }: Stored) => event === name)
  }
  return { api, page, site, complaints, waitFor: (name: string) => until(() => find(name)) }
}

describe('the snippet of posthog-js', () => {
  it('captures page views, clicks, sign-ins and leaving, without an error', async () => {
    const { page, site, complaints, waitFor } = await openSite()
    await page.waitForFunction(FLAGS_LOADED) // autocapture starts with the configuration

    await page.click('#buy')
    await page.evaluate("posthog.identify('ada', { email: 'ada@example.com' })")
    await page.goto('about:blank')

    const pageview = await waitFor('$pageview')
    const click = await waitFor('$autocapture')
    const identify = await waitFor('$identify')
    const pageleave = await waitFor('$pageleave')
    expect(pageview.properties).toMatchObject({ $current_url: site, $lib: 'web', title: 'Shop' })
    expect(click.properties).toMatchObject({ $event_type: 'click', $el_text: 'Buy now' })
    expect(click.properties.$elements_chain).toMatch(/^button\.large\.primary:.*text="Buy now"/)
    expect(identify).toMatchObject({
      distinct_id: 'ada',
      properties: { $anon_distinct_id: pageview.distinct_id, $set: { email: 'ada@example.com' } },
    })
    expect(pageleave).toMatchObject({ distinct_id: 'ada', properties: { $current_url: site } })
    expect(complaints).toEqual([])
  })

  it('offers no session recording, surveys or heatmaps', async () => {
    const { page } = await openSite()
    await page.waitForFunction(FLAGS_LOADED)

    const offered = await page.evaluate(
      '[posthog.sessionRecordingStarted(), posthog.heatmaps.isEnabled]',
    )

    expect(offered).toEqual([false, false])
  })
})
