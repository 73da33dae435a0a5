import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)

const TEST = `
import assert from 'node:assert/strict'
import { startHarness, type Meta } from '@hedgerow/app'

const app = startHarness<{ shop: string }>({ settings: { shop: 'corner' } })
const read = (meta: Meta<{ shop: string }>): string => meta.config.shop
assert.equal(read(app.meta), 'corner')
await posthog.capture('a', { distinct_id: 'b' })
assert.equal(app.events.length, 1)
console.log('passed')
`

it('is packed with its types, and tests an app', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-kit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const installed = join(folder, 'node_modules/@hedgerow/app')
  await mkdir(installed, { recursive: true })

  await run(process.execPath, ['--no-warnings', 'tools/pack-kit.ts', folder])
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  await run(
    'tar',
    ['-xzf', `hedgerow-app-${version}.tgz`, '-C', installed, '--strip-components=1'],
    {
      cwd: folder,
    },
  )
  await writeFile(join(folder, 'plugin.json'), '{"name":"Shop"}')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'app.test.ts'), TEST)
  await cp('skeleton/tsconfig.json', join(folder, 'tsconfig.json'))
  await cp('node_modules/@types', join(folder, 'node_modules/@types'), { recursive: true })

  expect((await readdir(installed)).toSorted()).toEqual([
    ...['LICENSE', 'README.md', 'hedgerow.d.ts', 'index.d.ts', 'index.js', 'package.json'],
    ...['recording.d.ts', 'recording.js'],
  ])
  const { stdout } = await run(process.execPath, ['--no-warnings', 'app.test.ts'], { cwd: folder })
  expect(stdout).toBe('passed\n')
  await run(resolve('node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder })
})
