import { expect, it, onTestFinished } from 'vitest'
import { useApp } from '../../test/support/app/app.ts'
import { until } from '../../test/support/until.ts'

it('limits the live streams of each key and sends Retry-After', async () => {
  const api = await useApp()
  const [one, other] = [await api.as({}), await api.as({})]
  const open = (key: string) => {
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const headers = { authorization: `Bearer ${key}` }
    const response = fetch(api.address('events/live'), { headers, signal: leaving.signal })
    return { response, leave: () => leaving.abort() }
  }
  const opened = Array.from({ length: 50 }, () => open(one.key))
  const statuses = opened.map(async ({ response }) => (await response).status)
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))

  const refused = await open(one.key).response

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({
    detail: expect.stringMatching(/^Too many live streams are open\./),
  })
  expect((await open(other.key).response).status).toBe(200)
  opened[0]?.leave()
  await until(async () => (await open(one.key).response).status === 200)
})
