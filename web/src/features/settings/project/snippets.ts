export interface CodeSnippet {
  readonly name: string
  readonly code: string
}

/** Code that sends an event with compatible clients. */
export const toSnippets = (origin: string, token: string): readonly CodeSnippet[] => [
  {
    name: 'curl',
    code: `curl -H 'Content-Type: application/json' \\
  -d '{
    "api_key": "${token}",
    "event": "signed_up",
    "distinct_id": "ann@example.com",
    "properties": { "plan": "free" }
  }' \\
  ${origin}/capture`,
  },
  {
    name: 'posthog-js',
    code: `import posthog from 'posthog-js'

posthog.init('${token}', { api_host: '${origin}' })
posthog.capture('signed_up', { plan: 'free' })`,
  },
  {
    name: 'posthog-node',
    code: `import { PostHog } from 'posthog-node'

const client = new PostHog('${token}', { host: '${origin}' })
client.capture({
  distinctId: 'ann@example.com',
  event: 'signed_up',
  properties: { plan: 'free' },
})
await client.shutdown()`,
  },
]
