import type { Migration } from '../migrate.ts'

/** A text can be the title of a section: `open` or `folded` says how viewers first see the tiles below it. */
export const sections: Migration = {
  name: '0090-sections',
  up: ({ text }) => [`alter table tiles add column section ${text}`],
}
