import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StorageOptions } from '#server/db/open.ts'
import type { BackupSummary } from '../create-backup.ts'

const ENTRY = fileURLToPath(new URL('./child.ts', import.meta.url))

export interface BackupTask extends StorageOptions {
  /** The file to create. */
  readonly path: string
}

export type TaskResult = { readonly summary: BackupSummary } | { readonly problem: string }

/**
 * Backs up in a process of its own, so that the worker's memory stays small and its event loop free. Aborting the signal
 * kills the process; the next backup deletes what it leaves behind.
 */
export async function runBackupProcess(
  { path, dataFolder, databaseUrl, clickHouse }: BackupTask,
  signal: AbortSignal,
): Promise<BackupSummary> {
  signal.throwIfAborted()
  const child = fork(ENTRY, [], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  })
  let result: TaskResult | undefined
  let stderr = ''
  child.on('error', () => {}) // reports the signal; a process that cannot start ends too
  child.on('message', (message: TaskResult) => {
    result = message
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-500)
  })
  // not as arguments, which `ps` shows to every user
  const task: BackupTask = { path, dataFolder, databaseUrl, clickHouse }
  child.send(task, () => {}) // `close` tells of a failure
  const [code, killedBy] = await once(child, 'close')
  signal.throwIfAborted()
  if (!result) {
    throw new Error(`The backup process ended (${killedBy ?? code}). ${stderr}`.trim())
  }
  if ('problem' in result) throw new Error(result.problem)
  return result.summary
}
