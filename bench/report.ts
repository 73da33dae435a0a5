import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Measurement, newestOf, readHistory, type Series, toSeries } from './history.ts'
import { drawHistory } from './plot.ts'
import { isMissed, isRatio, toFigure, toGoal, toRange, toText } from './result.ts'
import { SUBJECTS, type Subject } from './subjects.ts'

const REPORT = new URL('./RESULTS.md', import.meta.url)
const PICTURE = new URL('../docs/pictures/bench.svg', import.meta.url)

/** The kinds of machines, each with its column. */
const ARCHS = ['arm64', 'x64']

/** Writes the report and its picture from the history. */
export async function writeReport(): Promise<void> {
  const order = Object.keys(SUBJECTS)
  const series = toSeries(await readHistory()).toSorted(
    (a, b) => order.indexOf(a.subject) - order.indexOf(b.subject),
  )
  await writeFile(REPORT, toReport(series))
  await writeFile(PICTURE, drawHistory(series.filter(({ last }) => last.goal && isRatio(last))))
}

export const toReport = (series: readonly Series[]): string => `# Benchmark results

\`npm run bench\` appends what it measured to [history.jsonl](history.jsonl), and this page is written from that (\`node bench/report.ts\`). Absolute figures depend on the machine and its load; ratios hold elsewhere too. Each cell has the newest figure of that kind of machine with its lowest and highest round, the load generator and the date. A missed goal is bold.

${describeMachines(series)}

## Missed goals

${toMissed(series)}

${Object.keys(SUBJECTS)
  .map((subject) => toSection(subject as Subject, series))
  .join('')}## Over time

Each ratio with a goal, which is the dashed line:

![Each ratio with a goal over time, one line for each kind of machine](../docs/pictures/bench.svg)
`

function describeMachines(series: readonly Series[]): string {
  const lines = ARCHS.flatMap((arch) => {
    const all = series.flatMap(({ byArch }) => byArch.get(arch) ?? [])
    const names = all.map(({ machine: { cpu, cores, node } }) =>
      cpu ? `${cpu}, ${cores} cores, Node ${node}` : 'unknown model',
    )
    return all.length === 0 ? [] : [`- ${arch}: ${[...new Set(names)].join('; ')}`]
  })
  return lines.join('\n')
}

function toMissed(series: readonly Series[]): string {
  const missed = series.filter((each) =>
    ARCHS.some((arch) => {
      const newest = newestOf(each, arch)
      return newest && isMissed(newest)
    }),
  )
  if (missed.length === 0) return 'None.'
  return toTable(missed, ({ subject, what }) => `${SUBJECTS[subject].title}: ${what}`)
}

function toSection(subject: Subject, all: readonly Series[]): string {
  const series = all.filter((each) => each.subject === subject)
  if (series.length === 0) return ''
  const about = SUBJECTS[subject]
  const tables =
    'showsWorst' in about
      ? `${toWorst(series)}\n\n${fold('Each case', toTable(series))}`
      : toTable(series)
  return `## ${about.title}\n\n${about.how}\n\n${tables}\n\n${fold('Details', listDetails(series))}\n\n`
}

const fold = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`

const HEAD = `| What | Goal | ${ARCHS.join(' | ')} |\n|---|---|${'---|'.repeat(ARCHS.length)}\n`

function toTable(
  series: readonly Series[],
  toName: (series: Series) => string = ({ what }) => what,
): string {
  const rows = series.map((each) => {
    const cells = ARCHS.map((arch) => toCell(newestOf(each, arch)))
    return `| ${toName(each)} | ${toGoal(each.last)} | ${cells.join(' | ')} |`
  })
  return HEAD + rows.join('\n')
}

function toCell(newest: Measurement | undefined, note?: string): string {
  if (!newest) return ''
  const { at, generator } = newest
  const figure = isMissed(newest) ? `**${toFigure(newest)}**` : toFigure(newest)
  return `${figure} (${[note, toRange(newest), generator, at.slice(0, 10)].filter(Boolean).join(', ')})`
}

/** Shows the worst case of each part, of series that are named `case: part`. */
function toWorst(series: readonly Series[]): string {
  const parts = Map.groupBy(series, ({ what }) => what.slice(what.lastIndexOf(': ') + 2))
  const rows = [...parts].map(([part, cases]) => {
    const cells = ARCHS.map((arch) => {
      const newest = cases.flatMap((each) => newestOf(each, arch) ?? [])
      const worst = newest.toSorted((a, b) => b.value - a.value)[0]
      return toCell(worst, worst?.what.slice(0, worst.what.lastIndexOf(': ')))
    })
    const goal = toGoal((cases[0] as Series).last)
    return `| ${part}, worst of ${cases.length} | ${goal} | ${cells.join(' | ')} |`
  })
  return HEAD + rows.join('\n')
}

function listDetails(series: readonly Series[]): string {
  const lines = series.flatMap((each) =>
    ARCHS.flatMap((arch) => {
      const newest = newestOf(each, arch)
      if (!newest) return []
      const { what, detail, load, commit } = newest
      const notes = [detail, load !== undefined && `load average before ${toText(load)}`, commit]
      return [`- ${what}, ${arch}: ${notes.filter(Boolean).join('; ')}`]
    }),
  )
  return lines.join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeReport()
