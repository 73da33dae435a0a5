import { describe, expect, it } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS } from '../support/app/app.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

const BUSY_ONCE = `
  export const jobs = {
    async work(payload, { storage }) {
      if (await storage.get('tried')) return
      await storage.set('tried', true)
      throw new RetryError('busy')
    },
  }
`

const waitForRun = (server: Server, state: string) =>
  until(async () => {
    const { body } = await server.call(OWNER.apiKey, `${CONFIGS}/1/runs`)
    return body.results[0]?.state === state && body.results[0]
  }, 60)

describe.each(['sqlite', 'postgres'] as const)(
  'a run that waits for its retry on %s',
  (database) => {
    it('is repeated once by the server that starts after a kill', async () => {
      const options = await storageOptions(database)
      const { db, close } = await openStorage(options)
      const code = await compileApp({ 'index.ts': BUSY_ONCE }, 'index.ts')
      const plugin = await installPlugin(db, { code, public_jobs: { work: {} } })
      await close()
      const server = await startServer(toEnv(options))
      const call = (path: string, method: string, body?: object) =>
        server.call(OWNER.apiKey, path, method, body)
      await call(CONFIGS, 'POST', { plugin, enabled: true })
      const retry = { times: 1, backoff: 'constant' }
      await call(`${CONFIGS}/1/schedule`, 'PATCH', { retry })
      await call(`${CONFIGS}/1/job`, 'POST', {})
      await until(async () => {
        const { body } = await call(`${CONFIGS}/1/runs`, 'GET')
        return body.results[0].message.startsWith('Retry 1 of 1')
      })

      await server.stop('SIGKILL')
      const again = await startServer(toEnv(options))

      expect(await waitForRun(again, 'succeeded')).toMatchObject({ attempt: 2 })
    })
  },
)
