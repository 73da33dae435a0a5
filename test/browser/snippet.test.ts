import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/app/app.ts'
import { until } from '../support/until.ts'
import { openWeb } from './browser.ts'
import { bundle, readSample, startSite, toShop, watchComplaints, withoutBotFilter } from './site.ts'

interface Stored {
  readonly event: string
  readonly distinct_id: string
  readonly properties: Record<string, unknown>
}

/** The site says so when `onFeatureFlags` fires. Its title stays, because page views have it. */
const FLAGS_LOADED = "document.documentElement.dataset.flags === '0'"

const REPORT_FLAGS =
  '<script>posthog.onFeatureFlags((flags) => { document.documentElement.dataset.flags = flags.length })</script>'

/** Makes the files of a site from a sample of the connect page. */
type ToFiles = (sample: string) => Promise<Record<string, string>> | Record<string, string>

/** Opens a page of another origin that uses a sample. */
async function openSite(id: string, toFiles: ToFiles) {
  const { api, page } = await openWeb({ as: null })
  const { body: project } = await api.get(PROJECT)
  const sample = withoutBotFilter(readSample(id, api.url, project.api_token))
  const site = await startSite(await toFiles(sample))
  const complaints = watchComplaints(page)
  await page.goto(site)
  const find = async (name: string): Promise<Stored | undefined> => {
    const { body } = await api.get('events?limit=100')
    return body.results.find(({ event }: Stored) => event === name)
  }
  return { api, page, site, complaints, waitFor: (name: string) => until(() => find(name)) }
}

const openShop = () => openSite('html', (snippet) => ({ '/': toShop(snippet + REPORT_FLAGS) }))

describe('the snippet of posthog-js', () => {
  it('captures page views, clicks, sign-ins and leaving, without an error', async () => {
    const { page, site, complaints, waitFor } = await openShop()
    await page.waitForFunction(FLAGS_LOADED) // autocapture starts with the configuration

    await page.click('#buy')
    await page.evaluate("posthog.identify('ada', { email: 'ada@example.com' })")
    const identify = await waitFor('$identify') // leaving ends its request
    await page.goto('about:blank')

    const pageview = await waitFor('$pageview')
    const click = await waitFor('$autocapture')
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
    const { page } = await openShop()
    await page.waitForFunction(FLAGS_LOADED)

    const offered = await page.evaluate(
      '[posthog.sessionRecordingStarted(), posthog.heatmaps.isEnabled]',
    )

    expect(offered).toEqual([false, false])
  })
})

describe('posthog-js from npm', () => {
  it('sends the event of its sample, without an error', async () => {
    const { complaints, waitFor } = await openSite('posthog-js', async (code) => ({
      '/': toShop('<script type="module" src="/shop.js"></script>'),
      '/shop.js': await bundle(code),
    }))

    expect((await waitFor('signed_up')).properties).toMatchObject({ plan: 'free', $lib: 'web' })
    expect(complaints).toEqual([])
  })
})
