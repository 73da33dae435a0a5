import type { Chart, Scheme } from '../model/chart.ts'

export interface PictureLook {
  readonly scheme: Scheme
  /** CSS pixels. A PNG has two for each. */
  readonly width: number
  readonly height: number
  /** Without it the title stands above the drawing; a page that has its own heading says false. */
  readonly withTitle?: boolean
}

/** For a drawing that stands among others in a page. */
export interface InlineLook {
  readonly width: number
  readonly height: number
  /** The prefix of its ids. */
  readonly idPrefix: string
}

export interface TilePicture {
  readonly title: string
  readonly color: string | null
  /** The stored layouts; `sm` places the tile on 12 columns. */
  readonly layouts: object
  /** Markdown, for a tile of text. */
  readonly text?: string
  readonly query?: object
  readonly result?: unknown
  /** In words, instead of a chart. */
  readonly problem?: string
}

export interface DashboardLook {
  readonly scheme: Scheme
  readonly width: number
  /** Without it as high as the tiles need; with it, those tiles that fit. */
  readonly height?: number | undefined
}

export interface DashboardPicture {
  readonly title: string
  readonly description: string
  readonly tiles: readonly TilePicture[]
  /** ISO 8601: said in the picture. */
  readonly takenAt: string
}

/** Drawn in a process of its own. Each throws `ApiError` 503 when that one fails. */
/** The signal ends a drawing that nobody waits for any more. */
export interface Pictures {
  /** Well-formed, without scripts, styles or links: it may stand inline in any page. */
  svg(chart: Chart, look: PictureLook, signal?: AbortSignal): Promise<string>
  /** One drawing for both schemes: it takes the colors of the page's `color-scheme`, and its parent's size. */
  inlineSvg(chart: Chart, look: InlineLook): Promise<string>
  png(chart: Chart, look: PictureLook, signal?: AbortSignal): Promise<Uint8Array>
  dashboardPng(
    dashboard: DashboardPicture,
    look: DashboardLook,
    signal?: AbortSignal,
  ): Promise<Uint8Array>
  /** A4 pages, always light. */
  dashboardPdf(dashboard: DashboardPicture, signal?: AbortSignal): Promise<Uint8Array>
  close(): Promise<void>
}

/** A request of the server to the drawing process. */
export type DrawingTask =
  | { readonly type: 'svg' | 'png'; readonly chart: Chart; readonly look: PictureLook }
  | { readonly type: 'inlineSvg'; readonly chart: Chart; readonly look: InlineLook }
  | (DashboardLook & { readonly type: 'dashboardPng'; readonly dashboard: DashboardPicture })
  | { readonly type: 'dashboardPdf'; readonly dashboard: DashboardPicture }

/** The response: the picture with the problems of its charts, or the reason of a failure. */
export type Drawn =
  | { readonly picture: string | Uint8Array; readonly problems: readonly string[] }
  | { readonly failure: string }
