import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'

const readMode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

describe('the data folder', () => {
  it('is closed to other users, with every file in it', async () => {
    const { dataFolder } = await storageOptions('sqlite')
    await chmod(dataFolder, 0o755)
    await writeFile(join(dataFolder, 'copied'), '', { mode: 0o644 })

    const server = await startServer(toEnv({ dataFolder, databaseUrl: undefined }))
    const { body: project } = await server.call(OWNER.apiKey, '/api/projects/1')
    await server.call(OWNER.apiKey, '/capture', 'POST', {
      api_key: project.api_token,
      event: 'visited',
      distinct_id: 'a',
    })

    const files = await readdir(dataFolder)
    const modes = await Promise.all(files.map((name) => readMode(join(dataFolder, name))))
    expect(await readMode(dataFolder)).toBe(0o700)
    expect(files).toEqual(expect.arrayContaining(['copied', 'hedgerow.db', 'events.duckdb.wal']))
    expect(Object.fromEntries(files.map((name, index) => [name, modes[index]]))).toEqual(
      Object.fromEntries(files.map((name) => [name, 0o600])),
    )
  })
})
