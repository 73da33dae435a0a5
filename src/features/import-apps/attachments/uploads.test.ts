import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { prepareStorage } from '#server/features/setup/first-start.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../test/app.ts'
import { sendBody } from '../../../../test/files.ts'
import { OWNER } from '../../../../test/owner.ts'
import { installPlugin } from '../../../../test/plugin.ts'
import { putAttachment } from './attachments.ts'
import { deleteDetached } from './store.ts'
import { storeUpload } from './upload.ts'

const MIB = 1024 * 1024
const CALLER = { projectId: 1, userId: 1, level: 15, scopes: new Set(['*']) }
const FILE = { key: 'file', fileName: 'f', contentType: 't' }

async function start(): Promise<TestApp> {
  const api = await startApp()
  const config_schema = [{ key: 'file', type: 'attachment' as const }, { key: 'host' }]
  await api.post(CONFIGS, { plugin: await installPlugin(api.db, { config_schema }) })
  return api
}

const rowsOf = ({ db }: TestApp) => db.selectFrom('attachments').selectAll().execute()

async function* endless(): AsyncIterable<Uint8Array> {
  for (;;) yield randomBytes(300_000)
}

describe('an upload', () => {
  it.each([
    [404, `${CONFIGS}/9/attachments/file`],
    [404, `${CONFIGS}/x/attachments/file`],
    [400, `${CONFIGS}/1/attachments/host`],
    [400, `${CONFIGS}/1/attachments/other`],
    [400, `${CONFIGS}/1/attachments/__proto__`],
  ])('is refused with %i at %s, and leaves nothing', async (status, path) => {
    const api = await start()

    expect((await sendBody(api, 'PUT', path, 'a')).status).toBe(status)
    expect(await rowsOf(api)).toEqual([])
  })

  it('is refused while its app is not installed', async () => {
    const api = await start()
    await api.post(CONFIGS, { plugin: 99 })

    const answer = await sendBody(api, 'PUT', `${CONFIGS}/2/attachments/file`, 'a')

    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('of more than 2 GiB is refused before it comes', async () => {
    const api = await start()
    const path = `${CONFIGS}/1/attachments/file`

    const answer = await sendHead(api, path, { 'content-length': String(2 ** 31 + 1) })

    expect(answer).toContain('413')
    expect(answer).toContain('The file is larger than 2 GiB.')
  })

  it.each([0, 1, MIB, 2 * MIB + 1])('of %i bytes may be just as large as that', async (size) => {
    const api = await start()
    const { db, services } = api
    const store = (bytes: number) =>
      storeUpload(
        { db, secrets: services.secrets },
        1,
        FILE,
        Readable.from([Buffer.alloc(bytes)]),
        size,
      )

    expect(await store(size)).toMatchObject({ size })
    await expect(store(size + 1)).rejects.toMatchObject({ code: 'request_too_large' })
    expect(await rowsOf(api)).toHaveLength(1)
  })

  it('that turns out to be too large leaves nothing', async () => {
    const api = await start()
    const { db, services } = api

    const stored = storeUpload({ db, secrets: services.secrets }, 1, FILE, endless(), 3 * MIB)

    await expect(stored).rejects.toMatchObject({ code: 'request_too_large' })
    expect(await rowsOf(api)).toEqual([])
  })

  it('is not read when nobody wants it', async () => {
    const { db, services } = await start()
    const file = { ...FILE, key: 'host' }
    let wasRead = false
    async function* unwanted() {
      wasRead = true
      yield Buffer.from('a')
    }

    const put = putAttachment({ db, secrets: services.secrets }, CALLER, {
      configId: 1,
      file,
      bytes: unwanted(),
    })

    await expect(put).rejects.toMatchObject({ attr: 'host' })
    expect(wasRead).toBe(false)
  })

  it('whose config goes meanwhile leaves nothing', async () => {
    const api = await start()
    async function* slow() {
      yield randomBytes(MIB)
      await api.delete(`${CONFIGS}/1`)
      yield randomBytes(MIB)
    }

    const put = putAttachment({ db: api.db, secrets: api.services.secrets }, CALLER, {
      configId: 1,
      file: FILE,
      bytes: slow(),
    })

    await expect(put).rejects.toMatchObject({ statusCode: 404 })
    expect(await rowsOf(api)).toEqual([])
  })

  it('that breaks off leaves nothing, and what was there stays', async () => {
    const api = await start()
    const path = `${CONFIGS}/1/attachments/file`
    await sendBody(api, 'PUT', path, 'first')
    const arrived = () => rowsOf(api).then((rows) => rows.some(({ size }) => size >= MIB))

    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    socket.write(headOf('PUT', api.path(path), { 'content-length': String(10 * MIB) }))
    socket.write(randomBytes(3 * MIB))
    await expect.poll(arrived, { timeout: 10_000 }).toBe(true)
    socket.destroy()

    await expect.poll(() => rowsOf(api), { timeout: 10_000 }).toMatchObject([{ size: 5 }])
    expect((await api.get(`${CONFIGS}/1/attachments`)).body).toMatchObject([{ size: 5 }])
  })

  it('shows nowhere before it is whole', async () => {
    const api = await start()
    const { services, db } = api
    const seen: unknown[] = []
    async function* watched() {
      yield randomBytes(2 * MIB)
      seen.push((await api.get(`${CONFIGS}/1/attachments`)).body)
      seen.push(JSON.parse((await api.get(`${CONFIGS}/1`)).body.config))
    }

    await storeUpload({ db, secrets: services.secrets }, 1, FILE, watched())

    expect(seen).toEqual([[], {}])
  })

  it('that has become a file of a config cannot be discarded any more', async () => {
    const api = await start()
    await sendBody(api, 'PUT', `${CONFIGS}/1/attachments/file`, 'first')

    await deleteDetached(
      api.db,
      (await rowsOf(api)).map(({ id }) => id),
    )

    expect(await rowsOf(api)).toHaveLength(1)
    expect(await api.db.selectFrom('attachment_chunks').select('position').execute()).toHaveLength(
      1,
    )
  })

  it('that a dead server left is removed at a start, one that still comes is not', async () => {
    const api = await start()
    const { services, db } = api
    const dead = await storeUpload({ db, secrets: services.secrets }, 1, FILE, chunk())
    const alive = await storeUpload({ db, secrets: services.secrets }, 1, FILE, chunk())
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

/** Sends the head alone and returns the answer. */
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
