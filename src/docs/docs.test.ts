import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../test/support/app/app.ts'

const LINK = / (?:href|src)="([^"]+)"/g

const linksIn = (page: string): string[] => [...page.matchAll(LINK)].map(([, link]) => link ?? '')
const idsIn = (page: string): string[] =>
  [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '')

/** Reads every page that can be reached from the start page, by path. */
async function readSite(api: TestApp): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const { status, text } = await api.withKey(undefined).get(path)
    expect({ path, status }).toEqual({ path, status: 200 })
    pages.set(path, text)
    const isPage = text.startsWith('<!doctype html>')
    const inside = isPage ? linksIn(text).map((link) => link.replace(api.url, '')) : []
    waiting.push(
      ...inside.flatMap((link) => (/^\/(docs|llms)/.test(link) ? [link.replace(/#.*/, '')] : [])),
    )
  }
  return pages
}

describe('the documentation', () => {
  it('has no broken link, anchor or picture, and shows every document', async () => {
    const api = await useApp()

    const pages = await readSite(api)

    const broken = [...pages].flatMap(([path, page]) =>
      page.startsWith('<!doctype html>')
        ? linksIn(page)
            .map((link) => (link.startsWith('#') ? `${path}${link}` : link).replace(api.url, ''))
            .filter((link) => link.startsWith('/docs') && link.includes('#'))
            .filter((link) => {
              const [target = '', anchor = ''] = link.split('#')
              return !idsIn(pages.get(target) ?? '').includes(anchor)
            })
            .map((link) => `${path}: ${link}`)
        : [],
    )
    expect(broken).toEqual([])
    for (const [path, page] of pages) {
      const ids = idsIn(page)
      expect({ path, ids }).toEqual({ path, ids: [...new Set(ids)] })
    }
    const files = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.md'))
    expect(files.filter((name) => !pages.has(`/docs/${name}`))).toEqual([])
  })

  it('is the same as Markdown, and listed for language models', async () => {
    const api = await useApp()

    const { headers, text } = await api.get('/docs/sql.md')
    const list = (await api.get('/llms.txt')).text

    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(/^# SQL\n/)
    expect(list).toContain(`- [SQL](${api.url}/docs/sql.md): A \`HogQLQuery\` is one read-only`)
    for (const [, url = ''] of list.matchAll(/\]\(([^)]+)\)/g)) {
      expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 200 })
    }
  })

  it("shows the server's own address in examples", async () => {
    const api = await useApp()

    for (const path of ['/docs/queries', '/docs/queries.md', '/docs/api/dashboards']) {
      const { text } = await api.get(path)
      expect(text).toContain(`${api.url}/api/`)
      expect(text).not.toContain('127.0.0.1:8000')
    }
  })

  it('runs no script and frames nothing, and escapes what is searched for', async () => {
    const api = await useApp()

    const page = await api.get('/docs/search?q=%3Cscript%3E%22alert')

    expect(page.text).toContain('value="&lt;script&gt;&quot;alert"')
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
  })

  it('finds passages with all words, the best first', async () => {
    const api = await useApp()

    const { text } = await api.get('/docs/search?q=backup+restore')

    expect(text).toMatch(/\d+ results? for “backup restore”/)
    expect(text).toContain('<mark>')
    expect(linksIn(text).some((link) => link.startsWith('/docs/operating#'))).toBe(true)
    expect((await api.get('/docs/search?q=zzzz-nowhere')).text).toContain('0 results')
    expect((await api.get('/docs/search?q=a&q=b')).status).toBe(200)
  })

  it('opens the section of the current page, so that its link is in sight', async () => {
    const api = await useApp()
    const listSections = async (path: string) =>
      [...(await api.get(path)).text.matchAll(/<details( open)?><summary><h2>([^<]+)/g)].map(
        ([, isOpen, name]) => `${name}${isOpen ?? ''}`,
      )

    expect(await listSections('/docs/api/dashboards')).toContain('API open')
    expect(await listSections('/docs/api/dashboards')).toContain('Reference')
    expect(await listSections('/docs/sql')).toContain('Reference open')
    expect(await listSections('/docs')).not.toContain('API')
  })

  it('names linked pages, not their files', async () => {
    const api = await useApp()

    const pages = await readSite(api)

    const links = [...pages].flatMap(([path, page]) =>
      [...page.matchAll(/<a href="[^"]*">([^<]*\.md)<\/a>/g)].map(([, text]) => `${path}: ${text}`),
    )
    expect(links).toEqual([])
  })

  it('does not name the largest integer of JSON as the limit of a field', async () => {
    const api = await useApp()

    const { text } = await api.get('/docs/api/dashboards')

    expect(text).toContain('Number of results to skip. (at least 0)')
  })

  it('shows how servers, workers and storage are connected', async () => {
    const api = await useApp()

    expect((await api.get('/docs/operating')).text).toContain('src="/docs/pictures/production.svg"')
    const { headers, text } = await api.get('/docs/pictures/production.svg')

    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(text).toContain('prefers-color-scheme: dark')
    for (const part of ['Reverse proxy', 'hedgerow serve', 'hedgerow worker', 'PostgreSQL']) {
      expect(text).toContain(part)
    }
  })

  it('is sent once, until it changes', async () => {
    const api = await useApp()

    for (const path of [
      '/docs',
      '/docs/sql.md',
      '/llms.txt',
      '/docs/pictures/web-dashboard.webp',
    ]) {
      const etag = (await api.get(path)).headers.get('etag') ?? ''
      const again = await api.get(path, { 'if-none-match': etag })

      expect({ path, status: again.status, text: again.text }).toEqual({
        path,
        status: 304,
        text: '',
      })
    }
  })

  it.each([
    ['/docs/nothing', 404],
    ['/docs/nothing.md', 404],
    ['/docs/../package.json', 404],
    ['/docs/%2e%2e%2fpackage.json', 404],
    ['/docs/pictures/%2e%2e%2fsql.md', 404],
    ['/docs/sql/', 200],
  ])('answers %s with %i', async (path, status) => {
    const api = await useApp()

    expect((await api.get(path)).status).toBe(status)
  })
})
