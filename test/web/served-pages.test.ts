import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'

const LINKED = /(?:href|src)="(\/assets\/[^"]+)"/g

async function open(path: string) {
  const { url } = await useApp()
  const response = await fetch(url + path)
  return { url, response, html: await response.text() }
}

describe('served page', () => {
  it.each(['/', '/project/1/dashboards', '/project/1/dashboards/7'])(
    'at %s links assets that exist, compressed and cacheable forever',
    async (path) => {
      const { url, response, html } = await open(path)
      const [, nonce = ''] = /csp-nonce" content="([^"]+)"/.exec(html) ?? []

      expect(response.status).toBe(200)
      expect(nonce).not.toBe('')
      expect(response.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
      const files = [...html.matchAll(LINKED)].map(([, file]) => file)
      expect(files.length).toBeGreaterThan(5)
      for (const file of files) {
        const sent = await fetch(url + file, { headers: { 'accept-encoding': 'gzip' } })
        const size = (await sent.arrayBuffer()).byteLength
        expect([file, sent.status]).toEqual([file, 200])
        expect(sent.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        if (size > 2000) expect(sent.headers.get('content-encoding')).toBe('gzip')
      }
    },
  )

  it('of a dashboard preloads the chart renderer', async () => {
    expect((await open('/project/1/dashboards/7')).html).toMatch(/modulepreload[^>]+\/echarts-/)
    expect((await open('/project/1/dashboards')).html).not.toContain('echarts')
  })

  it('of a dashboard does not preload what draws paths', async () => {
    expect((await open('/project/1/dashboards/7')).html).not.toContain('sankey')
  })

  it('does not serve files outside of the assets', async () => {
    const { url } = await useApp()
    for (const file of ['none.js', '..%2findex.html', '..%2f..%2fpackage.json']) {
      const { status } = await fetch(`${url}/assets/${file}`, { headers: { accept: '*/*' } })
      expect([file, status]).toEqual([file, 404])
    }
  })
})
