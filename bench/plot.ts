import { type Measurement, type Series, timeOf } from './history.ts'
import { type Goal, isMissed, toText } from './result.ts'
import { SUBJECTS } from './subjects.ts'

const COLUMNS = 5
const WIDTH = 190
const HEIGHT = 128
const GAP = 14
/** The space of the title above, the dates below and the last value beside the lines. */
const TOP = 34
const BOTTOM = 16
const RIGHT = 40
const LEGEND = 30
const TITLE_LETTERS = 30

const COLORS: Readonly<Record<string, string>> = { arm64: '#2f81f7', x64: '#e0701a' }
const GOAL_COLOR = '#8b8b8b'

/** Readable on light and dark pages. */
const STYLE = `
  text { font: 10px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; fill: #24292f }
  .frame { stroke: #8b8b8b; stroke-opacity: .5; fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #9da7b1 }
    .title { fill: #e6edf3 }
  }`

/** Draws a panel for each series: a line for each kind of machine, and the goal dashed. */
export function drawHistory(series: readonly Series[]): string {
  const times = series.flatMap(({ byArch }) => [...byArch.values()].flat().map(timeOf))
  const period = { from: Math.min(...times), to: Math.max(...times) }
  const width = COLUMNS * (WIDTH + GAP) - GAP
  const height = LEGEND + Math.ceil(series.length / COLUMNS) * (HEIGHT + GAP)
  const panels = series.map((each, index) => {
    const x = (index % COLUMNS) * (WIDTH + GAP)
    const y = LEGEND + Math.floor(index / COLUMNS) * (HEIGHT + GAP)
    return `<g transform="translate(${x} ${y})">${drawPanel(each, period)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>Each ratio with a goal over time</title>
<style>${STYLE}</style>
${drawLegend()}
${panels.join('\n')}
</svg>
`
}

function drawLegend(): string {
  const lines = Object.entries(COLORS).map(
    ([arch, color], index) =>
      `<g transform="translate(${index * 70} 10)"><path d="M0 0h16" stroke="${color}" stroke-width="2"/><text x="20" y="3">${arch}</text></g>`,
  )
  return `${lines.join('')}<g transform="translate(140 10)"><path d="M0 0h16" stroke="${GOAL_COLOR}" stroke-dasharray="4 3"/><text x="20" y="3">goal (≥ at least, ≤ at most); a hollow point missed it</text></g>`
}

interface Period {
  readonly from: number
  readonly to: number
}

function drawPanel({ subject, what, byArch, last }: Series, { from, to }: Period): string {
  const goal = last.goal as Goal
  const limit = 'atMost' in goal ? goal.atMost : goal.atLeast
  const all = [...byArch.values()].flat()
  const highest = Math.max(limit, ...all.map(({ value }) => value)) * 1.08
  const toX = (at: number) => round(4 + ((at - from) / (to - from || 1)) * (WIDTH - RIGHT - 8))
  const toY = (value: number) =>
    round(HEIGHT - BOTTOM - (value / highest) * (HEIGHT - BOTTOM - TOP))
  const lines = [...byArch].map(([arch, measurements]) => {
    const color = COLORS[arch] ?? GOAL_COLOR
    const points = measurements.map((each) => ({
      ...each,
      goal,
      x: toX(timeOf(each)),
      y: toY(each.value),
    }))
    const path = points.map(({ x, y }) => `${x} ${y}`).join('L')
    return `<path d="M${path}" stroke="${color}" stroke-width="1.5" fill="none"/>${points.map((point) => drawPoint(point, color)).join('')}`
  })
  return `${drawTitle(`${SUBJECTS[subject].title}: ${what}`)}
<path class="frame" d="M0 ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/>
<path d="M0 ${toY(limit)}H${WIDTH - RIGHT}" stroke="${GOAL_COLOR}" stroke-dasharray="4 3"/>
<text x="0" y="${HEIGHT - 4}">${toDay(from)}</text><text x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end">${toDay(to)}</text>
${lines.join('\n')}
${drawLabels(byArch, { limit: `${'atMost' in goal ? '≤' : '≥'} ${toText(limit)}`, y: toY(limit) }, toY)}`
}

const drawPoint = (
  point: Measurement & { readonly x: number; readonly y: number },
  color: string,
): string =>
  `<circle cx="${point.x}" cy="${point.y}" r="2.5" stroke="${color}" fill="${isMissed(point) ? 'none' : color}"/>`

/** Writes the last value of each line and the goal beside it, moved apart where they would overlap. */
function drawLabels(
  byArch: Series['byArch'],
  goal: { readonly limit: string; readonly y: number },
  toY: (value: number) => number,
): string {
  const values = [...byArch].map(([arch, measurements]) => {
    const { value } = measurements.at(-1) as Measurement
    return { text: toText(value), y: toY(value), color: COLORS[arch] ?? GOAL_COLOR }
  })
  const labels = [...values, { text: goal.limit, y: goal.y, color: GOAL_COLOR }]
  let above = -Infinity
  return labels
    .toSorted((a, b) => a.y - b.y)
    .map(({ text, y, color }) => {
      above = Math.max(y + 3, above + 11)
      return `<text x="${WIDTH - RIGHT + 4}" y="${above}" style="fill:${color}">${text}</text>`
    })
    .join('')
}

function drawTitle(text: string): string {
  const words = text.replaceAll('`', '').split(' ')
  const lines = ['']
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`.trim()
    if (line.length > TITLE_LETTERS && lines.length < 2) lines.push(word)
    else lines[lines.length - 1] = line
  }
  const shown = lines.map((line) =>
    line.length > TITLE_LETTERS + 2 ? `${line.slice(0, TITLE_LETTERS)}…` : line,
  )
  return shown
    .map(
      (line, index) =>
        `<text class="title" x="0" y="${10 + index * 12}">${escapeText(line)}</text>`,
    )
    .join('')
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

const round = (number: number): number => Math.round(number * 10) / 10
