import { describe, expect, it } from 'vitest'
import { CONFIGS } from '../support/app/app.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { emptyStorage } from '../support/app/storage.ts'

const call = ({ call }: Server, path: string, method?: string, body?: unknown) =>
  call(OWNER.apiKey, CONFIGS + path, method, body)

async function createConfig(server: Server): Promise<number> {
  const { body } = await call(server, '', 'POST', { plugin: 1 })
  const settings = { url: 'https://example.com', headers: { Authorization: 'secret' } }
  await call(server, `/${body.id}/settings`, 'PATCH', { settings })
  return body.id
}

describe('servers that make their first start at once', () => {
  it('have the same secret key', async () => {
    const env = { ...toEnv(await emptyStorage('postgres')), HEDGEROW_API_KEY: OWNER.apiKey }

    const servers = await Promise.all([1, 2, 3].map(() => startServer(env)))
    const ids = await Promise.all(servers.map(createConfig))

    for (const server of servers) {
      for (const id of ids) {
        const { body } = await call(server, `/${id}/settings`)
        expect(body.settings.url).toBe('https://example.com')
      }
    }
  })
})
