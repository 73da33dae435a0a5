import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { type Sendable, sendBody } from '../../../../test/support/app/files.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'
import { loadAttachments } from './load.ts'

const SCHEMA: ConfigField[] = [
  { key: 'file', type: 'attachment', required: true },
  { key: 'hidden', type: 'attachment', secret: true },
  { key: 'host' },
]
const MIB = 1024 * 1024

interface ConfiguredApp extends TestApp {
  readonly configId: number
  /** The path of the config. */
  readonly config: string
}

async function start(): Promise<ConfiguredApp> {
  const api = await useApp()
  const plugin = await installPlugin(api.db, { config_schema: SCHEMA })
  const { id } = await createConfig(api, { plugin, enabled: true })
  return { ...api, configId: id, config: `${CONFIGS}/${id}` }
}

const put = (api: ConfiguredApp, key: string, body: Sendable, headers?: Record<string, string>) =>
  sendBody(api, 'PUT', `${api.config}/attachments/${key}`, body, headers)

async function readContent(
  { db, services, configId }: ConfiguredApp,
  key: string,
): Promise<Buffer> {
  const { [key]: file } = await loadAttachments(db, services.secrets, configId)
  const pieces: Uint8Array[] = []
  for await (const piece of file?.read() ?? []) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function countRows(api: ConfiguredApp) {
  const files = api.db.selectFrom('attachments').where('project_id', '=', api.projectId)
  const { length } = await files.select('id').execute()
  return { files: length, chunks: (await listChunks(api)).length }
}

/** Lists the chunks of the project's files, and those that lost their file. */
const listChunks = ({ db, projectId }: TestApp) =>
  db
    .selectFrom('attachment_chunks')
    .select('sealed')
    .where('attachment_id', 'not in', (query) =>
      query.selectFrom('attachments').select('id').where('project_id', '!=', projectId),
    )
    .execute()

async function activities(api: ConfiguredApp) {
  const { body } = await api.get(`${api.config}/activity`, { accept: 'application/json' })
  return body.results
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an attachment', () => {
  it('is stored in chunks and read back unchanged', { tags: 'sql' }, async () => {
    const api = await start()
    const sent = randomBytes(3 * MIB + 7)

    const { status, body } = await put(api, 'file?filename=a.csv', sent, {
      'content-type': 'text/csv',
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ key: 'file', name: 'a.csv', type: 'text/csv', size: sent.length })
    expect(sha(await readContent(api, 'file'))).toBe(sha(sent))
    expect(await countRows(api)).toEqual({ files: 1, chunks: 4 })
  })

  it('is listed, and shown in the config', async () => {
    const api = await start()
    const before = await api.get(api.config)
    const { body: file } = await put(api, 'file', 'a,b', { 'content-type': 'text/csv' })

    const { body: config } = await api.get(api.config)

    expect((await api.get(`${api.config}/attachments`)).body).toEqual([file])
    expect(JSON.parse(config.config)).toEqual({
      file: { uid: file.uid, saved: true, size: 3, name: 'file', type: 'text/csv' },
    })
    expect(before.body.error).toBe('Required settings are missing: file.')
    expect(config.error).toBe('')
    expect(config.updated_at > before.body.updated_at).toBe(true)
  })

  it('that is secret hides its name, size and type', async () => {
    const api = await start()

    const { body } = await put(api, 'hidden?filename=hunter2.pem', 'key')

    expect(body).toMatchObject({ name: SECRET_MASK, size: -1, type: 'application/octet-stream' })
    const { text } = await api.get(api.config)
    expect(text + JSON.stringify(await activities(api))).not.toContain('hunter2')
  })

  it('is encrypted in the database', async () => {
    const api = await start()
    await put(api, 'file', 'hunter2 '.repeat(200_000))

    const chunks = await listChunks(api)

    expect(chunks).toHaveLength(2)
    for (const { sealed } of chunks) {
      expect(Buffer.from(sealed).includes('hunter2')).toBe(false)
    }
  })

  it('is replaced with all of its chunks', { tags: 'sql' }, async () => {
    const api = await start()
    const { body: first } = await put(api, 'file?filename=a.csv', randomBytes(2 * MIB))

    const { body: second } = await put(api, 'file?filename=b.csv', 'short')

    expect(second.uid).not.toBe(first.uid)
    expect((await readContent(api, 'file')).toString()).toBe('short')
    expect(await countRows(api)).toEqual({ files: 1, chunks: 1 })
  })

  it('that is replaced while it is read fails instead of ending early', {
    tags: 'sql',
  }, async () => {
    const api = await start()
    await put(api, 'file?filename=a.csv', randomBytes(2 * MIB))
    const { file } = await loadAttachments(api.db, api.services.secrets, api.configId)
    const pieces = file?.read()[Symbol.asyncIterator]()
    await pieces?.next()

    await put(api, 'file', 'other')

    await expect(pieces?.next()).rejects.toThrow('The file "a.csv" was replaced while it was read.')
  })

  it('can be deleted once', async () => {
    const api = await start()
    await put(api, 'file', 'a')

    expect((await api.delete(`${api.config}/attachments/file`)).status).toBe(204)
    expect((await api.delete(`${api.config}/attachments/file`)).status).toBe(404)
    expect((await api.get(`${api.config}/attachments`)).body).toEqual([])
    expect(await countRows(api)).toEqual({ files: 0, chunks: 0 })
  })

  it('can be empty', async () => {
    const api = await start()

    const { status, body } = await put(api, 'file', '')

    expect({ status, size: body.size }).toEqual({ status: 200, size: 0 })
    expect(await readContent(api, 'file')).toHaveLength(0)
  })

  it('is logged with the activity names that clients know', async () => {
    const api = await start()
    await put(api, 'file?filename=a.db', 'a')
    await put(api, 'file?filename=b.db', 'b')
    await api.delete(`${api.config}/attachments/file`)

    const [deleted, updated, created] = await activities(api)

    const change = { type: 'PluginConfig', field: null }
    expect(created).toMatchObject({ activity: 'attachment_created' })
    expect(created.detail.changes).toEqual([
      { ...change, action: 'created', before: null, after: 'a.db' },
    ])
    expect(updated).toMatchObject({ activity: 'attachment_updated' })
    expect(updated.detail.changes).toEqual([
      { ...change, action: 'changed', before: 'a.db', after: 'b.db' },
    ])
    expect(deleted).toMatchObject({ activity: 'attachment_deleted' })
    expect(deleted.detail.changes).toEqual([
      { ...change, action: 'deleted', before: 'b.db', after: null },
    ])
  })

  it('is deleted with its config', { tags: 'sql' }, async () => {
    const api = await start()
    await put(api, 'file', randomBytes(2 * MIB))

    await api.delete(api.config)

    expect(await countRows(api)).toEqual({ files: 0, chunks: 0 })
  })

  it('that is secret is deleted when the config changes to another app', async () => {
    const api = await start()
    await put(api, 'file', 'open')
    await put(api, 'hidden', 'secret')

    await api.patch(api.config, { plugin: 2 })

    expect(await countRows(api)).toEqual({ files: 1, chunks: 1 })
    expect((await api.get(`${api.config}/attachments`)).body).toMatchObject([
      { key: 'file', size: 4 },
    ])
  })
})

describe('the name of an attachment', () => {
  it.each([
    ['file', {}, 'file'],
    ['file?filename=a%20b.csv', {}, 'a b.csv'],
    ['file?filename=..%2F..%2Fetc%2Fpasswd', {}, 'passwd'],
    ['file?filename=C:%5Cx%5Cy.csv', {}, 'y.csv'],
    ['file', { 'content-disposition': 'attachment; filename="a \\"b\\".csv"' }, 'a "b".csv'],
    ['file', { 'content-disposition': "attachment; filename*=UTF-8''%C3%A9.csv" }, 'é.csv'],
    ['file', { 'content-disposition': 'attachment; filename*=UTF-8%' }, 'file'],
    ['file?filename=q.csv', { 'content-disposition': 'attachment; filename=h.csv' }, 'q.csv'],
  ])('is taken from %s with %j', async (path, headers, name) => {
    const api = await start()

    expect((await put(api, path, 'a', headers)).body.name).toBe(name)
  })

  it.each([
    ['file?filename=', 'blank'],
    [`file?filename=${'x'.repeat(401)}`, 'max_length'],
    ['file?filename=%00', 'null_characters_not_allowed'],
  ])('is refused as %.30s', async (path, code) => {
    const api = await start()

    expect(await put(api, path, 'a')).toMatchObject({
      status: 400,
      body: { code, attr: 'filename' },
    })
    expect(await countRows(api)).toEqual({ files: 0, chunks: 0 })
  })
})
