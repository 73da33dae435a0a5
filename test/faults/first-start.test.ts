import { describe, expect, it } from 'vitest'
import { startServer, toEnv } from '../support/app/cli.ts'
import { emptyStorage } from '../support/app/storage.ts'

const SECRETS = {
  HEDGEROW_API_KEY: 'phx_a_key_that_nobody_may_see_anywhere',
  HEDGEROW_OWNER_PASSWORD: 'a password that nobody may see',
}

const setUpLink = (before: string, url: string) =>
  new RegExp(`${before}${url}/set-up#token=\\w{43}`)

describe('the first start', () => {
  it('prints the URL, the set-up link, the sign-in and the key once', async () => {
    const env = toEnv(await emptyStorage('sqlite'))

    const first = await startServer(env)
    await first.stop()
    const second = await startServer(env)

    const [key = ''] = first.stdout().match(/phx_\w{43}/) ?? []
    expect(first.stdout()).toContain(`Hedgerow is ready at ${first.url}`)
    expect(first.stdout()).toMatch(/sign-in +\S+@\S+\n +password +\w{16}\n +API key +phx_/)
    expect(first.stdout()).toMatch(setUpLink('Set up: ', first.url))
    expect(first.stdout()).toContain('Set-up replaces the sign-in and password')
    expect((await second.call(key, '/api/projects')).status).toBe(200)
    expect(second.stdout()).toBe(
      `Hedgerow is ready at ${second.url}\n\nDocumentation: ${second.url}/docs\n`,
    )
  })

  it('prints them as JSON', async () => {
    const env = toEnv(await emptyStorage('sqlite'))

    const first = await startServer(env, '--json')
    await first.stop()
    const second = await startServer(env, '--json')

    const { url, email, password, value, set_up } = JSON.parse(first.stdout())
    expect([url, email]).toEqual([first.url, expect.stringContaining('@')])
    expect([password, value]).toEqual([expect.any(String), expect.stringMatching(/^phx_\w{43}$/)])
    expect(set_up).toMatch(setUpLink('^', first.url))
    expect(JSON.parse(second.stdout())).toEqual({
      url: second.url,
      email: null,
      password: null,
      value: null,
      set_up: null,
    })
  })

  it('neither prints nor logs secrets that were configured', async () => {
    const env = { ...toEnv(await emptyStorage('sqlite')), ...SECRETS, HEDGEROW_LOG_LEVEL: 'debug' }
    const server = await startServer(env)
    const { HEDGEROW_API_KEY: key } = SECRETS

    expect((await server.call(key, '/api/projects')).status).toBe(200)
    await server.call(`${key}x`, '/api/projects')
    for (const path of ['/api/projects', '/api/projects/1', '/nowhere', '/api/environments/x/%']) {
      await server.call('wrong', `${path}?personal_api_key=${key}`)
      await server.call(key, `${path}?personal_api_key=${key}`, 'POST', { key })
    }
    await server.stop()

    const output = server.stdout() + server.stderr()
    expect(output.match(/"msg":"request completed"/g)?.length).toBeGreaterThan(5)
    for (const secret of Object.values(SECRETS)) expect(output).not.toContain(secret)
  })
})
