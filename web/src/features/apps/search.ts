import { positiveOf, type Search, textOf } from '../../ui/search-params.ts'

export const TABS = ['settings', 'jobs', 'runs', 'logs', 'health', 'activity'] as const
export type Tab = (typeof TABS)[number]

/** Search parameters of an import app's page. */
export function toAppSearch(search: Search): { tab?: Tab } {
  return { tab: TABS.find((tab) => tab === search.tab) }
}

export const toGallerySearch = (search: Search): { search?: string } => ({
  search: textOf(search.search),
})

/** Without an ID, the page creates a new app. */
export const toSourceSearch = (search: Search): { plugin?: number } => ({
  plugin: positiveOf(search.plugin),
})
