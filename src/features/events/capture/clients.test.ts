import { PostHog } from 'posthog-node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { startCapturing } from '../../../../test/support/data/capture.ts'

describe('posthog-node', () => {
  it.each([false, true])('sends events that arrive (compression off: %s)', async (off) => {
    const { url, token, stored } = await startCapturing()
    const client = new PostHog(token, { host: url, disableCompression: off, flushAt: 10 })
    onTestFinished(() => client.shutdown())

    client.capture({ distinctId: 'ada', event: 'signed up', properties: { plan: 'pro' } })
    client.identify({ distinctId: 'ada', properties: { name: 'Ada' } })
    for (let n = 0; n < 25; n++) client.capture({ distinctId: 'bob', event: 'visited' })
    await client.flush()

    const events = await stored()
    expect(events.filter(({ event }) => event === 'visited')).toHaveLength(25)
    expect(events.find(({ event }) => event === 'signed up')).toMatchObject({
      distinct_id: 'ada',
      properties: { plan: 'pro', $lib: 'posthog-node' },
    })
    expect(events.find(({ event }) => event === '$identify').properties.$set).toMatchObject({
      name: 'Ada',
    })
  })

  it('gets an empty list of flags', async () => {
    const { url, token } = await startCapturing()
    const client = new PostHog(token, { host: url })
    onTestFinished(() => client.shutdown())

    expect(await client.getAllFlags('ada')).toEqual({})
  })

  it('gets no flags to evaluate locally, without an error', async () => {
    const { url, token } = await startCapturing()
    const client = new PostHog(token, { host: url, personalApiKey: OWNER.apiKey })
    onTestFinished(() => client.shutdown())
    const errors: unknown[] = []
    client.on('error', (error) => errors.push(error))

    const count = await new Promise((resolve) => client.on('localEvaluationFlagsLoaded', resolve))

    expect([count, errors]).toEqual([0, []])
  })

  it('needs a key for flags to evaluate locally', async () => {
    const { withKey, token } = await startCapturing()

    for (const path of ['/flags/definitions', '/api/feature_flag/local_evaluation/']) {
      expect((await withKey(undefined).get(`${path}?token=${token}`)).status).toBe(401)
      expect((await withKey(OWNER.apiKey).get(`${path}?token=phc_x`)).status).toBe(401)
      expect(await withKey(OWNER.apiKey).get(`${path}?token=${token}&send_cohorts`)).toMatchObject({
        status: 200,
        body: { flags: [], group_type_mapping: {}, cohorts: {} },
      })
    }
  })
})

describe('posthog-js start-up', () => {
  it.each(['/flags/?v=2', '/decide/?v=3'])('gets no flags from %s', async (path) => {
    const { send, token } = await startCapturing()

    const { status, body } = await send(path, { token, distinct_id: 'ada' })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      featureFlags: {},
      errorsWhileComputingFlags: false,
      sessionRecording: false,
      supportedCompression: ['gzip', 'gzip-js'],
    })
  })

  it('captures clicks, as /decide/ tells old versions to', async () => {
    const { send, token } = await startCapturing()

    const { body } = await send('/decide/?v=3', { token })

    expect(body).toMatchObject({
      autocapture_opt_out: false,
      config: { enable_collect_everything: true },
    })
  })

  it('gets its configuration as JSON and as a script', async () => {
    const { url, token } = await startCapturing()

    const response = await fetch(`${url}/array/${token}/config?ip=0`)
    const script = await (await fetch(`${url}/array/${token}/config.js`)).text()

    const config = await response.json()
    expect(config).toMatchObject({
      token,
      hasFeatureFlags: true,
      autocapture_opt_out: false,
      elementsChainAsString: true,
      sessionRecording: false,
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const window: Record<string, Record<string, unknown>> = {}
    new Function('window', script)(window)
    expect(window._POSTHOG_REMOTE_CONFIG?.[token]).toEqual({ config, siteApps: [] })
  })

  it.each([
    ['surveys', 'surveys'],
    ['early_access_features', 'earlyAccessFeatures'],
    ['web_experiments', 'experiments'],
    ['product_tours', 'product_tours'],
  ])('gets an empty list of %s', async (path, name) => {
    const { url, token } = await startCapturing()
    const load = (value: string) => fetch(`${url}/api/${path}/?token=${value}`)

    const response = await load(token)

    expect(await response.json()).toEqual({ [name]: [] })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect((await load('phc_x')).status).toBe(401)
  })

  it('may read that a path does not exist', async () => {
    const { url } = await startCapturing()

    for (const path of ['/i/v1/logs', '/s/', '/static/none.js', '/api/none']) {
      const { status, headers } = await fetch(url + path, { method: 'POST' })
      expect([path, status >= 404]).toEqual([path, true])
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it('rejects an unknown token', async () => {
    const { send, url } = await startCapturing()

    expect((await send('/flags/', { token: 'phc_x' })).status).toBe(401)
    expect((await send('/decide/', {})).status).toBe(401)
    expect((await fetch(`${url}/array/phc_x/config`)).status).toBe(404)
    expect((await fetch(`${url}/array/${encodeURIComponent('"]=1;')}/config.js`)).status).toBe(404)
  })
})
