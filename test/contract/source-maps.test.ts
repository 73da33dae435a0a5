import { expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'

/** The requests of `@posthog/cli`, which PostHog's plugins for Next.js, webpack and other bundlers start. */
const HASH = 'a'.repeat(128)
const RELEASE = { hash_id: HASH, version: '1.0.0', project: 'shop' }
const SYMBOLS = [{ chunk_id: crypto.randomUUID(), release_id: null, content_hash: HASH }]
const UPLOAD = { symbol_sets: SYMBOLS, force: true, skip_on_conflict: false }

it('says to builds that upload source maps how to disable it', async () => {
  const api = await useApp()
  const headers = { 'user-agent': 'posthog-cli' }

  const responses = [
    await api.get(`error_tracking/releases/hash/${HASH}`, headers),
    await api.post('error_tracking/releases', RELEASE, headers),
    await api.post('error_tracking/symbol_sets/bulk_start_upload', UPLOAD, headers),
  ]

  for (const { status, body } of responses) {
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.detail).toContain('Set sourcemaps.enabled to false')
  }
  expect((await api.get('error_tracker')).body.detail).toBe('Endpoint not found.')
})
