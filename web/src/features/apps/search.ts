import { parsePositive, parseText, type SearchParams } from '../../ui/list/search-params.ts'

export const TABS = [
  'settings',
  'requests',
  'schedule',
  'backfills',
  'jobs',
  'runs',
  'logs',
  'state',
  'health',
  'activity',
] as const
export type Tab = (typeof TABS)[number]

/** Search parameters of an import app's page. */
export function toAppSearch(search: SearchParams): { tab?: Tab } {
  return { tab: TABS.find((tab) => tab === search.tab) }
}

export const toGallerySearch = (search: SearchParams): { search?: string; category?: string } => ({
  search: parseText(search.search),
  category: parseText(search.category),
})

/** Without an ID, the page creates a new app. */
export const toSourceSearch = (search: SearchParams): { plugin?: number } => ({
  plugin: parsePositive(search.plugin),
})
