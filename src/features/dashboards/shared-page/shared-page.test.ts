import { describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  expireReplacedLinks,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const tileOf = (name: string, query: object = visits()) => ({
  insight: { name, description: 'How many came', query },
  layouts: { sm: { x: 6, y: 0, w: 6, h: 5 } },
})

/** Shares a dashboard and returns its token. */
async function share(api: TestApp, body: object): Promise<string> {
  const { id } = await createDashboard(api, body)
  return (await api.patch(pathOf(id, '/sharing'), { enabled: true })).body.access_token
}

/** Loads the page until nothing is pending. */
const finished = (api: TestApp, path: string) =>
  until(async () => {
    const response = await api.withKey(undefined).get(path)
    return !response.text.includes('http-equiv="refresh"') && response
  })

async function startShared(env?: Record<string, string>) {
  const api = env ? await startApp(undefined, env) : await useApp()
  await addVisits(api, 3)
  const token = await share(api, {
    name: 'Sales',
    description: 'All of them',
    tiles: [tileOf('Visits'), textTile('# Hello\n\n[docs](https://example.com/a)')],
  })
  return { api, token, page: `/shared/${token}` }
}

describe('a shared page', () => {
  it('shows name, text, a chart and its data without scripts', async () => {
    const { api, page } = await startShared()

    const { status, text, headers } = await finished(api, page)

    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('<h1>Sales</h1>')
    expect(text).toContain('<h2>Hello</h2>')
    expect(text).toContain('href="https://example.com/a" target="_blank" rel="noopener')
    expect(text).toMatch(/<svg class="wide" [^>]*viewBox[\s\S]*<svg class="phone" /)
    expect(text).toContain('light-dark(#297251,#74d3a6)')
    expect(text).toMatch(/<details>[\s\S]*How many came[\s\S]*<td class="number">3<\/td>/)
    expect(text).toContain('>just now</time>')
  })

  it('responds at once and shows which charts are being computed', async () => {
    const { api, page } = await startShared()

    const { status, text } = await api.withKey(undefined).get(page)

    expect(status).toBe(200)
    expect(text).toContain('Computing the result…')
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>')
  })

  it('has no script or style that its policy blocks', async () => {
    const { api, page } = await startShared()

    const { text, headers } = await finished(api, page)

    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-")
    expect(policy).not.toContain('unsafe')
    expect(text.match(/<style/g)).toHaveLength(1)
    expect(text).not.toMatch(/<script(?![^>]* src="\/assets\/)/)
    expect(text).not.toMatch(/<[^>]+ (?:style|on\w+)=/)
  })

  it('can be framed by any site when embedded, and by none when shared', async () => {
    const { api, token } = await startShared()

    const [shared, embedded] = [
      (await api.get(`/shared/${token}`)).headers,
      (await api.get(`/embedded/${token}`)).headers,
    ]

    expect(shared.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/)
    expect(shared.get('x-frame-options')).toBe('DENY')
    expect(embedded.get('content-security-policy')).toMatch(/frame-ancestors \*$/)
    expect(embedded.get('x-frame-options')).toBeNull()
    for (const headers of [shared, embedded]) {
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('private, no-cache')
    }
  })

  it.each(['evil.example', 'dashboards.internal:8000', 'localhost.evil.example'])(
    'does not send readers of its preview to %s, which only the request names',
    async (host) => {
      const { api, page } = await startShared()

      const { body } = await api.app.inject({ url: page, headers: { host } })

      expect(body).toContain('<meta property="og:title" content="Sales">')
      expect(body).not.toContain(host)
      expect(body).not.toContain('og:url')
      expect(body).not.toContain('og:image')
    },
  )

  it('names its configured address in its preview, whatever the request names', async () => {
    const { api, page } = await startShared({ HEDGEROW_URL: 'https://hedgerow.example' })

    const { body } = await api.app.inject({ url: page, headers: { host: 'evil.example' } })

    expect(body).toContain(`<meta property="og:url" content="https://hedgerow.example${page}">`)
    expect(body).not.toContain('evil.example')
  })

  it('names a preview picture for other sites', async () => {
    const { api, token, page } = await startShared()

    const { text } = await api.get(page)

    const picture = `${api.url}/shared/${token}.png?width=1200&amp;height=630`
    expect(text).toContain(`<meta property="og:title" content="Sales">`)
    expect(text).toContain(`<meta property="og:image" content="${picture}">`)
    expect(text).toContain('<meta property="og:image:width" content="2400">')
    const drawn = await fetch(picture.replace('&amp;', '&'))
    const bytes = Buffer.from(await drawn.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2400, 1260])
  })

  it('accepts a theme, and hides its header', async () => {
    const { api, page } = await startShared()

    const [dark, bare, odd] = await Promise.all(
      ['?theme=dark', '?noHeader', '?theme=%22%3E%3Cb%3E'].map((query) => api.get(page + query)),
    )

    expect(dark?.text).toContain('<html lang="en" data-theme="dark">')
    expect(bare?.text).not.toContain('<header>')
    expect(bare?.text).not.toContain('<footer>')
    expect(odd?.text).toContain('<html lang="en">')
  })

  it('positions its tiles as on the dashboard', async () => {
    const api = await useApp()
    const token = await share(api, { tiles: [textTile('One'), textTile('Two', 6, 0)] })

    const { text } = await api.get(`/shared/${token}`)

    const places = [...text.matchAll(/#t\d+\{grid-area:([^}]+)\}/g)].map(([, place]) => place)
    expect(places).toEqual(['1/1/span 5/span 6', '1/7/span 5/span 6'])
  })

  it('does not name the error of a query, which would reveal the query', async () => {
    const api = await useApp()
    const query = { kind: 'HogQLQuery', query: 'select secret_column from secret_table' }
    const token = await share(api, { tiles: [tileOf('Broken', query), insightTile('Odd')] })

    const { text } = await finished(api, `/shared/${token}`)

    expect(text).toContain('No result to show.')
    expect(text).not.toContain('secret')

    const draw = vi.spyOn(api.services.pictures, 'dashboardPng')
    expect((await api.withKey(undefined).get(`/shared/${token}.png`)).status).toBe(200)
    const [picture] = draw.mock.calls[0] ?? []
    expect(picture?.tiles[0]).toMatchObject({ problem: 'No result to show.' })
  })
})

describe('a link that does not work', () => {
  it.each(['shared', 'embedded'])('shows the same page at /%s for every reason', async (door) => {
    const api = await startApp()
    const tokens = []
    for (const name of ['off', 'trashed', 'replaced']) {
      const token = await share(api, { name })
      tokens.push(token)
      const id = tokens.length
      if (name === 'off') await api.patch(pathOf(id, '/sharing'), { enabled: false })
      if (name === 'trashed') await api.patch(pathOf(id), { deleted: true })
      if (name === 'replaced') await api.post(pathOf(id, '/sharing/refresh'))
    }
    await expireReplacedLinks(api)

    const responses = await Promise.all(
      [...tokens, 'a'.repeat(30), 'x', '%00'].map((token) => api.get(`/${door}/${token}`)),
    )

    const look = ({ status, text, headers }: (typeof responses)[number]) => {
      const { 'x-request-id': _, date: __, ...rest } = Object.fromEntries(headers)
      return { status, text, ...rest }
    }
    expect(responses[0]).toMatchObject({ status: 404 })
    expect(responses[0]?.text).toContain('<h1>Dashboard not found</h1>')
    for (const response of responses)
      expect(look(response)).toEqual(look(responses[0] as typeof response))
  })
})
