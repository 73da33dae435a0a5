import { describe, expect, it } from 'vitest'
import { startApp } from '../app.ts'

const LINKED = /(?:href|src)="(\/assets\/[^"]+)"/g

async function open(path: string) {
  const { url } = await startApp()
  const answer = await fetch(url + path)
  return { url, answer, html: await answer.text() }
}

describe('the page of the app', () => {
  it.each(['/', '/project/1/dashboards', '/project/1/dashboards/7'])(
    'at %s names files that are there, compressed and kept for good',
    async (path) => {
      const { url, answer, html } = await open(path)
      const [, nonce = ''] = /csp-nonce" content="([^"]+)"/.exec(html) ?? []

      expect(answer.status).toBe(200)
      expect(nonce).not.toBe('')
      expect(answer.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
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

  it('of a dashboard names what draws charts, before anything runs', async () => {
    expect((await open('/project/1/dashboards/7')).html).toMatch(/modulepreload[^>]+\/echarts-/)
    expect((await open('/project/1/dashboards')).html).not.toContain('echarts')
  })

  it('does not know files beside its own', async () => {
    const { url } = await startApp()
    for (const file of ['none.js', '..%2findex.html', '..%2f..%2fpackage.json']) {
      const { status } = await fetch(`${url}/assets/${file}`, { headers: { accept: '*/*' } })
      expect([file, status]).toEqual([file, 404])
    }
  })
})
