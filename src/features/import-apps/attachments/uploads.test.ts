import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { prepareStorage } from '#server/features/setup/first-start.ts'
import { CONFIGS, startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { sendBody } from '../../../../test/support/app/files.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import { putAttachment } from '../configs/attachments.ts'
import { deleteDetached } from './store.ts'
import { storeUpload } from './upload.ts'

const MIB = 1024 * 1024
const FILE = { key: 'file', fileName: 'f', contentType: 't' }

interface ConfiguredApp extends TestApp {
  readonly configId: number
  /** The path of the config. */
  readonly config: string
  /** The user who uploads. */
  readonly caller: Parameters<typeof putAttachment>[1]
}

async function start(startOrUse = useApp): Promise<ConfiguredApp> {
  const api = await startOrUse()
  const config_schema = [{ key: 'file', type: 'attachment' as const }, { key: 'host' }]
  const plugin = await installPlugin(api.db, { config_schema })
  const { id } = await createConfig(api, { plugin })
  const caller = {
    projectId: api.projectId,
    userId: 1,
    level: 15,
    isViewer: false,
    scopes: new Set(['*']),
  }
  return { ...api, configId: id, config: `${CONFIGS}/${id}`, caller }
}

const rowsOf = ({ db, projectId }: TestApp) =>
  db.selectFrom('attachments').selectAll().where('project_id', '=', projectId).execute()

async function* endless(): AsyncIterable<Uint8Array> {
  for (;;) yield randomBytes(300_000)
}

describe('an upload', () => {
  it.each([
    [404, '9', 'file'],
    [404, 'x', 'file'],
    [400, '{id}', 'host'],
    [400, '{id}', 'other'],
    [400, '{id}', '__proto__'],
  ])('is refused with %i for config %s and key %s, and stores nothing', async (status, id, key) => {
    const api = await start()
    const path = `${CONFIGS}/${id === '{id}' ? api.configId : id}/attachments/${key}`

    expect((await sendBody(api, 'PUT', path, 'a')).status).toBe(status)
    expect(await rowsOf(api)).toEqual([])
  })

  it('is refused while its app is not installed', async () => {
    const api = await start()
    const { id } = await createConfig(api, { plugin: 99 })

    const response = await sendBody(api, 'PUT', `${CONFIGS}/${id}/attachments/file`, 'a')

    expect(response).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('of more than 2 GiB is refused before its body is sent', async () => {
    const api = await start()
    const path = `${api.config}/attachments/file`

    const response = await sendHead(api, path, { 'content-length': String(2 ** 31 + 1) })

    expect(response).toContain('413')
    expect(response).toContain('The file is larger than 2 GiB.')
  })

  it.each([0, 1, MIB, 2 * MIB + 1])(
    'can be exactly as large as a limit of %i bytes',
    async (size) => {
      const api = await start()
      const { db, services } = api
      const store = (bytes: number) =>
        storeUpload(
          { db, secrets: services.secrets },
          {
            projectId: api.projectId,
            file: FILE,
            bytes: Readable.from([Buffer.alloc(bytes)]),
            limit: size,
          },
        )

      expect(await store(size)).toMatchObject({ size })
      await expect(store(size + 1)).rejects.toMatchObject({ code: 'request_too_large' })
      expect(await rowsOf(api)).toHaveLength(1)
    },
  )

  it('that turns out to be too large stores nothing', async () => {
    const api = await start()
    const { db, services } = api

    const stored = storeUpload(
      { db, secrets: services.secrets },
      { projectId: api.projectId, file: FILE, bytes: endless(), limit: 3 * MIB },
    )

    await expect(stored).rejects.toMatchObject({ code: 'request_too_large' })
    expect(await rowsOf(api)).toEqual([])
  })

  it('is not read if the app has no setting for it', async () => {
    const { db, services, caller, configId } = await start()
    const file = { ...FILE, key: 'host' }
    let wasRead = false
    async function* unwanted() {
      wasRead = true
      yield Buffer.from('a')
    }

    const put = putAttachment({ db, secrets: services.secrets }, caller, {
      configId,
      file,
      bytes: unwanted(),
    })

    await expect(put).rejects.toMatchObject({ attr: 'host' })
    expect(wasRead).toBe(false)
  })

  it('stores nothing if its config is deleted in the meantime', { tags: 'sql' }, async () => {
    const api = await start()
    async function* slow() {
      yield randomBytes(MIB)
      await api.delete(api.config)
      yield randomBytes(MIB)
    }

    const put = putAttachment({ db: api.db, secrets: api.services.secrets }, api.caller, {
      configId: api.configId,
      file: FILE,
      bytes: slow(),
    })

    await expect(put).rejects.toMatchObject({ statusCode: 404 })
    expect(await rowsOf(api)).toEqual([])
  })

  it('that is interrupted stores nothing and keeps the previous file', async () => {
    const api = await start()
    const path = `${api.config}/attachments/file`
    await sendBody(api, 'PUT', path, 'first')
    const arrived = () => rowsOf(api).then((rows) => rows.some(({ size }) => size >= MIB))

    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    socket.write(headOf('PUT', api.path(path), { 'content-length': String(10 * MIB) }))
    socket.write(randomBytes(3 * MIB))
    await expect.poll(arrived, { timeout: 10_000 }).toBe(true)
    socket.destroy()

    await expect.poll(() => rowsOf(api), { timeout: 10_000 }).toMatchObject([{ size: 5 }])
    expect((await api.get(`${api.config}/attachments`)).body).toMatchObject([{ size: 5 }])
  })

  it('is hidden until it is complete', { tags: 'sql' }, async () => {
    const api = await start()
    const { services, db } = api
    const seen: unknown[] = []
    async function* watched() {
      yield randomBytes(2 * MIB)
      seen.push((await api.get(`${api.config}/attachments`)).body)
      seen.push(JSON.parse((await api.get(api.config)).body.config))
    }

    await storeUpload(
      { db, secrets: services.secrets },
      { projectId: api.projectId, file: FILE, bytes: watched() },
    )

    expect(seen).toEqual([[], {}])
  })

  it('that belongs to a config is not discarded', async () => {
    const api = await start()
    await sendBody(api, 'PUT', `${api.config}/attachments/file`, 'first')

    await deleteDetached(
      api.db,
      (await rowsOf(api)).map(({ id }) => id),
    )

    const [row] = await rowsOf(api)
    const chunks = api.db
      .selectFrom('attachment_chunks')
      .where('attachment_id', '=', String(row?.id))
    expect(await chunks.select('position').execute()).toHaveLength(1)
  })

  it('is deleted at the next start if its server died, but not while it is in progress', {
    tags: 'sql',
  }, async () => {
    const api = await start(startApp)
    const { services, db } = api
    const dead = await storeUpload(
      { db, secrets: services.secrets },
      { projectId: api.projectId, file: FILE, bytes: chunk() },
    )
    const alive = await storeUpload(
      { db, secrets: services.secrets },
      { projectId: api.projectId, file: FILE, bytes: chunk() },
    )
    const longAgo = { created_at: inSeconds(-3600) }
    await db.updateTable('attachments').set(longAgo).where('id', '=', dead.id).execute()

    await prepareStorage(db, { apiKey: undefined, email: undefined, password: undefined })

    expect((await rowsOf(api)).map(({ id }) => id)).toEqual([alive.id])
    const chunks = await db.selectFrom('attachment_chunks').select('attachment_id').execute()
    expect(chunks).toEqual([{ attachment_id: alive.id }])
  })
})

async function* chunk(): AsyncIterable<Uint8Array> {
  yield Buffer.from('a')
}

function headOf(method: string, path: string, headers: Record<string, string>): string {
  const all = { host: 'x', authorization: `Bearer ${OWNER.apiKey}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Sends only the head of a request and returns the response. */
async function sendHead(api: TestApp, path: string, headers: Record<string, string>) {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(headOf('PUT', api.path(path), headers))
  let text = ''
  for await (const some of socket) {
    text += some
    if (text.endsWith('}')) break
  }
  return text
}
