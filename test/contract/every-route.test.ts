import { expect, it } from 'vitest'
import { DATABASE } from '../support/app/storage.ts'
import type { Route } from './routes.ts'
import { isChange, isSigningOut, nameOf, start, walk } from './walk.ts'

/** No query runs in the background. */
const NOT_FOUND = 'GET /api/projects/:project_id/query/:id'

/** Pictures are drawn from results, which are the same on both databases; drawing takes seconds. */
const isDrawn = ({ url }: Route) => DATABASE === 'postgres' && /export\.(pdf|png|svg)$/.test(url)

it('serves every read, and answers every change without a failure of the server', {
  tags: 'sql',
}, async () => {
  const { api, world, guarded } = await start()
  const isAsked = (route: Route) =>
    route.method !== 'HEAD' && !isSigningOut(route) && !isDrawn(route)
  const routes = guarded.filter(isAsked)
  const [changes, reads] = [routes.filter(isChange), routes.filter((route) => !isChange(route))]

  const served = await walk(reads, world, () => api)
  const answered = await walk(changes, world, () => api) // throws on a status of 500 or more

  const isServed = (status: string) => /^(200|400 This field is required\.)$/.test(status)
  const others = Object.entries(served).filter(([, status]) => !isServed(status))
  expect(others).toEqual([[NOT_FOUND, '404 Not found.']])
  expect(Object.keys(answered).toSorted()).toEqual(changes.map(nameOf).toSorted())
})
