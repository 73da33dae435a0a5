import type { WebBreakdown } from '#model/web-breakdowns.ts'
import { parseOneOf, parseText, type SearchParams } from '../../ui/list/search-params.ts'
import type { SavedFilter } from '../properties/filters-model.ts'
import { toPropertyFilters } from '../properties/search.ts'

/** The figures that have a chart over time. */
export const CHARTED = ['visitors', 'views', 'sessions'] as const
export type Charted = (typeof CHARTED)[number]

/** The cards of breakdowns, and the choices of each. The first is shown if none is chosen. */
export const CARDS = {
  sources: [
    'InitialChannelType',
    'InitialReferringDomain',
    'InitialUTMSource',
    'InitialUTMMedium',
    'InitialUTMCampaign',
  ],
  pages: ['Page', 'InitialPage', 'ExitPage'],
  places: ['Country', 'Region', 'City'],
  devices: ['DeviceType', 'Browser', 'OS'],
} as const satisfies Readonly<Record<string, readonly [WebBreakdown, ...WebBreakdown[]]>>

export type CardName = keyof typeof CARDS
export const CARD_NAMES = Object.keys(CARDS) as CardName[]

/** Select the visits that the page counts. */
export interface VisitFilters {
  readonly date_from?: string
  readonly date_to?: string
  /** Default: the previous period is shown too. */
  readonly compare?: false
  readonly properties?: readonly SavedFilter[]
}

/** Query parameters of the page, so a link shows the same. */
export interface WebSearch extends VisitFilters, Partial<Readonly<Record<CardName, WebBreakdown>>> {
  /** The figure of the chart. */
  readonly figure?: Charted
  /** Default: those last chosen in this browser, or else the most frequent events. */
  readonly goals?: readonly unknown[]
}

export const toWebSearch = (search: SearchParams): WebSearch => ({
  date_from: parseText(search.date_from),
  date_to: parseText(search.date_to),
  compare: search.compare === false || search.compare === 'false' ? false : undefined,
  properties: toPropertyFilters(search.properties),
  figure: parseOneOf(CHARTED, search.figure),
  goals: Array.isArray(search.goals) ? search.goals : undefined,
  ...Object.fromEntries(
    CARD_NAMES.map((card) => [card, parseOneOf<WebBreakdown>(CARDS[card], search[card])]),
  ),
})

export const chosenOf = (search: WebSearch, card: CardName): WebBreakdown =>
  search[card] ?? CARDS[card][0]
