import { expect, it } from 'vitest'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { start, takesSessions, walk } from '../../test/contract/walk.ts'

const MAX_LENGTH = 64 * 1024

it('stay small, however many routes, projects and kinds of queries are used', async () => {
  const { api, world, routes } = await start()
  const used = routes.filter(({ method }) => ['GET', 'POST', 'PATCH', 'DELETE'].includes(method))
  const limited = await api.as({ scopes: ['dashboard:read'] })
  for (let count = 0; count < 5; count++) await api.post('/api/projects', { name: `P${count}` })
  for (const kind of QUERY_KINDS) {
    await api.post('query', { query: kind.newQuery })
    await api.post('query', { query: { kind: kind.kind } })
  }
  for (let project = 1; project <= 7; project++)
    await api.get(`/api/projects/${project}/dashboards`)
  const nobody = api.withKey(undefined)
  for (const path of ['/nowhere', '/api/nowhere', '/api/projects/1/nowhere']) await nobody.get(path)
  for (const client of [nobody, limited, api]) {
    await walk(used.filter(takesSessions), world, () => client)
  }

  const { text } = await api.get('/metrics')

  const routesIn = new Set([...text.matchAll(/route="([^"]+)"/g)].map(([, route]) => route))
  const statuses = new Set([...text.matchAll(/status="(\d+)"/g)].map(([, status]) => status))
  expect(routesIn.size).toBeGreaterThan(40)
  expect(statuses.size).toBeGreaterThan(8)
  expect(text.length).toBeLessThan(MAX_LENGTH)
})
