import { expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { openPage, useClients } from './page.ts'

useClients()

/** React Native for the web runs the client of phones without an emulator. */
const WEB = {
  alias: { 'react-native': 'react-native-web' },
  define: { 'process.env.NODE_ENV': '"production"', __DEV__: 'false', global: 'globalThis' },
}

it('posthog-react-native sends events, persons, groups and screens, without an error', async () => {
  const { api, page, complaints, stored } = await openPage(
    (url, token) => `
      import { PostHog } from 'posthog-react-native'
      window.posthog = new PostHog('${token}', { host: '${url}', persistence: 'memory' })`,
    WEB,
  )

  const visitor = await page.evaluate(`(async () => {
    await posthog.ready()
    const visitor = posthog.getDistinctId()
    posthog.capture('opened', { face: '😀' })
    posthog.identify('ada', { plan: 'pro' })
    posthog.group('company', 'acme', { seats: 5 })
    await posthog.screen('Cart', { items: 2 })
    posthog.capture('ordered', { total: 12.5 })
    await posthog.flush()
    return visitor
  })()`)

  const events = await until(async () => {
    const events = await stored()
    return events.length >= 6 && events
  })
  const find = (event: string) => events.find((stored) => stored.event === event)
  expect(events.map(({ event }) => event).toSorted()).toEqual(
    [
      '$groupidentify',
      '$identify',
      '$screen',
      'Application Opened',
      'opened',
      'ordered',
    ].toSorted(),
  )
  expect(find('opened')).toMatchObject({
    distinct_id: visitor,
    properties: { face: '😀', $lib: 'posthog-react-native' },
  })
  expect(find('$identify')?.properties).toMatchObject({ $set: { plan: 'pro' } })
  expect(find('$groupidentify')?.properties).toMatchObject({ $group_set: { seats: 5 } })
  expect(find('$screen')?.properties).toMatchObject({ $screen_name: 'Cart', items: 2 })
  expect(find('ordered')).toMatchObject({ distinct_id: 'ada', properties: { total: 12.5 } })
  expect(await page.evaluate('posthog.getFeatureFlags()')).toEqual({})
  expect((await api.get('persons')).body.results).toMatchObject([
    { distinct_ids: expect.arrayContaining([visitor, 'ada']), properties: { plan: 'pro' } },
  ])
  expect(complaints).toEqual([])
})
