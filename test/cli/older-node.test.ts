import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { COMMAND } from '../support/app/cli.ts'

const OLDER = `data:text/javascript,
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`

it('runs on the Node that is installed with the packages when an older one starts it', async () => {
  const args = ['--import', encodeURI(OLDER), COMMAND, '--version']

  const { stdout } = await promisify(execFile)(process.execPath, args)

  expect(stdout.split('\n', 1)).toEqual([packageJson.version])
})

it('imports nothing by name that an older Node lacks, which would be a syntax error', async () => {
  const source = await readFile(COMMAND, 'utf8')

  expect(source).toContain("import * as module from 'node:module'")
})
