import type { Migration } from '../migrate.ts'

/** An alert can watch for values outside their usual range. */
export const usualRanges: Migration = {
  name: '0075-usual-ranges',
  up: ({ text }) => [`alter table alerts add column usual_range ${text}`],
}
