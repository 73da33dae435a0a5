import { expect, it, onTestFinished } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'

it('refuses exports with Retry-After when the queue is full', async () => {
  const api = await useApp()
  await addVisits(api, 3)
  const tiles = [{ insight: { name: 'Visits', query: visits({}) } }]
  const { id } = await createDashboard(api, { name: 'Slow', tiles })
  const { query } = api.services.events
  const held = Promise.withResolvers<void>()
  Object.assign(api.services.events, {
    query: async (...args: Parameters<typeof query>) => {
      await held.promise
      return query(...args)
    },
  })
  onTestFinished(() => void Object.assign(api.services.events, { query }))
  const headers = { authorization: `Bearer ${OWNER.apiKey}` }
  const url = api.address(`${pathOf(id)}/export.json`)

  const sent = Array.from({ length: 28 }, () => fetch(url, { headers }))
  const refused = await Promise.race(sent)

  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({
    code: 'unavailable',
    detail: 'Too many exports are waiting. Try again in a moment.',
  })
  held.resolve()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array(27).fill(200), 503])
})
