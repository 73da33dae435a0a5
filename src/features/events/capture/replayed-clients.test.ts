import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startCapturing } from '../../../../test/support/data/capture.ts'

const MOMENT = '2026-11-16T19:42:59'
const UUID = '019a8e6c-5d0a-7c3e-9f52-6b1f0e4d2a11'

/** An event, as the client writes it; the clients differ in the precision of times and in fields beside the event. */
const event = (lib: string, timestamp: string, beside: object = {}) => ({
  event: 'signed_up',
  distinct_id: 'ada',
  properties: { plan: 'free', $lib: lib },
  timestamp,
  uuid: UUID,
  ...beside,
})

/** Requests as the source code of the clients builds them. */
const REQUESTS = [
  {
    lib: 'posthog-ruby',
    path: '/batch/',
    body: { batch: [event('posthog-ruby', `${MOMENT}.904Z`, { type: 'capture' })] },
  },
  {
    lib: 'posthog-php',
    path: '/batch/',
    body: {
      batch: [
        event('posthog-php', `${MOMENT}+00:00`, {
          type: 'capture',
          library: 'posthog-php',
          library_version: '4.2.2',
          library_consumer: 'LibCurl',
        }),
      ],
    },
  },
  {
    lib: 'posthog-go',
    path: '/batch/',
    body: { batch: [event('posthog-go', `${MOMENT}.904239117Z`)] },
  },
  {
    lib: 'posthog-ios',
    path: '/batch',
    body: { batch: [event('posthog-ios', `${MOMENT}.904Z`)], sent_at: `${MOMENT}.950Z` },
    isCompressed: true,
  },
  {
    lib: 'posthog-android',
    path: '/batch',
    body: { batch: [event('posthog-android', `${MOMENT}.904Z`)], sent_at: `${MOMENT}.950Z` },
    isCompressed: true,
  },
]

describe("a client's request", () => {
  it.each(REQUESTS)('stores the event once: $lib', async ({ lib, path, body, isCompressed }) => {
    const api = await startCapturing()
    const text = JSON.stringify({ api_key: api.token, ...body })
    const send = () =>
      isCompressed
        ? api.send(path, gzipSync(text), {
            'content-type': 'application/json; charset=utf-8',
            'content-encoding': 'gzip',
            'user-agent': `${lib}/3`,
          })
        : api.send(path, text, { 'user-agent': lib })

    const statuses = [(await send()).status, (await send()).status]

    expect(statuses).toEqual([200, 200])
    expect(await api.stored()).toMatchObject([
      {
        id: UUID,
        event: 'signed_up',
        distinct_id: 'ada',
        properties: { plan: 'free', $lib: lib },
      },
    ])
  })

  it.each(['posthog-ios', 'posthog-android'])('for flags gets none: %s', async (lib) => {
    const api = await startCapturing()
    const body = { api_key: api.token, distinct_id: 'ada', $anon_distinct_id: 'x', $groups: {} }

    const flags = await api.send('/flags/?v=2', body, { 'user-agent': `${lib}/3` })

    expect(flags).toMatchObject({
      status: 200,
      body: { flags: {}, errorsWhileComputingFlags: false },
    })
  })
})
