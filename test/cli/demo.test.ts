import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launch, type Server, watchServer } from '../support/app/cli.ts'
import { temporaryFolder } from '../support/data/backups.ts'
import { until } from '../support/until.ts'

/** Occupies a port until the test ends. */
async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface Tile {
  /** Absent for the title of a section. */
  readonly insight: {
    readonly name: string
    readonly result: readonly { readonly aggregated_value?: number }[]
  } | null
}

/** Follows the printed link, and reads the dashboard that it leads to after the import. */
async function readDashboard({ url, stdout }: Server) {
  const [, link = ''] = /^Open the demo: +(\S+)$/m.exec(stdout()) ?? []
  const { status, headers } = await fetch(link, { redirect: 'manual' })
  const [, id] = /^\/project\/1\/dashboards\/(\d+)$/.exec(headers.get('location') ?? '') ?? []
  const cookie = headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')
  const get = async (path: string) => (await fetch(url + path, { headers: { cookie } })).json()
  await until(async () => {
    const runs = '/api/projects/1/pipeline_import_apps_configs/1/runs?limit=1'
    const { results } = (await get(runs)) as { results: { state: string }[] }
    return results[0]?.state === 'succeeded'
  })
  const path = `/api/environments/1/dashboards/${id}?refresh=blocking`
  const { tiles } = (await get(path)) as { tiles: Tile[] }
  const { timezone } = (await get('/api/projects/1')) as { timezone: string }
  return { status, tiles, timezone }
}

/** Settings that a demo must not use. */
const installationIn = (folder: string) => ({
  DATABASE_URL: 'postgres://127.0.0.1:1/production',
  HEDGEROW_BACKUP_FOLDER: join(folder, 'backups'),
  HEDGEROW_API_KEY: 'phx_the_key_of_another_installation',
})

/** Adds a command that notes the page it is told to open. */
async function addBrowser(folder: string): Promise<string> {
  const opened = join(folder, 'opened')
  for (const name of ['open', 'xdg-open']) {
    const command = join(folder, name)
    await writeFile(command, `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 })
  }
  return opened
}

describe('hedgerow demo', () => {
  it('shows a filled dashboard on a free port, and deletes its folder', async () => {
    const folder = await temporaryFolder()
    const port = String(await takePort())
    const TZ = 'Europe/Berlin'
    const env = { TMPDIR: folder, HEDGEROW_PORT: port, TZ, ...installationIn(folder) }

    const server = await watchServer(launch(['demo', '--no-open'], env))

    const { status, tiles, timezone } = await readDashboard(server)
    expect(status).toBe(302)
    expect(timezone).toBe(TZ)
    expect(tiles.length).toBeGreaterThan(8)
    for (const { insight } of tiles) expect(insight?.result, insight?.name).not.toEqual([])
    expect(tiles[0]?.insight?.result[0]?.aggregated_value).toBeGreaterThan(500)
    expect(server.stderr()).toBe('')
    expect((await fetch(`${server.url}/demo?token=wrong`)).status).toBe(404)
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^hedgerow-demo-/)])
    expect(await server.stop('SIGINT')).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })

  it('opens the browser where there is a display', async () => {
    const [folder, commands] = [await temporaryFolder(), await temporaryFolder()]
    const opened = await addBrowser(commands)
    const PATH = `${commands}:${process.env.PATH}`
    const env = { TMPDIR: folder, HEDGEROW_PORT: '0', DISPLAY: ':0', PATH }

    const server = await watchServer(launch(['demo'], env))

    const page = await until(() => readFile(opened, 'utf8').catch(() => undefined))
    expect(page).toMatch(`${server.url}/demo?token=`)
    expect(await server.stop()).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })
})
