import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { list } from 'tar'
import { runNpm, USER_ENV } from '../../test/support/app/npm.ts'
import { findContentProblems, type PackedFile } from './checks.ts'

const run = promisify(execFile)

/** Returns what is wrong with the contents of a package, a sentence for each problem. */
export async function checkTarball(tarball: string): Promise<string[]> {
  const files: PackedFile[] = []
  await list({
    file: tarball,
    onReadEntry: ({ path, size }) => void files.push({ path: path.replace('package/', ''), size }),
  })
  return findContentProblems(files, (await stat(tarball)).size)
}

/** Installs a package as users do, and returns the command. */
export async function installTarball(tarball: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await runNpm(['install', '--global', '--prefix', folder, tarball], folder)
  return join(folder, 'bin/hedgerow')
}

/** Asks an installed command for its version, and starts a server with it. Returns a sentence for each problem. */
export async function checkInstalled(
  command: string,
  folder: string,
  version: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const { stdout } = await run(command, ['--version'], { cwd: folder, env: USER_ENV })
  const printed = stdout.split('\n')[0] ?? ''
  const status = await startOnce(command, folder)
  return [
    printed !== version && `"hedgerow --version" prints ${printed} instead of ${version}.`,
    status !== 200 && `The installed server is not ready: ${status}.`,
  ].filter((problem) => problem !== false)
}

/** Starts a server on empty storage, and returns the status of /_ready, or what it printed instead. */
async function startOnce(command: string, folder: string): Promise<number | string> {
  const child = spawn(command, ['serve', '--json'], {
    cwd: folder,
    env: { PATH: USER_ENV.PATH, HEDGEROW_PORT: '0', HEDGEROW_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of processes, because an older Node starts the one that the package brings
  })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  try {
    for await (const line of child.stdout) {
      return (await fetch(`${JSON.parse(String(line)).url}/_ready`)).status
    }
    return errors.trim() || 'it ended without a message'
  } finally {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}
