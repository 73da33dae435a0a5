import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runNpm } from '../test/support/app/npm.ts'
import { installTarball } from '../tools/releases/tarball.ts'
import { listRounds, ofRounds, type Result, toLine } from './result.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ROUNDS = 3

const run = promisify(execFile)

/** Measures `npm install` in a fresh clone, and what it and an installed package take on disk. */
export async function measureInstall(say: (text: string) => void): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-install-'))
  const clone = join(folder, 'clone')
  try {
    await run('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone])
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await rm(join(clone, 'node_modules'), { recursive: true, force: true })
      const began = performance.now()
      await runNpm(['install'], clone)
      times.push((performance.now() - began) / 1000)
    }
    const results: Result[] = [
      {
        subject: 'footprint',
        what: '`npm install` in a fresh clone, with the build of the web app',
        ...ofRounds(times),
        unit: 's',
        goal: { atMost: 35 },
        detail: `${listRounds(times)} s; from npm's cache`,
      },
      {
        subject: 'footprint',
        what: '`node_modules` with development packages',
        value: await megabytesOf(join(clone, 'node_modules')),
        unit: 'MB',
        goal: { atMost: 700 },
      },
      {
        subject: 'footprint',
        what: 'the installed package',
        value: await megabytesOf(await installPackage(folder)),
        unit: 'MB',
        goal: { atMost: 250 },
      },
    ]
    for (const result of results) say(toLine(result))
    return results
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packs this checkout and installs the package as users do. Returns where it is. */
export async function installPackage(folder: string): Promise<string> {
  const packed = (await runNpm(['pack', '--silent', '--pack-destination', folder], ROOT)).trim()
  const installed = join(folder, 'hedgerow')
  await installTarball(join(folder, packed.split('\n').at(-1) as string), installed)
  return installed
}

export const megabytesOf = async (folder: string): Promise<number> =>
  Number.parseInt((await run('du', ['-sk', folder])).stdout, 10) / 1024
