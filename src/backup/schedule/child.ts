import { constants, setPriority } from 'node:os'
import packageJson from '../../../package.json' with { type: 'json' }
import { createBackup } from '../create-backup.ts'
import type { BackupTask, TaskResult } from './backup-process.ts'

/** The entry point of the process that makes a scheduled backup. It ends with the worker that started it. */
process.on('disconnect', () => process.exit(0))

setPriority(constants.priority.PRIORITY_LOW)

process.once('message', async ({ path, ...source }: BackupTask) => {
  const { version } = packageJson
  const options = { ...source, withKey: false, secretKey: undefined, version, onProgress: () => {} }
  const result = await createBackup(path, options).then(
    (summary): TaskResult => ({ summary }),
    (error: Error): TaskResult => ({ problem: error.message }),
  )
  process.send?.(result, () => process.disconnect?.())
})
