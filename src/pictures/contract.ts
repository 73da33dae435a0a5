import type { Chart, Scheme } from '../model/chart.ts'
import type { Section } from '../model/grid.ts'

/** A result as JSON, which the drawing process parses, because parsing and sending a large one would hold up others. */
export interface StoredResult {
  readonly storedResult: string
}

export interface PictureLook {
  readonly scheme: Scheme
  /** In CSS pixels. A PNG has twice as many. */
  readonly width: number
  readonly height: number
  /** False omits the title, for pages that show it themselves. */
  readonly withTitle?: boolean
}

/** Options of a drawing that shares a page with others. */
export interface InlineLook {
  readonly width: number
  readonly height: number
  /** The prefix of element IDs. */
  readonly idPrefix: string
}

export interface TilePicture {
  readonly title: string
  readonly color: string | null
  /** The stored layouts; `sm` is the position on a grid of 12 columns. */
  readonly layouts: object
  /** Markdown, for a text tile. */
  readonly text?: string
  /** The text is the title of a section. The tiles of a folded one are not drawn. */
  readonly section?: Section
  readonly query?: object
  /** Can be a `StoredResult`. */
  readonly result?: unknown
  readonly marks?: Chart['marks']
  /** A message shown instead of the chart. */
  readonly problem?: string
}

export interface DashboardLook {
  readonly scheme: Scheme
  readonly width: number
  /** Tiles that do not fit are omitted. By default, the height that the tiles need. */
  readonly height?: number | undefined
}

export interface DashboardPicture {
  readonly title: string
  readonly description: string
  readonly tiles: readonly TilePicture[]
  /** ISO 8601. Shown in the picture. */
  readonly takenAt: string
}

/** Draws pictures in a separate process. The result of a chart can be a `StoredResult`. Methods throw `ApiError` 503 if it fails; the signal cancels a drawing. */
export interface Pictures {
  /** Returns well-formed SVG without scripts or links. Its only style is the embedded font. */
  svg(chart: Chart, look: PictureLook, signal?: AbortSignal): Promise<string>
  /** Returns SVG without styles for both schemes, safe to inline in any page: it follows the page's `color-scheme` and takes its parent's size. */
  inlineSvg(chart: Chart, look: InlineLook): Promise<string>
  png(chart: Chart, look: PictureLook, signal?: AbortSignal): Promise<Uint8Array>
  dashboardPng(
    dashboard: DashboardPicture,
    look: DashboardLook,
    signal?: AbortSignal,
  ): Promise<Uint8Array>
  /** Returns A4 pages in the light scheme. */
  dashboardPdf(dashboard: DashboardPicture, signal?: AbortSignal): Promise<Uint8Array>
  close(): Promise<void>
}

/** A request of the server to the drawing process. */
export type DrawingTask =
  | { readonly type: 'svg' | 'png'; readonly chart: Chart; readonly look: PictureLook }
  | { readonly type: 'inlineSvg'; readonly chart: Chart; readonly look: InlineLook }
  | (DashboardLook & { readonly type: 'dashboardPng'; readonly dashboard: DashboardPicture })
  | { readonly type: 'dashboardPdf'; readonly dashboard: DashboardPicture }

/** The response: the picture and the problems of its charts, or the reason for the failure. */
export type Drawn =
  | { readonly picture: string | Uint8Array; readonly problems: readonly string[] }
  | { readonly failure: string }
