import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openArchive } from '#server/backup/archive/read-archive.ts'
import { lockDataFolder } from '#server/db/folder-lock.ts'
import type { StorageOptions } from '#server/db/open.ts'
import { runHedgerow, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { DATABASE, emptyStorage, storageOptions } from '../support/app/storage.ts'
import { fill, readRows, temporaryFolder } from '../support/data/backups.ts'

async function openManifest(path: string) {
  const archive = await openArchive(path)
  await archive.close()
  return archive.manifest
}

describe('hedgerow backup', () => {
  it('writes one private file with everything, which verify accepts', async () => {
    const options = await storageOptions()
    await fill(options)
    const folder = await temporaryFolder()
    const path = join(folder, 'a.tar')

    const { code, json, stderr } = await runHedgerow(['backup', path, '--json'], toEnv(options))

    expect({ code, stderr }).toEqual({ code: 0, stderr: '100 %, 3 of 3 events\n' })
    expect(json).toMatchObject({ path, events: 3, includes_key: false })
    expect(await readdir(folder)).toEqual(['a.tar'])
    const { mode, size } = await stat(path)
    expect([mode & 0o777, size]).toEqual([0o600, json.bytes])
    const manifest = await openManifest(path)
    expect(manifest.event_tables).toMatchObject({ events: 3, persons: 2, person_ids: 2 })
    expect(manifest.tables).toMatchObject({ users: 1, projects: 1 })
    expect(manifest.members.map(({ name }) => name)).not.toContain('secret.key')
    expect(await readRows(path, 'users')).toMatchObject([{ id: 1, email: OWNER.email }])
    const verified = await runHedgerow(['backup', 'verify', path, '--json'])
    expect(verified.json).toMatchObject({ ok: true, events: 3, includes_key: false })
    expect(verified.stderr).toMatch(/^100 %, (\d+) of \1 bytes checked$/m)
  })

  it('includes the key only if asked', async () => {
    const options = await storageOptions()
    await fill(options)
    const path = join(await temporaryFolder(), 'a.tar')

    const { stdout } = await runHedgerow(['backup', path, '--with-key'], toEnv(options))

    expect(stdout).toContain('includes the secret key: keep it as safe')
    const key = await readFile(join(options.dataFolder, 'secret.key'))
    const { members, key_ids } = await openManifest(path)
    const sha256 = createHash('sha256').update(key).digest('hex')
    expect(members).toContainEqual({ name: 'secret.key', size: key.length, sha256 })
    expect(key_ids).toHaveLength(1)
  })

  it('does not overwrite a file, and does not back up nothing', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a.tar')
    await writeFile(path, 'x')
    const run = async (file: string, options: StorageOptions) =>
      (await runHedgerow(['backup', file], toEnv(options))).stderr

    expect(await run(path, await storageOptions())).toMatch(/^hedgerow: .*a\.tar exists\./)
    expect(await run(join(folder, 'b.tar'), await emptyStorage(DATABASE))).toMatch(
      /^hedgerow: There is nothing to back up: the storage is empty\.\n$/,
    )
    expect(await run(join(folder, 'gone', 'b.tar'), await storageOptions())).toMatch(
      /^hedgerow: Cannot write to .*gone: .*\n$/,
    )
    expect(await readdir(folder)).toEqual(['a.tar'])
    expect(await readFile(path, 'utf8')).toBe('x')
  })

  it('deletes what a killed backup has left, but not what a running one uses', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'unfinished-backup-1', 'parts'), { recursive: true })
    onTestFinished(lockDataFolder(join(folder, 'unfinished-backup-2')))

    const path = join(folder, 'a.tar')
    const { code } = await runHedgerow(['backup', path], toEnv(await storageOptions()))

    expect(code).toBe(0)
    expect((await readdir(folder)).sort()).toEqual(['a.tar', 'unfinished-backup-2'])
  })

  it('works beside a running server, also one with a long path', async () => {
    const options = await storageOptions()
    const dataFolder = join(await temporaryFolder(), 'long'.repeat(40))
    await rename(options.dataFolder, dataFolder)
    const env = toEnv({ ...options, dataFolder })
    const server = await startServer(env)
    const { body } = await server.call(OWNER.apiKey, '')
    const batch = [1, 2].map((n) => ({ event: 'a', distinct_id: 'ada', properties: { n } }))
    const capture = () => server.call('', '/batch/', 'POST', { api_key: body.api_token, batch })
    expect((await capture()).status).toBe(200)
    const path = join(await temporaryFolder(), 'a.tar')

    const first = await runHedgerow(['backup', path, '--json'], env)
    expect((await capture()).status).toBe(200)
    const second = await runHedgerow(['backup', `${path}.2`, '--json'], env)

    expect([first.stderr, first.json.events, second.json.events]).toEqual([
      '100 %, 2 of 2 events\n',
      2,
      4,
    ])
    expect(await readdir(dataFolder)).not.toContain('backup.tmp')
    expect(await server.stop()).toBe(0)
    expect(await readdir(dataFolder)).not.toContain('server.sock')
  })

  it('leaves out sessions and links', async () => {
    const options = await storageOptions()
    const path = join(await temporaryFolder(), 'a.tar')
    await runHedgerow(['user', 'reset-link', OWNER.email], toEnv(options))

    await runHedgerow(['backup', path], toEnv(options))

    const names = (await openManifest(path)).members.map(({ name }) => name)
    expect(names.filter((name) => /session|one_time/.test(name))).toEqual([])
  })
})
