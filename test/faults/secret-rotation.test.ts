import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KEY_FILE } from '#server/secrets/key-file.ts'
import { CONFIGS } from '../support/app/app.ts'
import { COMMAND, runHedgerow, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { insertConfigs } from '../support/data/secret-configs.ts'

describe.each(['sqlite', 'postgres'] as const)('hedgerow secrets rotate on %s', (database) => {
  it('can be killed in the middle', async () => {
    const options = await storageOptions(database)
    await insertConfigs(options, 5000)
    const env = toEnv(options)

    const command = [COMMAND, 'secrets', 'rotate']
    const child = spawn(process.execPath, command, { env: { ...process.env, ...env } })
    await once(child.stderr, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')

    const server = await startServer(env)
    const { body: list } = await server.call(OWNER.apiKey, `${CONFIGS}?limit=1000&offset=4000`)
    expect(list.results).toHaveLength(1000)
    const { code, json } = await runHedgerow(['secrets', 'rotate', '--json'], env)
    expect(code).toBe(0)
    expect(json.settings).toBeGreaterThan(0)
    expect(json.settings).toBeLessThan(5000)
    expect((await server.call(OWNER.apiKey, `${CONFIGS}?limit=1000`)).body.results).toHaveLength(
      1000,
    )
    const keys = await readFile(join(options.dataFolder, KEY_FILE), 'utf8')
    expect(keys.trim().split('\n')).toHaveLength(1)
  })
})
