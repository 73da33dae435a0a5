import { execFileSync } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { arch, cpus, loadavg } from 'node:os'
import type { Result } from './result.ts'
import { SUBJECTS } from './subjects.ts'

interface Machine {
  readonly arch: string
  readonly cpu?: string
  readonly cores?: number
  readonly node?: string
}

/** A result with the circumstances of its measurement: one line of the history. */
export interface Measurement extends Result {
  /** An ISO date or time. The first measurements have the time of the commit that recorded them. */
  readonly at: string
  readonly commit?: string
  readonly machine: Machine
}

const FILE = new URL('./history.jsonl', import.meta.url)

/** Read before the run, because its own load would hide that of other work. */
const [LOAD = 0] = loadavg()

export const readHistory = async (): Promise<Measurement[]> =>
  parseHistory(await readFile(FILE, 'utf8'))

export async function appendHistory(results: readonly Result[]): Promise<void> {
  const machine: Machine = {
    arch: arch(),
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    node: process.version,
  }
  const at = new Date().toISOString()
  const lines = results.map((result) => ({
    at,
    commit: readCommit(),
    machine,
    load: LOAD,
    ...result,
  }))
  const text = lines.map((line) => `${toHistoryLine(line)}\n`).join('')
  parseHistory(text) // throws for a figure that is not a number, as when no request was answered
  await appendFile(FILE, text)
}

const readCommit = (): string =>
  execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()

/** Five digits are enough: no figure can be repeated more precisely. */
export const toHistoryLine = (measurement: Measurement): string =>
  JSON.stringify(measurement, (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : value,
  )

/** Throws with the number of the line that is not a measurement. */
export function parseHistory(text: string): Measurement[] {
  return text.split('\n').flatMap((line, index) => {
    if (line === '') return []
    const measurement = parseLine(line)
    if (!measurement)
      throw new Error(`Line ${index + 1} of the history is not a measurement: ${line}`)
    return [measurement]
  })
}

function parseLine(line: string): Measurement | undefined {
  try {
    const read: Measurement = JSON.parse(line)
    const isComplete =
      read.subject in SUBJECTS &&
      typeof read.what === 'string' &&
      [read.value, ...(read.spread ?? [])].every(Number.isFinite) &&
      !Number.isNaN(timeOf(read)) &&
      typeof read.machine.arch === 'string'
    return isComplete ? read : undefined
  } catch {
    return undefined
  }
}

/** A date without a time counts as the end of that day. */
export const timeOf = ({ at }: Pick<Measurement, 'at'>): number =>
  Date.parse(at.includes('T') ? at : `${at}T23:59:59Z`)

/** One figure over time and machines. */
export interface Series extends Pick<Measurement, 'subject' | 'what'> {
  /** Ordered by time, for each kind of machine. */
  readonly byArch: ReadonlyMap<string, readonly Measurement[]>
  /** The last measurement of all, whose goal is the goal today. */
  readonly last: Measurement
}

/** Groups measurements by what was measured, in the order of the first measurements. */
export function toSeries(history: readonly Measurement[]): Series[] {
  const ordered = history.toSorted((a, b) => timeOf(a) - timeOf(b))
  const groups = Map.groupBy(ordered, ({ subject, what }) => JSON.stringify([subject, what]))
  return [...groups.values()].map((group) => {
    const last = group.at(-1) as Measurement
    const byArch = Map.groupBy(group, ({ machine }) => machine.arch)
    return { subject: last.subject, what: last.what, byArch, last }
  })
}

/** Returns the newest measurement of a kind of machine, judged by the goal of today. */
export function newestOf({ byArch, last }: Series, kind: string): Measurement | undefined {
  const newest = byArch.get(kind)?.at(-1)
  return newest && { ...newest, goal: last.goal }
}
