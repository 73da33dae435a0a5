import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { deleteOldBackups, toBackupName } from './files.ts'

describe('the folder of scheduled backups', () => {
  it('loses nothing but old backups', async () => {
    const folder = await temporaryFolder()
    const kept = ['hedgerow-2026-01-01.tar', 'monday.tar', 'x-hedgerow-2026-01-01T00-00-00Z.tar']
    for (const name of kept) await writeFile(join(folder, name), '')
    await mkdir(join(folder, toBackupName(new Date(0))))
    await writeFile(join(folder, toBackupName(new Date(1e12))), '')

    await deleteOldBackups(folder, 0)

    expect((await readdir(folder)).sort()).toEqual([toBackupName(new Date(0)), ...kept].sort())
  })
})
