import { onTestFinished } from 'vitest'
import type { TestApp } from '../app/app.ts'

/** Compares every combination of five events: with 200 events, that takes hours. The number makes a query of its own. */
export const endlessSql = (n: number): string =>
  `select count() from events a cross join events b cross join events c cross join events d
    cross join events e where concat(a.uuid, b.uuid, c.uuid, d.uuid, e.uuid) = '${n}'`

/** Counts the statements that are running, those that have started, and those that ended because nobody waited. */
export function watchStatements(api: TestApp) {
  let running = 0
  let started = 0
  let canceled = 0
  const { query } = api.services.events
  Object.assign(api.services.events, {
    query: (...args: Parameters<typeof query>) => {
      const [, { signal }] = args
      running++
      started++
      return query(...args).finally(() => {
        running--
        if (signal?.aborted) canceled++
      })
    },
  })
  onTestFinished(() => void Object.assign(api.services.events, { query }))
  return { running: () => running, started: () => started, canceled: () => canceled }
}
