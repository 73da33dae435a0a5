import { describe, expect, it } from 'vitest'
import { Failure } from '#server/runtime/failure.ts'
import { appOf } from '../../../../../test/support/app/plugin.ts'
import { assembleApp } from './assemble.ts'

const NOTHING = { scheduled_tasks: [], jobs: [], methods: [] }

describe('assembling an app', () => {
  it('responds 503 where apps cannot be loaded', async () => {
    const unable = async () => {
      throw new Failure('infrastructure', 'Apps do not run here.')
    }

    await expect(assembleApp(unable, appOf('exports.a = 1'))).rejects.toMatchObject({
      statusCode: 503,
      message: 'Apps do not run here.',
    })
  })

  it('starts at main of plugin.json, or at index.js before index.ts', async () => {
    const loaded: string[] = []
    const load = async (code: string) => {
      loaded.push(code)
      return NOTHING
    }
    const more = { 'lib/app.js': 'exports.found = "by main"' }

    await assembleApp(load, appOf('', { main: './lib/app.js' }, more))
    await assembleApp(
      load,
      appOf('exports.found = "ts"', {}, { 'index.js': 'exports.found = "js"' }),
    )

    expect(loaded).toEqual([
      expect.stringContaining('by main'),
      expect.stringMatching(/found = "js"/),
    ])
  })

  it.each([
    ['{"version": "1.2.3-beta.1"}', '1.2.3-beta.1'],
    ['{"version": 1}', ''],
    ['{"version": "<b>"}', ''],
    ['null', ''],
    ['{', ''],
  ])('reads from package.json %s the version "%s"', async (text, version) => {
    const files = appOf('', {}, { 'package.json': text })

    expect((await assembleApp(async () => NOTHING, files)).columns).toMatchObject({ version })
  })
})
