import { expect, it } from 'vitest'
import { countTurns, slowDown } from '../../../../test/support/count-turns.ts'
import { dataTable } from './data-table.ts'

it('writes a table of long cells in many turns of the event loop', async () => {
  const row = Array(20).fill('日'.repeat(1000))
  slowDown()

  const turns = await countTurns(() => dataTable('Long', Array(101).fill(row)))

  expect(turns).toBeGreaterThan(5)
})
