import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { fullNumber } from '../format.ts'
import { listOf } from '../json.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { PathLink } from '../query-results.ts'
import { toPathLabel } from '../series-names.ts'
import { shortenLabels } from './labels.ts'
import { moreText } from './legend.ts'
import { MAX_LINKS } from './limits.ts'
import { base, isNarrow, message } from './parts.ts'
import { summarizeValues } from './summary.ts'

const toStep = (name: string): number => Number.parseInt(name, 10)

/** Counts the persons at a place: those who came or those who went on, whichever are more. */
function countPersons(name: string, links: readonly PathLink[]): number {
  const sum = (end: 'source' | 'target') =>
    links.reduce((total, link) => total + (link[end] === name ? link.value : 0), 0)
  return Math.max(sum('source'), sum('target'))
}

/** Draws the paths of persons from left to right. */
export function drawPaths({ result }: Chart, frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const all = listOf<PathLink>(result)
  const drawable = all
    // ECharts' sankey throws on a cycle, so every link must lead to a later step
    .filter(({ source, target, value }) => value > 0 && toStep(source) < toStep(target))
    .toSorted((one, other) => other.value - one.value)
  const links = drawable.slice(0, MAX_LINKS)
  const hidden = drawable.length - links.length
  if (links.length === 0) return message(frame, NO_EVENTS)

  const names = [...new Set(links.flatMap(({ source, target }) => [source, target]))]
  const first = Math.min(...names.map(toStep))
  const last = Math.max(...names.map(toStep))
  const columns = last - first + 1
  const nodeWidth = 8
  const width = Math.max(32, (frame.width - 24) / columns - nodeWidth - 10)
  const fontSize = isNarrow(frame) ? 10 : 12
  const counts = names.map((name) => fullNumber(countPersons(name, links)))
  const longest = Math.max(...counts.map(({ length }) => length)) + 1
  const room = Math.floor(width / (fontSize * 0.56)) - longest
  const pages = shortenLabels(names.map(toPathLabel), Math.max(6, room))
  const labels = new Map(names.map((name, at) => [name, `${pages[at]} ${counts[at]}`]))
  const atTheEnd = names
    .filter((name) => toStep(name) === last)
    .map((name) => labels.get(name)?.length ?? 0)
  return {
    ...base(frame),
    graphic: hidden > 0 ? [moreText(frame, hidden)] : [],
    series: [
      {
        type: 'sankey',
        left: 12,
        right: Math.min(width, Math.max(...atTheEnd) * 7) + 14,
        top: 14,
        bottom: hidden > 0 ? 26 : 14,
        nodeWidth,
        nodeGap: isNarrow(frame) ? 10 : 14,
        draggable: false,
        layoutIterations: 32,
        data: names.map((name) => ({
          name,
          depth: toStep(name) - first,
          itemStyle: { color: seriesColor(palette, toStep(name) - first), borderWidth: 0 },
        })),
        links: links.map(({ source, target, value }) => ({ source, target, value })),
        lineStyle: { color: 'source', opacity: 0.22, curveness: 0.5 },
        label: {
          color: palette.text,
          fontSize,
          formatter: ({ name }: { name: string }) => labels.get(name) ?? '',
        },
      },
    ],
    summary: summarizeValues(
      drawable.map(({ source, target, value }) => ({
        name: `${toPathLabel(source)} → ${toPathLabel(target)}`,
        value,
      })),
    ),
    findPoint(_, index) {
      const link = links[index]
      return link && { series: all.indexOf(link) }
    },
  }
}
