import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KEY_FILE } from '#server/secrets/key-file.ts'
import { generateSecretKey, toKeyText } from '#server/secrets/keys.ts'
import { runHedgerow, type Server, startServer, toEnv } from '../cli.ts'
import { sendBody } from '../files.ts'
import { OWNER } from '../owner.ts'
import { insertConfigs } from '../secret-configs.ts'
import { emptyStorage, storageOptions } from '../storage.ts'

const CONFIGS = 'pipeline_import_apps_configs'
const SECRET = 'hunter2-of-the-api'
const DATABASES = ['sqlite', 'postgres'] as const

const call = ({ call }: Server, path: string, method?: string, body?: unknown) =>
  call(OWNER.apiKey, CONFIGS + path, method, body)

async function createConfig(server: Server): Promise<number> {
  const { body } = await call(server, '', 'POST', { plugin: 1 })
  const settings = { url: 'https://example.com', headers: { Authorization: SECRET } }
  await call(server, `/${body.id}/settings`, 'PATCH', { settings })
  return body.id
}

const urlOf = async (server: Server, id: number) =>
  (await call(server, `/${id}/settings`)).body.settings.url

async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile() && file.name !== KEY_FILE)
  const contents = paths.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  return (await Promise.all(contents)).join('\n')
}

describe('a secret', () => {
  it('is in no file, no log and no answer', async () => {
    const options = await storageOptions('sqlite')
    const server = await startServer({ ...toEnv(options), HEDGEROW_LOG_LEVEL: 'debug' })
    const id = await createConfig(server)
    const said: unknown[] = []
    const say = async (path: string, method?: string, body?: unknown) =>
      said.push((await call(server, path, method, body)).body)

    await say(`/${id}/settings`, 'PATCH', { settings: { headers: `{"broken": "${SECRET}` } })
    await say(`/${id}/settings`, 'PATCH', { settings: { headers: [SECRET], url: 5 } })
    await say(`/${id}/settings`, 'PATCH', { settings: { headers: { other: SECRET } } })
    await say(`/${id}`, 'PATCH', { enabled: true })
    await call(server, `/${id}/job`, 'POST', {})
    await call(server, '', 'POST', { plugin: 2 })
    await sendBody(server, 'PUT', `${CONFIGS}/2/attachments/file`, SECRET)
    for (const path of ['', `/${id}`, `/${id}/settings`, `/${id}/runs`]) await say(path)
    const running = await everythingIn(options.dataFolder)
    const code = await server.stop()

    expect(code).toBe(0)
    expect(JSON.stringify(said)).not.toContain('hunter2')
    expect(server.stdout() + server.stderr()).not.toContain('hunter2')
    expect(server.stderr()).toContain('/settings')
    expect(running).toContain('config_updated')
    expect(running).not.toContain('hunter2')
    expect(await everythingIn(options.dataFolder)).not.toContain('hunter2')
  })
})

describe('the secret key', () => {
  it.each(DATABASES)('that does not fit is one sentence on %s, not a crash', async (database) => {
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
  })

  it('is the same for servers that make their first start at once', async () => {
    const env = { ...toEnv(await emptyStorage('postgres')), HEDGEROW_API_KEY: OWNER.apiKey }

    const servers = await Promise.all([1, 2, 3].map(() => startServer(env)))
    const ids = await Promise.all(servers.map(createConfig))

    for (const server of servers) {
      for (const id of ids) expect(await urlOf(server, id)).toBe('https://example.com')
    }
  })

  it('may come from a variable, and then no file is made', async () => {
    const options = await storageOptions('sqlite')
    const env = { ...toEnv(options), HEDGEROW_SECRET_KEY: randomBytes(32).toString('hex') }
    const server = await startServer(env)
    const id = await createConfig(server)
    await server.stop()

    expect(await readdir(options.dataFolder)).not.toContain(KEY_FILE)
    expect(await urlOf(await startServer(env), id)).toBe('https://example.com')
  })
})

describe.each(DATABASES)('hedgerow secrets rotate on %s', (database) => {
  it('lets a running server go on reading and writing', async () => {
    const options = await storageOptions(database)
    const env = toEnv(options)
    const server = await startServer(env)
    const before = await createConfig(server)

    const { code, json } = await runHedgerow(['secrets', 'rotate', '--json'], env)
    const after = await createConfig(server)

    expect({ code, settings: json.settings }).toEqual({ code: 0, settings: 1 })
    expect(await urlOf(server, before)).toBe('https://example.com')
    await server.stop()
    const next = await startServer(env)
    for (const id of [before, after]) expect(await urlOf(next, id)).toBe('https://example.com')
  })

  it('says what is wrong when the key is', async () => {
    const options = await storageOptions(database)
    await insertConfigs(options, 1)
    await rm(join(options.dataFolder, KEY_FILE))

    const { code, stderr } = await runHedgerow(['secrets', 'rotate'], toEnv(options))

    expect(code).toBe(1)
    expect(stderr).toMatch(/^hedgerow: The secret key does not fit this database/)
  })
})
