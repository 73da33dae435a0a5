import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openArchive } from '#server/backup/archive/read-archive.ts'
import { lockDataFolder } from '#server/db/folder-lock.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { main } from '#server/main.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { DATABASE, emptyStorage, storageOptions } from '../support/app/storage.ts'
import {
  backUp,
  fill,
  readContent,
  restore,
  restoreTo,
  rewriteArchive,
  temporaryFolder,
} from '../support/data/backups.ts'

/** Returns storage with a key and events. */
async function filledStorage(): Promise<StorageOptions> {
  const options = await storageOptions()
  await fill(options)
  return options
}

const listProjects = async (options: StorageOptions): Promise<string[]> => {
  const { json } = await runHedgerow(['project', 'list', '--json'], toEnv(options))
  return json.results.map(({ name }: { name: string }) => name)
}

const createProject = (options: StorageOptions, name: string) =>
  runHedgerow(['project', 'create', '--name', name], toEnv(options))

describe('hedgerow restore', () => {
  it('restores a backup of one database into the other, and back', async () => {
    const options = await filledStorage()
    const first = await backUp(options, '--with-key')

    const onOther = await restoreTo(DATABASE === 'sqlite' ? 'postgres' : 'sqlite', first)
    const second = await backUp(onOther, '--with-key')
    const third = await backUp(await restoreTo(DATABASE, second), '--with-key')

    const content = await readContent(first)
    expect(content.event_tables).toMatchObject({ events: 3, persons: 2 })
    expect(content.tables).toMatchObject({ second_factors: 1, recovery_codes: 1 })
    const ofLinks = { link_guests: 1, link_guest_views: 1, link_snapshots: 1 }
    expect(content.tables).toMatchObject(ofLinks)
    expect(content.tables).not.toHaveProperty('link_codes')
    expect(await readContent(second)).toEqual(content)
    expect(await readContent(third)).toEqual(content)
  })

  it('replaces what is there only if asked, and backs it up first', async () => {
    const options = await filledStorage()
    await createProject(options, 'Before')
    const path = await backUp(options, '--with-key')
    await createProject(options, 'After')

    const refused = await restore(path, options)
    const replaced = await restore(path, options, '--replace')

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^hedgerow: .* is not empty\. Use --replace to back it up .*\n$/)
    expect(replaced.code, replaced.stderr).toBe(0)
    expect(await listProjects(options)).toEqual(['Default project', 'Before'])
    const { previous } = replaced.json
    expect(previous).toMatch(new RegExp(`^${options.dataFolder}/before-restore-.*\\.tar$`))
    expect((await restore(previous, options, '--replace')).code).toBe(0)
    await createProject(options, 'Next')
    expect(await listProjects(options)).toEqual(['Default project', 'Before', 'After', 'Next'])
  })

  it('needs the key, in one sentence', async () => {
    const options = await filledStorage()
    const withoutKey = await backUp(options)
    const withKey = await backUp(options, '--with-key')
    const target = await emptyStorage(DATABASE)
    const key = await readFile(join(options.dataFolder, 'secret.key'), 'utf8')
    const runWith = (path: string, secretKey: string) =>
      runHedgerow(['restore', path], { ...toEnv(target), HEDGEROW_SECRET_KEY: secretKey })

    const missing = await restore(withoutKey, target)
    const wrong = await runWith(withKey, 'a'.repeat(64))
    const right = await runWith(withoutKey, key.trim())

    const sentence =
      /^hedgerow: The secrets in the backup were encrypted with key [0-9a-f]{16}, which is .*\n$/
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
    expect(missing.stderr).toMatch(/, or copy its file to .*secret\.key\.\n$/)
    expect(wrong.stderr).toMatch(/, or unset it to use the key in the backup\.\n$/)
    expect((await runWith(withoutKey, 'a'.repeat(64))).stderr).toMatch(
      /, or unset it and copy the file of that key to .*secret\.key\.\n$/,
    )
    expect(right.code, right.stderr).toBe(0)
    expect(right.stdout).toMatch(/^Restored the backup of .*: 3 events\.\n$/)
  })

  it('keeps the keys that the key file has', async () => {
    const path = await backUp(await filledStorage(), '--with-key')
    const target = await filledStorage()
    const file = join(target.dataFolder, 'secret.key')
    const before = await readFile(file, 'utf8')

    const { code, stderr } = await restore(path, target, '--replace')

    expect(code, stderr).toBe(0)
    const keys = (await readFile(file, 'utf8')).trim().split('\n')
    expect(keys).toEqual([expect.any(String), before.trim()])
  })

  it('refuses damaged, newer and invented backups, and changes nothing', async () => {
    const path = await backUp(await filledStorage(), '--with-key')
    const bytes = await readFile(path)
    const target = await emptyStorage(DATABASE)
    const { tables } = await readContent(path)
    const tryIt = async (file: string) => (await restore(file, target)).stderr

    for (const at of [0, 0.1, 0.5, 0.99]) {
      await writeFile(`${path}.cut`, bytes.subarray(0, Math.floor(bytes.length * at)))
      expect(await tryIt(`${path}.cut`)).toMatch(/^hedgerow: The backup .* is damaged .*\n$/)
    }
    const newer = await rewriteArchive(path, { migrations: ['9999-from-the-future'] })
    expect(await tryIt(newer)).toMatch(
      /^hedgerow: The backup has a newer schema \(9999-from-the-future\) than this version .*\n$/,
    )
    const session = { 'metadata/sessions/000001.jsonl': '{"id":"a"}\n' }
    const invented = await rewriteArchive(path, { tables: { ...tables, sessions: 1 } }, session)
    expect(await tryIt(invented)).toMatch(/^hedgerow: The backup has an unknown table: sessions\./)
    expect(await tryIt(await rewriteArchive(path, { files: null } as never))).toMatch(
      /^hedgerow: Cannot use the backup .* manifest is incomplete\.\n$/,
    )
    expect(await tryIt(`${path}.gone`)).toBe(`hedgerow: There is no backup at ${path}.gone.\n`)
    expect(await readdir(target.dataFolder).catch(() => [])).toEqual([])
    expect((await restore(path, target)).code).toBe(0)
  })

  it('shows its progress while it checks a large backup', async () => {
    const path = await backUp(await filledStorage(), '--with-key')
    const { members, close } = await openArchive(path)
    await close()
    const bytes = members.reduce((sum, { size }) => sum + size, 0)
    for (const [name, value] of Object.entries(toEnv(await emptyStorage(DATABASE)))) {
      vi.stubEnv(name, value)
    }
    const lines: string[] = []
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(`${line}`) > 0)
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 500)) // a slow disk
    onTestFinished(() => void vi.restoreAllMocks().unstubAllEnvs())

    await main(['node', 'hedgerow', 'restore', path])

    const checked = lines.filter((line) => line.includes('bytes checked'))
    expect(checked.length).toBeGreaterThan(2)
    expect(checked[0]).toMatch(new RegExp(`^\\d+ %, \\d+ of ${bytes} bytes checked\\n$`))
    expect(checked.at(-1)).toBe(`100 %, ${bytes} of ${bytes} bytes checked\n`)
    expect(lines.at(-1)).toBe('100 %, 3 of 3 events\n')
  })

  it('refuses a folder in one sentence', async () => {
    const folder = await temporaryFolder()

    const { code, stderr } = await restore(folder, await emptyStorage('sqlite'))

    expect([code, stderr]).toEqual([
      1,
      `hedgerow: ${folder} is not a file. Name the file of a backup.\n`,
    ])
  })

  it('is refused while a server runs', async () => {
    const options = await filledStorage()
    const path = await backUp(options, '--with-key')
    if (DATABASE === 'sqlite') onTestFinished(lockDataFolder(options.dataFolder))
    else onTestFinished((await openStorage(options)).close)

    const { code, stderr } = await restore(path, options, '--replace')

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^hedgerow: (Another server or command uses|Servers or workers use) .*\n$/,
    )
  })
})

describe.runIf(DATABASE === 'postgres')('hedgerow restore into an empty database', () => {
  it('replaces events whose database is lost only if asked, because they cannot be backed up', async () => {
    const options = await filledStorage()
    const path = await backUp(options, '--with-key')
    const { db, close } = await openStorage(options)
    await sql`drop table organizations cascade`.execute(db)
    await close()

    const refused = await restore(path, options)
    const replaced = await restore(path, options, '--replace')

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(
      'hedgerow: The event store (PostgreSQL) is not empty. Use --replace to overwrite it. It cannot be backed up, because the database that belongs to it is not there.\n',
    )
    expect(replaced.code, replaced.stderr).toBe(0)
    expect(replaced.json).toMatchObject({ events: 3, previous: null })
    expect(await readContent(await backUp(options, '--with-key'))).toEqual(await readContent(path))
  })
})

describe.runIf(DATABASE === 'sqlite')('hedgerow restore into a data folder', () => {
  it('says how to replace storage that cannot be backed up', async () => {
    const options = await filledStorage()
    const path = await backUp(options, '--with-key')
    await writeFile(join(options.dataFolder, 'hedgerow.db'), 'x'.repeat(10_000))

    const { code, stderr } = await restore(path, options, '--replace')

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^hedgerow: The data folder .* cannot be backed up, so it was not replaced\. Move it away .*is damaged.*\n$/,
    )
    expect((await readdir(options.dataFolder)).filter((name) => name.includes('restore'))).toEqual(
      [],
    )
  })

  it('keeps everything from starting if it was interrupted, until it is repeated', async () => {
    const options = await filledStorage()
    const path = await backUp(options, '--with-key')
    await writeFile(join(options.dataFolder, 'restore.unfinished'), '')
    await rm(join(options.dataFolder, 'hedgerow.db'))

    const { code, stderr } = await runHedgerow(['project', 'list'], toEnv(options))
    const doctor = await runHedgerow(['doctor'], toEnv(options))

    const message = /A restore into the data folder .* was interrupted\. Run .*\n/
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(message) })
    expect((await restore(path, options)).code).toBe(0)
    expect(await listProjects(options)).toEqual(['Default project'])
  })
})
