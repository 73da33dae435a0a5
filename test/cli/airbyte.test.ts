import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { storageOptions } from '../support/app/storage.ts'
import { manifestOf, streamOf } from '../support/data/airbyte.ts'

const MANIFEST = manifestOf([
  streamOf({}),
  streamOf({ stream: { name: 'odd' }, retriever: { type: 'CustomRetriever', class_name: 'a.B' } }),
])

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-airbyte-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'source-shop.yaml'), MANIFEST)
  return folder
}

async function serve(status: number): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).end(MANIFEST))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/manifest.yaml`
}

describe('hedgerow app install airbyte:', () => {
  it('installs the streams of a manifest that are named', async () => {
    const folder = await makeFolder()
    const env = toEnv(await storageOptions('sqlite'))
    const source = `airbyte:${join(folder, 'source-shop.yaml')}`

    const refused = await runHedgerow(['app', 'install', source], env)
    const { code, json } = await runHedgerow(
      ['app', 'install', source, '--streams', 'orders', '--json'],
      env,
    )

    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('odd: streams.1.retriever: CustomRetriever a.B needs Python'),
    ])
    expect(refused.stderr).toContain('add --streams orders.')
    expect([code, json]).toMatchObject([
      0,
      { name: 'Shop', capabilities: { jobs: ['Import now'] } },
    ])
  })

  it('writes an app that can be installed, from an address', async () => {
    const folder = await makeFolder()
    const env = { HEDGEROW_APP_HOSTS: '127.0.0.1' }
    const app = join(folder, 'app')
    const args = ['--streams', 'orders', '--write', app]

    const { code } = await runHedgerow(
      ['app', 'install', `airbyte:${await serve(200)}`, ...args],
      env,
    )
    const checked = await runHedgerow(['app', 'check', app])

    expect([code, (await readdir(app)).toSorted()]).toEqual([0, ['connector.yaml', 'plugin.json']])
    expect(checked.stdout).toContain('Shop can be installed.')
  })

  it.each<[string, (served: string) => string[], RegExp]>([
    ['a file that is missing', () => ['airbyte:none.yaml'], /none\.yaml cannot be read \(ENOENT\)/],
    ['an address without it', (served) => [`airbyte:${served}`], /responded with status 404/],
    ['a private address', () => ['airbyte:http://10.0.0.1/a.yaml'], /cannot be downloaded from 10/],
    ['--streams for another app', () => ['csv', '--streams', 'a'], /are for manifests/],
  ])('explains %s', async (_, toArgs, message) => {
    const env = { ...toEnv(await storageOptions('sqlite')), HEDGEROW_APP_HOSTS: '127.0.0.1' }
    const served = await serve(404)

    const { code, stderr } = await runHedgerow(['app', 'install', ...toArgs(served)], env)

    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  })

  it('writes into no folder that has files', async () => {
    const folder = await makeFolder()
    const source = `airbyte:${join(folder, 'source-shop.yaml')}`

    const { stderr } = await runHedgerow([
      'app',
      'install',
      source,
      '--streams',
      'orders',
      '--write',
      folder,
    ])

    expect(stderr).toContain('is not empty')
  })
})
