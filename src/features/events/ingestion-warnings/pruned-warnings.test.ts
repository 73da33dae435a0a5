import { expect, it } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'
import { addEvents, signingIn } from '../../../../test/support/data/persons.ts'

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

it('keeps ingestion warnings of the last 30 days and deletes older ones', {
  tags: 'sql',
}, async () => {
  const api = await startApp()
  const { events } = api.services
  const count = async () =>
    (await api.get('/api/projects/1/ingestion_warnings')).body.results.length
  await events.deleteWarningsBefore(inDays(0)) // in a store without events
  await addEvents(api, signingIn('ada', 'null'))
  expect(await count()).toBe(1)

  await events.deleteWarningsBefore(inDays(-30))
  expect(await count()).toBe(1)
  await events.deleteWarningsBefore(inDays(1))

  expect(await count()).toBe(0)
})
