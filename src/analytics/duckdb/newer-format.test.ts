import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { openEventsFile } from './file.ts'

const INSTALLATION = { id: 'x', has_events: 1 } as const

/** The second byte of the format's version, behind a checksum of 8 bytes and `DUCK`. */
const VERSION_AT = 13

async function overwrite(path: string, at: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(bytes, 0, bytes.length, at)
  await file.close()
}

it('says that a newer DuckDB has written the file', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'events.duckdb')
  const file = await openEventsFile(folder, { ...INSTALLATION, has_events: 0 })
  await file.close()
  await overwrite(path, VERSION_AT, Buffer.from([1]))
  const problem = await openEventsFile(folder, INSTALLATION).catch(String)
  const [, checksum = '0'] = /computed checksum (\d+)/.exec(String(problem)) ?? []
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(checksum))
  await overwrite(path, 0, bytes)

  await expect(openEventsFile(folder, INSTALLATION)).rejects.toThrow(
    'were stored by a newer version of Hedgerow',
  )
})
