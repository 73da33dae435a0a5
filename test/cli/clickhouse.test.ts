import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { StorageOptions } from '#server/db/open.ts'
import { OperatorError } from '#server/errors.ts'
import { openServices } from '#server/services.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import { backUp, restore, temporaryFolder } from '../support/data/backups.ts'

const PLACE = 'ClickHouse at 127.0.0.1:1/analytics'
const URL_WITH_PASSWORD = 'clickhouse://jo:hush@127.0.0.1:1/analytics'

/** Adds a ClickHouse to which nothing can connect. */
const withoutClickHouse = (options: StorageOptions): StorageOptions => ({
  ...options,
  clickHouse: { url: URL_WITH_PASSWORD, cluster: undefined, keysDays: 0, maxWaitingMb: 1024 },
})

/** One line with the place, and without the user and the password. */
const REFUSAL = new RegExp(`^hedgerow: (?!.*(hush|jo@|jo:)).*${PLACE}.*\\n$`)

const RIGHT = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`is_${index}`, true]))

interface Answers {
  readonly version?: string
  readonly [column: string]: unknown
}

/** Starts a ClickHouse that answers everything but its version with one row. Returns its address. */
async function startAnswering({ version = '26.7.2.1', ...row }: Answers): Promise<string> {
  const server = createServer(async (request, response) => {
    const statement = await text(request)
    if (statement === 'select version()') return void response.end(`${version}\n`)
    if (version.startsWith('18.')) return refuseSettings(response)
    response.end(`${JSON.stringify({ now: Date.now(), ...RIGHT, ...row })}\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers as Debian's ClickHouse 18.16 does. */
function refuseSettings(response: ServerResponse): void {
  response.statusCode = 404
  response.end(
    'Code: 115, e.displayText() = DB::Exception: Unknown setting cast_keep_nullable, e.what() = DB::Exception\n',
  )
}

describe('a ClickHouse that cannot be used', () => {
  it('is named by doctor, without its password, beside checks that succeed', async () => {
    const env = toEnv(withoutClickHouse(await storageOptions('postgres')))

    const { code, stdout } = await runHedgerow(['doctor'], { ...env, HEDGEROW_PORT: '0' })

    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`^✗ events .*${PLACE}`, 'm'))
    expect(stdout.match(/^✗/gm)).toHaveLength(1)
    expect(stdout).not.toMatch(/hush|jo@|jo:/)
  })

  it('is named by doctor before the first start', async () => {
    const env = toEnv(withoutClickHouse(await emptyStorage('postgres')))

    const { stdout } = await runHedgerow(['doctor'], { ...env, HEDGEROW_PORT: '0' })

    expect(stdout).toMatch(new RegExp(`^✗ events .*${PLACE}`, 'm'))
    expect(stdout).toMatch(/^✓ database +PostgreSQL/m)
  })

  it.each([
    [
      'an old version',
      { version: '26.4.14.39' },
      /has version 26\.4\.14\.39, and Hedgerow needs ClickHouse 26\.5 or newer\.$/m,
    ],
    [
      'a version that does not know the settings',
      { version: '18.16.1' },
      /has version 18\.16\.1, and Hedgerow needs ClickHouse 26\.5 or newer\.$/m,
    ],
    [
      'another program',
      { version: '<h1>It works!</h1>' },
      /does not answer as ClickHouse 26\.5 or newer does, which Hedgerow needs\. See EVENTS_URL\.$/m,
    ],
    ['a wrong clock', { now: 0 }, /The clock of .* differs by \d+ s .* NTP/],
    ['settings that it ignores', { is_0: false }, /ignores settings .*NULL.* profile/],
  ])('is named by doctor before the first start: %s', async (_, answer, problem) => {
    const host = await startAnswering(answer)
    const options = withoutClickHouse(await emptyStorage('postgres'))
    const env = { ...toEnv(options), EVENTS_URL: `clickhouse://jo:hush@${host}/analytics` }

    const { stdout } = await runHedgerow(['doctor'], { ...env, HEDGEROW_PORT: '0' })

    expect(stdout).toMatch(new RegExp(`^✗ events .*ClickHouse at ${host}/analytics `, 'm'))
    expect(stdout).toMatch(problem)
    expect(stdout).not.toMatch(/hush|jo@|jo:/)
  })

  it('keeps the server from starting', async () => {
    const config = readConfig(toEnv(withoutClickHouse(await storageOptions('postgres'))))

    const starting = openServices(config, () => {}, true)

    await expect(starting).rejects.toThrow(OperatorError)
    await expect(starting).rejects.toThrow(PLACE)
    await expect(starting).rejects.toThrow(/^(?!.*(hush|jo@|jo:))/)
  })

  it('keeps the server from starting if it is too old', async () => {
    const host = await startAnswering({ version: '18.16.1' })
    const EVENTS_URL = `clickhouse://jo:hush@${host}/analytics`
    const env = { ...toEnv(withoutClickHouse(await storageOptions('postgres'))), EVENTS_URL }

    await expect(openServices(readConfig(env), () => {}, true)).rejects.toThrow(
      `ClickHouse at ${host}/analytics has version 18.16.1, and Hedgerow needs ClickHouse 26.5 or newer.`,
    )
  })

  it('stops backups and `events forget`, in one line', async () => {
    const env = toEnv(withoutClickHouse(await storageOptions('postgres')))
    const folder = await temporaryFolder()

    const backup = await runHedgerow(['backup', join(folder, 'a.tar')], env)
    const forget = await runHedgerow(['events', 'forget'], env)

    expect(backup).toMatchObject({ code: 1, stderr: expect.stringMatching(REFUSAL) })
    expect(forget).toMatchObject({ code: 1, stderr: expect.stringMatching(REFUSAL) })
    expect(await readdir(folder)).toEqual([])
  })

  it('gets neither a restore nor a move, and PostgreSQL stays empty', async () => {
    const source = await storageOptions('sqlite')
    const path = await backUp(source)
    const target = await emptyStorage('postgres')
    const to = ['move', '--to', target.databaseUrl as string]

    const restored = await restore(path, withoutClickHouse(target))
    const moved = await runHedgerow([...to, '--events-to', URL_WITH_PASSWORD], toEnv(source))

    expect(restored).toMatchObject({ code: 1, stderr: expect.stringMatching(REFUSAL) })
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringMatching(REFUSAL) })
    expect((await runHedgerow(to, toEnv(source))).code).toBe(0)
  })
})
