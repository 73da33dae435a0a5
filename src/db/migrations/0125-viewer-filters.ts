import type { Migration } from '../migrate.ts'

/** Viewers of a public link can narrow what it shows, if the link says how. */
export const viewerFilters: Migration = {
  name: '0125-viewer-filters',
  up: ({ text }) => [`alter table share_links add column viewer_filters ${text}`],
}
