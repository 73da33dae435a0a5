import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/data/backups.ts'
import { openBuiltFiles } from './built-files.ts'

/** Replaces the folder by a build whose only script has this name. */
async function build(folder: string, script: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), `<script src="/assets/${script}">`)
  await writeFile(join(folder, 'assets', script), script)
}

async function open(script: string) {
  const folder = join(await temporaryFolder(), 'dist')
  await build(folder, script)
  const files = openBuiltFiles(folder)
  return { folder, read: (name: string) => files.read(name)?.bytes.toString() }
}

describe('built files', () => {
  it('are kept when a new build deletes them', async () => {
    const { folder, read } = await open('old.js')
    expect(read('assets/old.js')).toBe('old.js')

    await build(folder, 'new.js')

    expect(read('assets/old.js')).toBe('old.js')
  })

  it('are missing if a new build deleted them unread, and pages are then those of the new build', async () => {
    const { folder, read } = await open('old.js')
    expect(read('index.html')).toContain('old.js')

    await build(folder, 'new.js')

    expect(read('assets/old.js')).toBe(undefined)
    expect(read('index.html')).toContain('new.js')
    expect(read('assets/new.js')).toBe('new.js')
  })

  it('are found after a build while the server runs', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { folder, read } = await open('old.js')
    await rm(folder, { recursive: true })
    expect(read('index.html')).toBe(undefined)
    await build(folder, 'new.js')

    vi.setSystemTime(Date.now() + 2000)

    expect(read('index.html')).toContain('new.js')
    expect(read('assets/new.js')).toBe('new.js')
  })

  it('are never outside of the folder', async () => {
    const { folder, read } = await open('old.js')
    await writeFile(join(folder, '..', 'secret.js'), 'secret')

    expect(read('../secret.js')).toBe(undefined)
    expect(read('assets/../../secret.js')).toBe(undefined)
  })
})
