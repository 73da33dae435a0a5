/** A part of the past: `from` belongs to it, `to` does not. */
export interface Window {
  readonly from: string
  readonly to: string
}

const toWidth = ({ from, to }: Window): number => Date.parse(to) - Date.parse(from)

/** Counts the windows of a period. The last may be shorter. */
export const countWindows = (period: Window, chunkMs: number): number =>
  Math.ceil(toWidth(period) / chunkMs)

/** Returns the n-th window of a period, from 0. */
export function toWindow({ from, to }: Window, chunkMs: number, index: number): Window {
  const start = Date.parse(from) + index * chunkMs
  const end = Math.min(start + chunkMs, Date.parse(to))
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

type Streams = readonly string[] | null

/** Whether two backfills read the same data. null: all streams. */
export const overlaps = (
  a: Window & { readonly streams: Streams },
  b: Window & { readonly streams: Streams },
): boolean => a.from < b.to && b.from < a.to && shareStream(a.streams, b.streams)

const shareStream = (a: Streams, b: Streams): boolean =>
  a === null || b === null || a.some((stream) => b.includes(stream))
