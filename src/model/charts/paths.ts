import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { listOf } from '../fields.ts'
import { toLabel } from '../format.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { PathLink } from '../query-results.ts'
import { base, isNarrow, message } from './parts.ts'

/** More links would be unreadable. */
const MAX_LINKS = 40

const stepOf = (name: string): number => Number.parseInt(name, 10)

const pageOf = (name: string): string => toLabel(name.replace(/^\d+_/, ''))

/** Draws the paths of people from left to right. */
export function drawPaths({ result }: Chart, frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const all = listOf<PathLink>(result)
  const links = all
    // ECharts' sankey throws on a cycle, so every link must lead to a later step
    .filter(({ source, target, value }) => value > 0 && stepOf(source) < stepOf(target))
    .toSorted((one, other) => other.value - one.value)
    .slice(0, MAX_LINKS)
  if (links.length === 0) return message(frame, NO_EVENTS)

  const names = [...new Set(links.flatMap(({ source, target }) => [source, target]))]
  const first = Math.min(...names.map(stepOf))
  const last = Math.max(...names.map(stepOf))
  const columns = last - first + 1
  const nodeWidth = 8
  const width = Math.max(32, (frame.width - 24) / columns - nodeWidth - 10)
  const atTheEnd = names.filter((name) => stepOf(name) === last).map((name) => pageOf(name).length)
  return {
    ...base(frame),
    series: [
      {
        type: 'sankey',
        left: 12,
        right: Math.min(width, Math.max(...atTheEnd) * 7) + 14,
        top: 14,
        bottom: 14,
        nodeWidth,
        nodeGap: isNarrow(frame) ? 10 : 14,
        draggable: false,
        layoutIterations: 32,
        data: names.map((name) => ({
          name,
          depth: stepOf(name) - first,
          itemStyle: { color: seriesColor(palette, stepOf(name) - first), borderWidth: 0 },
        })),
        links: links.map(({ source, target, value }) => ({ source, target, value })),
        lineStyle: { color: 'source', opacity: 0.22, curveness: 0.5 },
        label: {
          color: palette.text,
          fontSize: isNarrow(frame) ? 10 : 12,
          width,
          overflow: 'truncate',
          ellipsis: '…',
          formatter: ({ name }: { name: string }) => pageOf(name),
        },
      },
    ],
    findPoint(_, index) {
      const link = links[index]
      return link && { series: all.indexOf(link) }
    },
  }
}
