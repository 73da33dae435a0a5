import type { ChartMark } from '../chart.ts'
import { toZoneTime } from '../zone-time.ts'

/** The part of an annotation that decides where it is shown. */
export interface ShownAnnotation {
  readonly content: string
  readonly date_marker: string
  readonly scope: string
  readonly dashboard_id: number | null
  readonly dashboard_item: number | null
}

/** The dashboard and insight that a chart belongs to. */
export interface ChartPlace {
  readonly dashboardId?: number | undefined
  readonly insightId?: number | null | undefined
}

/** Returns the marks of a chart, in the time zone of its project. */
export function toMarks(
  annotations: readonly ShownAnnotation[],
  { dashboardId, insightId }: ChartPlace,
  timeZone: string,
): ChartMark[] {
  return annotations
    .filter(({ scope, dashboard_id, dashboard_item }) => {
      if (scope === 'dashboard') return dashboard_id === dashboardId
      return scope !== 'dashboard_item' || dashboard_item === insightId
    })
    .map(({ content, date_marker }) => ({
      at: toZoneTime(new Date(date_marker), timeZone),
      text: content,
    }))
}
