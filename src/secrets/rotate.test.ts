import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { changeProject } from '../db/change.ts'
import { openStorage } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { uuid } from '../db/values.ts'
import { keyFilePath, readKeyFile, replaceKeyFile } from './key-file.ts'
import { generateSecretKey, toKeyText } from './keys.ts'
import { openSecrets } from './open.ts'
import { rotateSecrets } from './rotate.ts'
import type { Secrets } from './secrets.ts'

const SETTINGS = 450
const CHUNKS = 20
const [oldKey, otherKey] = [generateSecretKey(), generateSecretKey()]

async function start(database: 'sqlite' | 'postgres', secretKey?: string) {
  const options = await storageOptions(database)
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  const { db } = storage
  const source = { db, dataFolder: options.dataFolder, secretKey }
  const secrets = await openSecrets(source)
  await fill(db, secrets)
  return { db, source, secrets, file: () => readFile(keyFilePath(options.dataFolder), 'utf8') }
}

async function fill(db: Db, secrets: Secrets): Promise<void> {
  await insertConfigs(db, secrets, SETTINGS)
  await insertAlert(db, secrets)
  await insertSecondFactor(db, secrets)
  await insertEmbedSecret(db, secrets)
  const file = { file_name: 'f', content_type: 't', size: CHUNKS * 100, created_at: '' }
  const id = uuid()
  await db
    .insertInto('attachments')
    .values({ id, project_id: 1, config_id: 1, key: 'file', ...file })
    .execute()
  for (let position = 0; position < CHUNKS; position++) {
    const sealed = secrets.encryptBytes(randomBytes(100).fill(position))
    await db
      .insertInto('attachment_chunks')
      .values({ attachment_id: id, position, sealed })
      .execute()
  }
}

async function insertConfigs(db: Db, secrets: Secrets, count: number): Promise<void> {
  const row = { project_id: 1, plugin_id: 1, enabled: 0, position: 0, deleted: 0 } as const
  const rows = Array.from({ length: count }, () => ({
    ...row,
    settings: secrets.encryptText('{"token":"hunter2"}'),
    created_at: '',
    updated_at: '',
  }))
  await db.insertInto('plugin_configs').values(rows).execute()
}

async function insertAlert(db: Db, secrets: Secrets): Promise<void> {
  const times = { created_at: '', next_check_at: '', measured_at: '' }
  const insight = await db
    .insertInto('insights')
    .values({
      project_id: 1,
      short_id: 'abcdefgh',
      name: '',
      description: '',
      query: '{}',
      tags: '[]',
      is_sample: 0,
      deleted: 0,
      created_at: '',
      last_modified_at: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('alerts')
    .values({
      uuid: uuid(),
      project_id: 1,
      insight_id: insight.id,
      name: '',
      enabled: 0,
      is_told: 0,
      condition: '{}',
      threshold: '{}',
      config: '{}',
      targets: '[]',
      state: 'Not firing',
      ...times,
      calculation_interval: 'hourly',
      signing_secret: secrets.encryptText('whsec_1'),
    })
    .execute()
}

/** The user is replacing the authenticator app. */
async function insertSecondFactor(db: Db, secrets: Secrets): Promise<void> {
  const [secret, pending_secret] = ['first', 'second'].map(secrets.encryptText)
  const row = { user_id: 1, secret: secret as string, pending_secret: pending_secret as string }
  await db
    .insertInto('second_factors')
    .values({ ...row, confirmed_at: '' })
    .execute()
}

async function insertEmbedSecret(db: Db, secrets: Secrets): Promise<void> {
  const row = { project_id: 1, kid: 'k', secret: secrets.encryptText('hes_1'), created_at: '' }
  await db.insertInto('embed_secrets').values(row).execute()
}

/** Decrypts everything and returns the IDs of the keys that encrypted it. */
async function openAll(db: Db, secrets: Secrets): Promise<string[]> {
  const configs = await db.selectFrom('plugin_configs').select('settings').execute()
  for (const { settings } of configs) {
    expect(secrets.decryptText(settings)).toBe('{"token":"hunter2"}')
  }
  const alerts = await db.selectFrom('alerts').select('signing_secret').execute()
  expect(alerts.map((alert) => secrets.decryptText(alert.signing_secret))).toEqual(['whsec_1'])
  const embeds = await db.selectFrom('embed_secrets').select('secret').execute()
  expect(embeds.map(({ secret }) => secrets.decryptText(secret))).toEqual(['hes_1'])
  const factors = await db.selectFrom('second_factors').selectAll().execute()
  const ofUsers = factors.flatMap(({ secret, pending_secret }) => [
    secret ?? '',
    pending_secret ?? '',
  ])
  expect(ofUsers.map(secrets.decryptText)).toEqual(['first', 'second'])
  const chunks = await db.selectFrom('attachment_chunks').selectAll().orderBy('position').execute()
  expect(chunks).toHaveLength(CHUNKS)
  for (const { position, sealed } of chunks) {
    expect(Buffer.from(secrets.decryptBytes(sealed))).toEqual(Buffer.alloc(100, position))
  }
  return [
    ...new Set([
      ...configs.map(({ settings }) => settings.slice(3, 19)),
      ...alerts.map((alert) => alert.signing_secret.slice(3, 19)),
      ...embeds.map(({ secret }) => secret.slice(3, 19)),
      ...ofUsers.map((secret) => secret.slice(3, 19)),
      ...chunks.map(({ sealed }) => Buffer.from(sealed.subarray(1, 9)).toString('hex')),
    ]),
  ]
}

const keyIds = async (db: Db) =>
  (await db.selectFrom('secret_keys').select('id').execute()).map(({ id }) => id)

describe.each(['sqlite', 'postgres'] as const)('rotating the key on %s', (database) => {
  it('encrypts everything with a new key and deletes the old one', async () => {
    const { db, source, file } = await start(database)
    const before = await file()

    const { key, ...done } = await rotateSecrets(source, () => {})

    expect(done).toEqual({ settings: SETTINGS + 4, chunks: CHUNKS })
    expect(await file()).toMatch(/^[\w+/]{43}=\n$/)
    expect(await file()).not.toBe(before)
    expect(await keyIds(db)).toEqual([key])
    expect(await openAll(db, await openSecrets(source))).toEqual([key])
  })

  it('does not disturb a running server', async () => {
    const { db, source, secrets } = await start(database)
    let written = 0
    const write = async () => {
      await changeProject(db, 1, (tx) => insertConfigs(tx, secrets, 1))
      written++
    }
    const writes: Promise<void>[] = [write()]

    const { key } = await rotateSecrets(source, () => {
      writes.push(write())
    })
    await Promise.all(writes)
    await write()

    expect(written).toBeGreaterThan(3)
    expect(await openAll(db, secrets)).toEqual([key])
    expect(await openAll(db, await openSecrets(source))).toEqual([key])
  })

  it('can be repeated after a crash at any step', async () => {
    const { db, source, secrets } = await start(database)
    const die = () => {
      throw new Error('killed')
    }

    for (const _ of ['after the settings', 'among the files', 'among the files']) {
      await expect(rotateSecrets(source, die)).rejects.toThrow('killed')
      expect(await openAll(db, secrets)).toContain(await readFirstKey(source))
      expect(await openAll(db, await openSecrets(source))).toContain(await readFirstKey(source))
      expect(await keyIds(db)).toHaveLength(2)
    }
    const { key } = await rotateSecrets(source, () => {})

    expect(await keyIds(db)).toEqual([key])
    expect(await openAll(db, await openSecrets(source))).toEqual([key])
  })

  it('leaves one key that decrypts everything if it runs twice at once', async () => {
    const { db, source } = await start(database)

    const ended = await Promise.allSettled([1, 2, 3].map(() => rotateSecrets(source, () => {})))

    const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.message] : []))
    for (const message of refused) expect(message).toMatch(/Run this again/)
    await openAll(db, await openSecrets(source))
    const { key } = await rotateSecrets(source, () => {})
    expect(await openAll(db, await openSecrets(source))).toEqual([key])
  })

  it('stops if a newer key appears meanwhile', async () => {
    const { db, source } = await start(database)
    const newer = { id: 'f'.repeat(16), proof: '', created_at: '' }

    const rotated = rotateSecrets(source, () => {
      const row = db.insertInto('secret_keys').values(newer)
      void row.onConflict((conflict) => conflict.doNothing()).execute()
    })

    await expect(rotated).rejects.toThrow('The key was changed again meanwhile.')
    expect(await keyIds(db)).toHaveLength(3)
  })

  it('encrypts with its own key even if the key file changes meanwhile', async () => {
    const { db, source } = await start(database)
    const folder = source.dataFolder

    const { key } = await rotateSecrets(source, () => {
      replaceKeyFile(folder, [generateSecretKey(), ...(readKeyFile(folder) ?? [])])
    })

    expect(await openAll(db, await openSecrets(source))).toEqual([key])
  })

  it("encrypts with the first of the operator's keys", async () => {
    const { db, source } = await start(database, toKeyText(oldKey))
    const secretKey = `${toKeyText(otherKey)},${toKeyText(oldKey)}`

    const { key } = await rotateSecrets({ ...source, secretKey }, () => {})
    const alone = await openSecrets({ ...source, secretKey: toKeyText(otherKey) })

    expect(key).toBe(otherKey.id)
    expect(await openAll(db, alone)).toEqual([otherKey.id])
    await expect(openSecrets(source)).rejects.toThrow('does not fit this database')
  })

  it('stops at a secret that it cannot decrypt, and deletes no key', async () => {
    const { db, source, file } = await start(database)
    const strange = { settings: `s1.${otherKey.id}.${'A'.repeat(60)}` }
    await db.updateTable('plugin_configs').set(strange).where('id', '=', 9).execute()

    await expect(rotateSecrets(source, () => {})).rejects.toThrow(`key ${otherKey.id}`)

    expect(await keyIds(db)).toHaveLength(2)
    expect((await file()).trim().split('\n')).toHaveLength(2)
  })
})

async function readFirstKey(source: Parameters<typeof openSecrets>[0]): Promise<string> {
  return (await openSecrets(source)).encryptText('').slice(3, 19)
}
