import { expect, it } from 'vitest'
import { insightTile } from '../../../test/fixtures.ts'
import { toDuplicates, toTransferred } from './duplicate.ts'

const OWN = {
  color: 'blue',
  show_description: true,
  filters_overrides: { date_from: '-30d', value_filter: false },
}

it.each([
  ['a duplicate', toDuplicates],
  ['a copy on another dashboard', toTransferred],
])('%s has the look, dates and filters of the tile', (_, toCopies) => {
  const tile = insightTile(1, 'Visits', OWN)

  const [copy] = toCopies([tile], [tile])

  expect(copy).toMatchObject(OWN)
  expect(copy).not.toHaveProperty('id')
})
