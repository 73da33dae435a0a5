import { expect, it } from 'vitest'
import { PROJECT } from '../support/app/app.ts'
import { openWeb } from './browser.ts'
import { startSite, toShop } from './site.ts'

it('lets a page of another origin send events with credentials, but not use the session', async () => {
  const { api, page } = await openWeb()
  const { body: project } = await api.get(PROJECT)
  const site = await startSite({ '/': toShop('') })
  // a port of the same host, to which the browser sends the cookie of the session
  await page.goto(site.replace('localhost', '127.0.0.1'))
  const call = (path: string, options: object) =>
    page.evaluate(
      ([url, init]) =>
        fetch(url, { credentials: 'include', ...init }).then(
          ({ status }) => status,
          () => 'blocked',
        ),
      [api.url + path, options] as const,
    )
  const event = JSON.stringify({ api_key: project.api_token, event: 'paid', distinct_id: 'ada' })
  const headers = { 'content-type': 'application/json', anonymousid: 'x' }

  expect(await call('/e/', { method: 'POST', body: event })).toBe(200)
  expect(await call('/e/', { method: 'POST', body: event, headers })).toBe(200)
  expect(await call('/flags/', { method: 'POST', body: '{}' })).toBe(401)
  expect(await call('/api/surveys/?token=x', {})).toBe(401)
  for (const path of ['/api/users/@me', '/flags/definitions', '/api/none', '/mcp', '/sign-in']) {
    expect([path, await call(path, {})]).toEqual([path, 'blocked'])
  }
  expect((await api.get('events')).body.results).toHaveLength(2)
})
