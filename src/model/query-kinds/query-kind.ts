import type { FunnelsActorsQuery, InsightActorsQuery } from '../actors/actors.schema.ts'
import type { Chart, DrawChart } from '../chart.ts'
import type { ColorRules } from '../color-rules.ts'
import type { DisplaySettings } from '../display-settings.ts'
import type { Displays } from '../displays.ts'
import type { Headline } from '../headline.ts'
import type { RowNames } from '../names/row-names.ts'
import type { NumberFormat } from '../number-format.ts'
import type { RetentionCohort } from '../query-results.ts'
import type { EventsNode } from './common.schema.ts'

/**
 * Describes one kind of query to the server and the browser. The rest is found by `id` and `kind`: `<id>.schema.ts`
 * exports the schema under the name of the kind, `analytics/queries/<id>/` has `compile.ts` with `compile<kind>` and
 * `actors.ts` with `select<kind>Actors`, and `kinds/<id>/` of the web app holds `form.tsx`. Schemas are separate so that
 * the web app does not load TypeBox.
 */
export interface QueryKind<Query extends { readonly kind: string } = { readonly kind: string }> {
  readonly id: string
  readonly kind: Query['kind']
  readonly name: string
  /** Explains the kind in a tooltip. */
  readonly description: string
  /** The default node that shows a query. */
  readonly wrapper: { readonly kind: string; readonly display?: string }
  /** The query of a new insight. */
  readonly newQuery: Query
  /** The common fields that the editor offers. */
  readonly fields: {
    readonly dates?: boolean
    readonly filters?: boolean
    readonly compare?: boolean
    hasInterval?(query: Query): boolean
  }
  /** The field with the display settings that the editor offers: of the query, or of the node around SQL. */
  readonly settingsField?: 'trendsFilter' | 'stickinessFilter' | 'chartSettings'
  /** Set if the editor shows a query of this kind, but does not offer the kind: the page *Web* creates them. */
  readonly isOfWebPage?: true
  /** The displays that the editor offers. */
  readonly display?: DisplayField<Query>
  /** The field with the text of a query that people write instead of composing it in a form. May contain variables. */
  readonly textField?: 'query'
  /** Lists the dashboard filters that cannot affect this query. */
  listNotApplied?(query: Query): readonly DashboardFilter[]
  /** Set if a query can read the clock, so its result soon becomes stale. */
  readonly readsClock?: true
  /** Returns the length of a period. Default: the query's `interval`. */
  periodOf?(query: Query): string | null | undefined
  /** Lists the events that a query counts. Default: its `series`. */
  listEvents?(query: Query): readonly EventsNode[]
  /** Replaces the counted events with these, at least one. Absent if the kind counts no chosen events. */
  withEvents?(query: Query, events: readonly EventsNode[]): Query
  /** Separates the events in the name of an insight. Default: a comma. */
  readonly eventSeparator?: string
  /** Converts a result to a table: the header, then the rows. SQL shows what it returns, whatever the names. */
  toRows(result: unknown, names: RowNames): Rows
  /** Returns the text of a result that is not shown as a chart. */
  toTextView?(chart: Chart): TextView | undefined
  /** Describes one point of a chart in a tooltip. By default, the tooltip lists the series at that point. */
  describePoint?(result: unknown, index: number): PointDescription | undefined
  /** Loads the code that draws results, which the first page of the web app does not need. */
  loadDrawing(): Promise<DrawChart>
  /** Set if results are rows whose columns are sent separately. */
  readonly hasColumns?: true
  /** Tells how to query the persons or events behind a number. */
  readonly actors: ActorFields
  /** Absent if alerts cannot watch this kind. */
  readonly alert?: AlertRule
}

/** The query whose `source` is a query of this kind, and the fields with which it chooses a number. */
export type ActorFields =
  | { readonly within: 'ActorsQuery' }
  | { readonly within: 'InsightActorsQuery'; readonly fields: readonly InsightField[] }
  | { readonly within: 'FunnelsActorsQuery'; readonly fields: readonly FunnelField[] }

type InsightField = Exclude<keyof InsightActorsQuery, 'kind' | 'source' | 'modifiers'>
type FunnelField = Exclude<keyof FunnelsActorsQuery, 'kind' | 'source' | 'modifiers'>

/** The filters of a dashboard that apply to its tiles. */
export type DashboardFilter = 'date_from' | 'date_to' | 'properties'

/** A node that determines how the query inside it is shown. Other fields are kept. */
export interface NodeWith<Query> {
  readonly kind: string
  readonly source: Query
  /** The display of SQL; a trend has its own field for it. */
  readonly display?: string
  /** The columns that a chart of SQL shows, in upstream's form, and its display settings. */
  readonly chartSettings?: ChartSettings
}

/** The columns of an SQL chart, beside its display settings. */
export interface ChartSettings extends DisplaySettings {
  readonly xAxis?: { readonly column: string }
  readonly yAxis?: readonly { readonly column: string }[]
  /** Null for none; without the field, the column is guessed. */
  readonly seriesBreakdownColumn?: string | null
}

export interface DisplayField<Query> {
  readonly all: Displays
  set(node: NodeWith<Query>, name: string): NodeWith<Query>
}

export interface PointDescription {
  readonly heading: string
  readonly rows: readonly { readonly label: string; readonly value: string }[]
}

export type Rows = readonly (readonly unknown[])[]

export interface NumberView {
  readonly form: 'number'
  readonly headline: Headline
  /** The position of the number in the result. */
  readonly index: number
}

export interface TableView {
  readonly form: 'table'
  readonly columns: readonly unknown[]
  readonly rows: Rows
  readonly format: NumberFormat
  /** The IDs of the persons that the first column names, for tooltips. */
  readonly ids?: readonly (string | undefined)[]
  /** The sums of the columns, below the rows. */
  readonly total?: readonly unknown[]
  /** Draws bars or colors behind the numbers. */
  readonly cells?: 'bars' | 'colors'
  /** Color the numbers that meet them. */
  readonly rules?: ColorRules
}

/** A result that is shown as text, which can be read aloud, selected and scrolled. */
export type TextView =
  | NumberView
  | TableView
  | { readonly form: 'cohorts'; readonly cohorts: readonly RetentionCohort[] }

/** Tells what alerts can do with a kind. The server measures the number: `alerts/measures`. */
export interface AlertRule {
  /** Names what the number can be compared with, if anything. A query has a previous period only if it asks for one. */
  readonly earlier?: 'intervals' | 'period'
  /** Says that an alert chooses one of the rows that `toRows` returns, not a series. */
  readonly isOfRows?: true
}
