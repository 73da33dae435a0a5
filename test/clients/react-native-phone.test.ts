import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundle } from '../browser/site.ts'
import { startCapturing } from '../support/data/capture.ts'
import { PACKAGES, useClients } from './page.ts'

useClients()

const OPTIONS = {
  nodePaths: [PACKAGES],
  alias: { 'react-native': fileURLToPath(new URL('./phone.ts', import.meta.url)) },
  define: { 'process.env.NODE_ENV': '"production"', __DEV__: 'false', global: 'globalThis' },
}

it('posthog-react-native sends the life of an app as on a phone', async () => {
  const { url, token, stored } = await startCapturing()
  const code = await bundle(
    "export { PostHog } from 'posthog-react-native'; export { leaveAndReturn } from 'react-native'",
    OPTIONS,
  )
  const { PostHog, leaveAndReturn } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  )
  const options = { host: url, persistence: 'memory', captureAppLifecycleEvents: true }
  const posthog = new PostHog(token, options)

  await posthog.ready()
  posthog.identify('ada', { plan: 'pro' })
  await posthog.screen('Cart', { items: 2 })
  leaveAndReturn()
  posthog.capture('ordered', { total: 12.5 })
  const flags = await posthog.reloadFeatureFlagsAsync()
  await posthog.shutdown()

  const events = await stored()
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    '$identify',
    '$screen',
    'Application Backgrounded',
    'Application Became Active',
    'Application Opened',
    'ordered',
  ])
  expect(events.find(({ event }) => event === 'ordered')).toMatchObject({
    distinct_id: 'ada',
    properties: { $lib: 'posthog-react-native', $screen_name: 'Cart', total: 12.5 },
  })
  expect(flags).toEqual({})
})
