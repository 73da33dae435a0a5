import { describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'
import { PLUGINS } from '../../../../test/support/app/plugin.ts'
import {
  type ArchiveEntry,
  type Repositories,
  startGitHub,
  toArchive,
} from '../../../../test/support/servers/github-server.ts'

const [FIRST, SECOND] = ['1'.repeat(40), '2'.repeat(40)] as const
const HOURLY = 'export const runEveryHour = () => {}'

const appAt = (folder: string, code = HOURLY): ArchiveEntry[] => [
  [`${folder}plugin.json`, JSON.stringify({ name: 'From GitHub' })],
  [`${folder}index.ts`, code],
]
const archiveOf = (commit: string, code?: string) => toArchive(appAt('app-main/', code), commit)

/** Starts a server that installs apps from a local server in place of GitHub. */
async function start(repositories: Repositories) {
  const github = await startGitHub(repositories)
  const api = await startApp(undefined, { HEDGEROW_GITHUB_URL: github.url })
  const install = (path: string) => api.post(PLUGINS, { url: github.url + path })
  return { api, github, install }
}

describe('an app from GitHub', () => {
  it('is installed from the default branch', async () => {
    const { api, github, install } = await start({ archives: { 'o/app/HEAD': archiveOf(FIRST) } })

    const { status, body } = await install('/o/app')

    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{ plugin_type: 'custom', name: 'From GitHub', url: `${github.url}/o/app` },
      ...{ tag: FIRST, latest_tag: FIRST, limitation: '' },
      capabilities: { scheduled_tasks: ['runEveryHour'] },
    })
    const { body: files } = await api.get(`${PLUGINS}/${body.id}/source`)
    expect(Object.keys(files)).toEqual(['index.ts', 'plugin.json'])
    expect((await install('/o/app/tree/main')).body.detail).toMatch(/already installed/)
  })

  it('is installed from a folder of a branch', async () => {
    const archive = toArchive(
      [['app-main/plugin.json', '{"name":"Other"}'], ...appAt('app-main/apps/one/')],
      FIRST,
    )
    const { github, install } = await start({ archives: { 'o/app/main': archive } })

    const { body } = await install('/o/app/tree/main/apps/one')

    expect(body).toMatchObject({
      ...{ name: 'From GitHub', url: `${github.url}/o/app/tree/HEAD/apps/one` },
      ...{ tag: FIRST, latest_tag: null },
    })
  })

  it('is upgraded to the latest commit or a given one', async () => {
    const archives = {
      'o/app/HEAD': archiveOf(SECOND),
      [`o/app/${FIRST}`]: archiveOf(FIRST),
    }
    const { api, install } = await start({ archives, latest: { 'o/app': SECOND } })
    const { body: installed } = await install(`/o/app/commit/${FIRST}`)
    const path = `${PLUGINS}/${installed.id}`

    const checked = await api.get(`${path}/check_for_updates`)
    const newest = await api.post(`${path}/upgrade`, {})
    const back = await api.post(`${path}/upgrade`, { version: FIRST })
    const wrong = await api.post(`${path}/upgrade`, { version: '../..' })

    expect(installed).toMatchObject({ tag: FIRST, latest_tag: null })
    expect(checked.body.plugin).toMatchObject({ tag: FIRST, latest_tag: SECOND })
    expect(newest.body).toMatchObject({ tag: SECOND, latest_tag: SECOND })
    expect(back.body).toMatchObject({ tag: FIRST, latest_tag: SECOND })
    expect(wrong).toMatchObject({ status: 400, body: { attr: 'version' } })
  })

  it.each<[string, Repositories, RegExp]>([
    ['is not there', { archives: {} }, /^GitHub has no o\/app at HEAD, or it is private\.$/],
    [
      'has another commit',
      { archives: { [`o/app/${FIRST}`]: archiveOf(SECOND) } },
      /^GitHub sent another commit than 1{40}: 2{40}\.$/,
    ],
    ['is no archive', { archives: { 'o/app/HEAD': Buffer.from('x') } }, /is not a \.tgz file/],
    [
      'leaves its folder',
      { archives: { 'o/app/HEAD': toArchive([['../evil.ts', '']], FIRST) } },
      /"\.\.\/evil\.ts" is not a valid file name/,
    ],
    [
      'has a link',
      {
        archives: {
          'o/app/HEAD': toArchive(
            [['app/index.ts', '', { type: 'SymbolicLink', linkpath: '/etc/passwd' }]],
            FIRST,
          ),
        },
      },
      /is a SymbolicLink/,
    ],
    [
      'unpacks to too much',
      { archives: { 'o/app/HEAD': toArchive([['a/x.ts', ' '.repeat(11 * 2 ** 20)]], FIRST) } },
      /larger than 10 MiB unpacked/,
    ],
    [
      'redirects to a private address',
      { archives: { 'o/app/HEAD': archiveOf(FIRST) }, redirectTo: 'http://127.0.0.2/x' },
      /could not be downloaded from 127\.0\.0\.1:\d+: Internal hostname: 127\.0\.0\.2/,
    ],
  ])('is refused if it %s', async (_, repositories, detail) => {
    const { api, install } = await start(repositories)
    const path = Object.keys(repositories.archives)[0]?.includes(FIRST)
      ? `/o/app/commit/${FIRST}`
      : '/o/app'

    const { status, body } = await install(path)

    expect([status, body.attr]).toEqual([400, 'url'])
    expect(body.detail).toMatch(detail)
    const { body: list } = await api.get(PLUGINS)
    expect(list.results.every((app: { built_in: boolean }) => app.built_in)).toBe(true)
  })
})
