import type { ChartMark, Drawing, Frame } from '../chart.ts'
import { paletteOf } from '../palette.ts'

const DAY_MS = 86_400_000

/** Reads a local time as if it were UTC, so that times and days of one project compare. */
const toMs = (text: string): number =>
  Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`)

/** Draws a dashed line with a text above it at each marked interval, as the lines of a second axis. */
export function withMarks(
  drawing: Drawing,
  marks: readonly ChartMark[],
  { scheme }: Frame,
): Drawing {
  const { days = [], summary = '' } = drawing
  const axes = [drawing.xAxis].flat()
  if (marks.length === 0) return drawing
  const moments = marks.map(({ at, text }) => ({ at: toMs(at), text }))
  const starts = days.map(toMs)
  const last = starts.at(-1) ?? 0
  const end = last + (last - (starts.at(-2) ?? last - DAY_MS))
  const texts = starts.map((start, at) =>
    moments
      .filter((moment) => moment.at >= start && moment.at < (starts[at + 1] ?? end))
      .map(({ text }) => text)
      .join(', '),
  )
  const shown = texts.filter(Boolean)
  if (shown.length === 0) return drawing
  const color = paletteOf(scheme).dimmed
  const axis = {
    ...axes[0],
    position: 'top' as const,
    name: '', // the axis below has the title
    data: texts,
    axisLine: { show: false },
    axisPointer: { show: false },
    axisLabel: { interval: 0, hideOverlap: true, color, width: 120, overflow: 'truncate' as const },
    splitLine: {
      show: true,
      interval: (at: number) => texts[at] !== '',
      // the ends of the axis have lines of their own
      showMinLine: texts[0] !== '',
      showMaxLine: texts.at(-1) !== '',
      alignWithLabel: true, // or the lines would be between the bars
      lineStyle: { color, type: 'dashed' as const },
    },
  }
  return {
    ...drawing,
    xAxis: [...axes, axis] as Drawing['xAxis'],
    summary: `${summary} Annotations: ${shown.join('; ')}.`,
  }
}
