import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KEY_FILE } from '#server/secrets/key-file.ts'
import { generateSecretKey, toKeyText } from '#server/secrets/keys.ts'
import { type Client, CONFIGS, startApp } from '../support/app/app.ts'
import { runHedgerow, startServer, toEnv } from '../support/app/cli.ts'
import { sendBody } from '../support/app/files.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { insertConfigs } from '../support/data/secret-configs.ts'

const SECRET = 'hunter2-of-the-api'
const DATABASES = ['sqlite', 'postgres'] as const

const SETTINGS = { url: 'https://example.com', headers: { Authorization: SECRET } }

async function createConfig(api: Client): Promise<number> {
  const { body } = await api.post(CONFIGS, { plugin: 1 })
  await api.patch(`${CONFIGS}/${body.id}/settings`, { settings: SETTINGS })
  return body.id
}

const readUrl = async (api: Client, id: number) =>
  (await api.get(`${CONFIGS}/${id}/settings`)).body.settings.url

async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile() && file.name !== KEY_FILE)
  const contents = paths.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  return (await Promise.all(contents)).join('\n')
}

describe('a secret', () => {
  it('appears in no file, log or response', async () => {
    const options = await storageOptions('sqlite')
    const server = await startServer({ ...toEnv(options), HEDGEROW_LOG_LEVEL: 'debug' })
    const call = (path: string, method?: string, body?: unknown) =>
      server.call(OWNER.apiKey, CONFIGS + path, method, body)
    const responses: unknown[] = []
    const send = async (path: string, method?: string, body?: unknown) =>
      responses.push((await call(path, method, body)).body)

    const { id } = (await call('', 'POST', { plugin: 1 })).body
    await send(`/${id}/settings`, 'PATCH', { settings: SETTINGS })
    await send(`/${id}/settings`, 'PATCH', { settings: { headers: `{"broken": "${SECRET}` } })
    await send(`/${id}/settings`, 'PATCH', { settings: { headers: [SECRET], url: 5 } })
    await send(`/${id}/settings`, 'PATCH', { settings: { headers: { other: SECRET } } })
    await send(`/${id}`, 'PATCH', { enabled: true })
    await call(`/${id}/job`, 'POST', {})
    await call('', 'POST', { plugin: 2 })
    await sendBody(server, 'PUT', `${CONFIGS}/2/attachments/file`, SECRET)
    for (const path of ['', `/${id}`, `/${id}/settings`, `/${id}/runs`]) await send(path)
    const running = await everythingIn(options.dataFolder)
    const code = await server.stop()

    expect(code).toBe(0)
    expect(JSON.stringify(responses)).not.toContain('hunter2')
    expect(server.stdout() + server.stderr()).not.toContain('hunter2')
    expect(server.stderr()).toContain('/settings')
    expect(running).toContain('config_updated')
    expect(running).not.toContain('hunter2')
    expect(await everythingIn(options.dataFolder)).not.toContain('hunter2')
  })
})

describe('the secret key', () => {
  it.each(DATABASES)(
    'that does not match the database is reported in one sentence on %s',
    async (database) => {
      const options = await storageOptions(database)
      const env = toEnv(options)
      await insertConfigs(options, 1)
      const file = join(options.dataFolder, KEY_FILE)
      await writeFile(file, toKeyText(generateSecretKey()))

      const started = await runHedgerow(['serve'], { ...env, HEDGEROW_PORT: '0' })
      const examined = await runHedgerow(['doctor', '--json'], { ...env, HEDGEROW_PORT: '0' })

      const sentence = /^The secret key does not fit this database: .* restore .*secret\.key\.$/
      expect(started.code).toBe(1)
      expect(started.stderr.replace('hedgerow: ', '').trimEnd()).toMatch(sentence)
      expect(examined.code).toBe(1)
      const wrong = examined.json.checks.filter(({ ok }: { ok: boolean }) => !ok)
      expect(wrong).toMatchObject([{ name: 'secret key', detail: expect.stringMatching(sentence) }])
    },
  )

  it('can come from a variable, without a key file', async () => {
    const options = await storageOptions('sqlite')
    const env = { HEDGEROW_SECRET_KEY: randomBytes(32).toString('hex') }

    const id = await createConfig(await startApp(undefined, env, options))

    const next = await startApp(undefined, env, options)
    expect(await readUrl(next, id)).toBe('https://example.com')
    expect(await readdir(options.dataFolder)).not.toContain(KEY_FILE)
  })
})

describe.each(DATABASES)('hedgerow secrets rotate on %s', (database) => {
  it('keeps a running server reading and writing', async () => {
    const options = await storageOptions(database)
    const server = await startApp(undefined, {}, options)
    const before = await createConfig(server)

    const { code, json } = await runHedgerow(['secrets', 'rotate', '--json'], toEnv(options))
    const after = await createConfig(server)

    expect({ code, settings: json.settings }).toEqual({ code: 0, settings: 1 })
    expect(await readUrl(server, before)).toBe('https://example.com')
    const next = await startApp(undefined, {}, options)
    for (const id of [before, after]) expect(await readUrl(next, id)).toBe('https://example.com')
  })

  it('explains that the key is missing', async () => {
    const options = await storageOptions(database)
    await insertConfigs(options, 1)
    await rm(join(options.dataFolder, KEY_FILE))

    const { code, stderr } = await runHedgerow(['secrets', 'rotate'], toEnv(options))

    expect(code).toBe(1)
    expect(stderr).toMatch(/^hedgerow: The secret key does not fit this database/)
  })
})
