import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { openPage, useClients } from './page.ts'

interface Captured {
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly $set?: object
  readonly $set_once?: object
}

/** Ways to learn what the client captures; versions below 1.187 have no `before_send`. */
const OLD = '_onCapture: (_, event) => report(event)'
const NEW = 'before_send: report'
/** `posthog-js` is the version that the server has. */
const VERSIONS = [
  ['posthog-js-1.57', OLD],
  ['posthog-js-1.100', OLD],
  ['posthog-js-1.150', OLD],
  ['posthog-js-1.200', NEW],
  ['posthog-js', NEW],
] as const

useClients()

/** Opens a page with a version of posthog-js, which has received its flags. */
async function openShop(name: string, reporter: string, options = '') {
  const opened = await openPage(
    (url, token) => `
      import posthog from '${name}'
      window.captured = []
      const report = (event) => { captured.push(JSON.parse(JSON.stringify(event))); return event }
      posthog.init('${token}', {
        api_host: '${url}', opt_out_useragent_filter: true, ${reporter}, ${options}
      })
      posthog.onFeatureFlags((flags) => { document.documentElement.dataset.flags = flags.length })
      window.posthog = posthog`,
  )
  await opened.page.waitForFunction("document.documentElement.dataset.flags === '0'")
  return opened
}

const readCaptured = (page: Page): Promise<Captured[]> => page.evaluate('captured')

/** The events as the API returns them: with `$set` among the properties, and without what the server adds. */
const toComparable = (events: readonly Captured[]) =>
  events.map(toStored).toSorted((a, b) => a.id.localeCompare(b.id))

function toStored({ event, properties, $set, $set_once }: Captured) {
  const { $ip: _, ...own } = properties
  const all = { ...own, ...($set && { $set }), ...($set_once && { $set_once }) }
  return { id: String(properties.$insert_id), event, properties: all }
}

describe.each(VERSIONS)('%s', (name, reporter) => {
  it('stores everything that it captures once, unchanged', async () => {
    const { page, complaints, stored } = await openShop(name, reporter)

    await page.click('#buy')
    await page.evaluate(`
      posthog.identify('ada', { email: 'ada@example.com' })
      posthog.group('company', 'acme', { seats: 5 })
      posthog.alias('ada-2')
      posthog.register({ color: 'red' })
      posthog.capture('emoji 😀', { text: 'é 😀 𝒳', nested: { '😀': ['👩‍👩‍👧'] } })
      for (let n = 0; n < 50; n++) posthog.capture('many', { n, text: 'x'.repeat(4000) })
    `)

    const captured = await readCaptured(page)
    const events = await until(async () => {
      const events = await stored()
      return events.length >= captured.length && events
    })
    expect(toComparable(events)).toEqual(toComparable(captured))
    const names = new Set(captured.map(({ event }) => event))
    for (const event of [
      '$pageview',
      '$autocapture',
      '$identify',
      '$groupidentify',
      '$create_alias',
      'emoji 😀',
    ])
      expect(names).toContain(event)
    expect(complaints).toEqual([])
  })

  it('sets properties of the person and reports leaving', async () => {
    const { page, stored } = await openShop(name, reporter)
    const names = async () => (await stored()).map(({ event }) => event)

    await page.evaluate("posthog.identify('ada'); posthog.people.set({ plan: 'pro' })")
    const set = await until(async () =>
      (await stored()).find(({ properties }) => (properties.$set as { plan?: string })?.plan),
    )
    await page.goto('about:blank')

    expect(set.properties.$set).toMatchObject({ plan: 'pro' })
    await until(async () => (await names()).includes('$pageleave'))
    expect((await names()).filter((event) => event === '$pageleave')).toHaveLength(1)
  })

  it('sends emoji in base64', async () => {
    const { page, stored, complaints } = await openShop(name, reporter, 'disable_compression: true')

    await page.evaluate("posthog.capture('emoji 😀', { text: 'é 😀 𝒳' })")

    const event = await until(async () =>
      (await stored()).find(({ event }) => event === 'emoji 😀'),
    )
    expect(event.properties.text).toBe('é 😀 𝒳')
    expect(complaints).toEqual([])
  })
})

/** Everything that this server does not have, switched on by the page. */
const FEATURES = `
  disable_session_recording: false, enable_recording_console_log: true,
  session_recording: { recordCrossOriginIframes: true, captureCanvas: { recordCanvas: true } },
  enable_heatmaps: true, capture_dead_clicks: true, capture_exceptions: true,
  capture_performance: { web_vitals: true, network_timing: true },
  disable_surveys: false, disable_web_experiments: false, __add_tracing_headers: true`

describe.each(VERSIONS)('%s with features that the server lacks', (name, reporter) => {
  it('is silent', async () => {
    const { page, complaints, requested, stored } = await openShop(name, reporter, FEATURES)

    await page.click('#buy')
    await page.evaluate(`
      posthog.startSessionRecording?.()
      console.info('visible in a recording')
      for (const name of ['getSurveys', 'getActiveMatchingSurveys', 'getEarlyAccessFeatures'])
        posthog[name]?.((list) => { captured.push({ event: name, properties: { list } }) }, true)
      posthog.capture('last')
    `)

    const lists = await until(async () => {
      const lists = (await readCaptured(page)).filter(({ event }) => event.startsWith('get'))
      const isStored = (await stored()).some(({ event }) => event === 'last')
      return lists.length > 0 && isStored && lists
    })
    expect(lists.every(({ properties }) => Array.isArray(properties.list))).toBe(true)
    expect(requested.filter(({ pathname }) => /recorder|^\/s\b/.test(pathname))).toEqual([])
    expect(complaints).toEqual([])
  })
})
