import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runHedgerow, runProcess, toEnv } from '../support/app/cli.ts'
import { emptyStorage } from '../support/app/storage.ts'

describe('hedgerow openapi', () => {
  it('prints the document without storage, even with invalid settings', async () => {
    const nowhere = { HEDGEROW_DATA: '/dev/null/x', HEDGEROW_PORT: 'x' }

    const { code, stdout, stderr, json } = await runProcess(['openapi'], nowhere)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(json.paths).toHaveProperty(['/api/projects'])
    expect(stdout).toBe(`${JSON.stringify(json, null, 2)}\n`)
  })

  it('writes it to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hedgerow-test-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const out = join(folder, 'openapi.json')

    const { json } = await runHedgerow(['openapi', '--out', out, '--json'])

    const text = await readFile(out, 'utf8')
    expect(json).toEqual({ out })
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
    expect(text).toContain('"openapi": "3.1')
  })

  it('explains in one line that it cannot write', async () => {
    const { code, stderr } = await runHedgerow(['openapi', '--out', '/dev/null/x'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/^hedgerow: Cannot write \/dev\/null\/x: .*\n$/)
  })
})

describe.each(['sqlite', 'postgres'] as const)('hedgerow migrate on %s', (database) => {
  it('lists the applied migrations, then reports that none are pending', async () => {
    const env = toEnv(await emptyStorage(database))

    const first = await runHedgerow(['migrate', '--json'], env)
    const second = await runHedgerow(['migrate'], env)

    expect(first.json.applied).toContain('0001-initial')
    expect(second.stdout).toBe('The schema is up to date.\n')
  })
})
