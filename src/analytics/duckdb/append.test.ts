import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { BEGIN_WRITING } from './append.ts'
import { openEventsFile } from './file.ts'
import { readRows } from './read-rows.ts'

/** A checkpoint merges the rows that deletions leave, unless another transaction has its lock. */
async function countGroupsAfterCheckpoint(begin: string): Promise<number | undefined> {
  const file = await openEventsFile(await temporaryFolder(), { id: 'x', has_events: 0 })
  onTestFinished(() => file.close())
  const { appends, changes } = file
  await changes.run('create table numbers as from range(92160) t(number)')
  await changes.run('checkpoint')
  await changes.run('delete from numbers where number % 10 <> 0')
  await appends.run(begin)
  await changes.run('checkpoint')
  await appends.run('rollback')
  const count = `select count(distinct row_group_id)::integer from pragma_storage_info('numbers')`
  return (await readRows<[number]>(changes, count))[0]?.[0]
}

it('an append waits for a checkpoint when it begins, not on the main thread', async () => {
  expect(await countGroupsAfterCheckpoint('begin')).toBe(1)
  expect(await countGroupsAfterCheckpoint(BEGIN_WRITING)).toBe(3)
})
