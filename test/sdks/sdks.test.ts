import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../tools/sources.ts'
import { installTools, runTool } from './tools.ts'

const FOLDER = import.meta.dirname
const DOCUMENT = join(ROOT, 'openapi.json')

beforeAll(installTools)

describe('openapi.json', () => {
  it('has no error and no warning of Redocly', async () => {
    const output = await runTool(`redocly lint --format json ${DOCUMENT}`, FOLDER)

    expect(JSON.parse(output).problems).toEqual([])
  })

  it('has no error and no warning of Spectral', async () => {
    const lint = 'spectral lint --ruleset spectral.yaml --format json --fail-severity error'

    const output = await runTool(`${lint} --quiet ${DOCUMENT}`, FOLDER)

    expect(JSON.parse(output)).toEqual([])
  })
})
