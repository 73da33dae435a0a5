import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { SQLITE_FILE } from '../db/connect-sqlite.ts'
import { openStorage, type StorageOptions } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { keyFilePath } from './key-file.ts'
import { generateSecretKey, toKeyText } from './keys.ts'
import { openSecrets } from './open.ts'

const DATABASES = ['sqlite', 'postgres'] as const
const [oldKey, otherKey] = [toKeyText(generateSecretKey()), toKeyText(generateSecretKey())]

async function start(options: StorageOptions) {
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  const { db } = storage
  const { dataFolder } = options
  const open = (secretKey?: string, folder = dataFolder) =>
    openSecrets({ db, dataFolder: folder, secretKey })
  return { db, dataFolder, open, file: keyFilePath(dataFolder) }
}

describe.each(DATABASES)('the secret key on %s', (database) => {
  it('is created at the first start, readable only by its owner, and reused later', async () => {
    const { open, file, dataFolder } = await start(await storageOptions(database))

    const sealed = (await open()).encryptText('hunter2')
    const made = await readFile(file, 'utf8')

    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(made).toMatch(/^[\w+/]{43}=\n$/)
    expect((await open()).decryptText(sealed)).toBe('hunter2')
    expect(await readFile(file, 'utf8')).toBe(made)
    expect((await readdir(dataFolder)).filter((name) => name.startsWith('secret'))).toEqual([
      'secret.key',
    ])
  })

  it('is refused if it does not match, and no file is created', async () => {
    const { open, db } = await start(await storageOptions(database))
    await open(oldKey)

    await expect(open(otherKey)).rejects.toThrow(
      /^The secret key does not fit this database: its secrets were encrypted with key [0-9a-f]{16}, and HEDGEROW_SECRET_KEY does not contain it\. Set HEDGEROW_SECRET_KEY to that key, or restore .*secret\.key\.$/,
    )
    expect(await countKeys(db)).toBe(1)
  })

  it('is not replaced by a new one if it is lost', async () => {
    const { open, file, dataFolder } = await start(await storageOptions(database))
    await open()
    await rm(file)

    await expect(open()).rejects.toThrow(/does not fit this database: .* there is no .*secret\.key/)
    expect(await readdir(dataFolder)).not.toContain('secret.key')
  })

  it('still decrypts after a new key is put before it', async () => {
    const { open, db } = await start(await storageOptions(database))
    const sealed = (await open(oldKey)).encryptText('hunter2')

    const secrets = await open(`${otherKey},${oldKey}`)

    expect(secrets.decryptText(sealed)).toBe('hunter2')
    expect(await countKeys(db)).toBe(2)
    await expect(open(oldKey)).rejects.toThrow('does not fit')
    await expect(open(otherKey)).rejects.toThrow('does not fit')
  })

  it('encrypts settings that earlier versions stored as plain text, once', async () => {
    const { open, db } = await start(await storageOptions(database))
    await insertPlain(db, 450)

    const secrets = await open()
    const sealed = await listSettings(db)
    await open()

    expect(sealed.filter((text) => text.includes('hunter2'))).toEqual([])
    expect(sealed.map(secrets.decryptText)).toEqual(Array(450).fill('{"token":"hunter2"}'))
    expect(await listSettings(db)).toEqual(sealed)
  })
})

describe('the secret key', () => {
  it('is required for a second server on PostgreSQL with an empty data folder', async () => {
    const first = await start(await storageOptions('postgres'))
    const second = (await storageOptions('sqlite')).dataFolder
    await first.open()

    await expect(first.open(undefined, second)).rejects.toThrow('does not fit this database')
    await writeFile(keyFilePath(second), await readFile(first.file))
    await expect(first.open(undefined, second)).resolves.toBeDefined()
  })

  it('is created by only one of several servers that start at once', async () => {
    const { databaseUrl } = await storageOptions('postgres')
    const servers = await Promise.all(
      [1, 2, 3, 4].map(async () =>
        start({ databaseUrl, dataFolder: (await storageOptions('sqlite')).dataFolder }),
      ),
    )

    const opened = await Promise.allSettled(servers.map(({ open }) => open()))

    const refused = opened.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    const folders = await Promise.all(servers.map(({ dataFolder }) => readdir(dataFolder)))
    expect(folders.filter((files) => files.includes('secret.key'))).toHaveLength(1)
  })

  it('is refused with a remedy if it is invalid', async () => {
    const { open, file } = await start(await storageOptions('sqlite'))
    await writeFile(file, 'hunter2')

    await expect(open()).rejects.toThrow(`${file} must contain 32 bytes`)
  })

  it('leaves no plain text in the database file', async () => {
    const { open, db, dataFolder } = await start(await storageOptions('sqlite'))
    await insertPlain(db, 200)
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    const file = join(dataFolder, SQLITE_FILE)
    expect(await readFile(file, 'latin1')).toContain('hunter2')

    await open()

    expect(await readFile(file, 'latin1')).not.toContain('hunter2')
    expect(await readFile(`${file}-wal`, 'latin1')).not.toContain('hunter2')
  })
})

async function countKeys(db: Db): Promise<number> {
  return (await db.selectFrom('secret_keys').select('id').execute()).length
}

async function insertPlain(db: Db, count: number): Promise<void> {
  const row = {
    project_id: 1,
    plugin_id: 1,
    enabled: 0,
    position: 0,
    settings: '{"token":"hunter2"}',
    deleted: 0,
    created_at: '',
    updated_at: '',
  } as const
  await db.insertInto('plugin_configs').values(Array(count).fill(row)).execute()
}

async function listSettings(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('plugin_configs').select('settings').orderBy('id').execute()
  return rows.map(({ settings }) => settings)
}
