/** Code that sends an event with one client. */
export interface Sample {
  /** Part of the connect page's URL. */
  readonly id: string
  readonly name: string
  /** Says where the code goes. */
  readonly about: string
  /** The shell command that installs the client. */
  readonly install?: string
  readonly code: string
  /** Address of the guide in the documentation. */
  readonly guide: string
}

const CAPTURE = '/docs/capture'

/** Returns the samples of the connect page. Tests run each of them as it is shown. */
export const toSamples = (host: string, token: string): readonly Sample[] => [
  {
    id: 'html',
    name: 'HTML snippet',
    about: 'Paste this before the end of <head> on every page. It captures page views and clicks.',
    code: `<script>
  var posthog = Object.assign([], { _i: [], people: [], __SV: 1 })
  for (const name of ['capture', 'identify', 'alias', 'group', 'register', 'reset', 'onFeatureFlags'])
    posthog[name] = (...values) => posthog.push([name, ...values])
  posthog.init = (token, options, name) => {
    const script = document.createElement('script')
    script.async = true
    script.crossOrigin = 'anonymous'
    script.src = options.api_host + '/static/array.js'
    document.head.append(script)
    posthog._i.push([token, options, name])
  }
  posthog.init('${token}', { api_host: '${host}' })
</script>`,
    guide: CAPTURE,
  },
  {
    id: 'posthog-js',
    name: 'posthog-js',
    about: 'For web apps that are built with npm.',
    install: 'npm install posthog-js',
    code: `import posthog from 'posthog-js'

posthog.init('${token}', { api_host: '${host}' })
posthog.capture('signed_up', { plan: 'free' })`,
    guide: CAPTURE,
  },
  {
    id: 'posthog-node',
    name: 'posthog-node',
    about: 'For servers and scripts in Node.',
    install: 'npm install posthog-node',
    code: `import { PostHog } from 'posthog-node'

const posthog = new PostHog('${token}', { host: '${host}' })
posthog.capture({
  distinctId: 'ann@example.com',
  event: 'signed_up',
  properties: { plan: 'free' },
})
await posthog.shutdown()`,
    guide: CAPTURE,
  },
  {
    id: 'python',
    name: 'Python',
    about: 'For servers and scripts in Python.',
    install: 'pip install posthog',
    code: `from posthog import Posthog

posthog = Posthog('${token}', host='${host}')
posthog.capture('signed_up', distinct_id='ann@example.com', properties={'plan': 'free'})
posthog.shutdown()`,
    guide: CAPTURE,
  },
  {
    id: 'curl',
    name: 'curl',
    about: 'Run this in a terminal to try it out, or send the same request from any language.',
    code: `curl ${host}/capture -H 'Content-Type: application/json' -d '{
  "api_key": "${token}",
  "event": "signed_up",
  "distinct_id": "ann@example.com",
  "properties": { "plan": "free" }
}'`,
    guide: CAPTURE,
  },
  {
    id: 'segment',
    name: 'Segment',
    about: 'Programs that use a client of Segment only need another host and write key.',
    install: 'npm install @segment/analytics-node',
    code: `import { Analytics } from '@segment/analytics-node'

const analytics = new Analytics({ writeKey: '${token}', host: '${host}' })
analytics.track({
  userId: 'ann@example.com',
  event: 'signed_up',
  properties: { plan: 'free' },
})
await analytics.closeAndFlush()`,
    guide: '/docs/segment',
  },
]

/** A file that the CSV app imports with its default settings. */
export const CSV_SAMPLE = `timestamp,distinct_id,plan
2026-01-05T10:00:00Z,ann@example.com,free
2026-01-06T12:30:00Z,bob@example.com,pro
`
