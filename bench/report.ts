import { readFile, writeFile } from 'node:fs/promises'
import { arch, cpus, platform } from 'node:os'
import { GENERATOR } from './drive.ts'

export interface Result {
  readonly what: string
  readonly figure: string
  readonly detail: string
  readonly goal: string
  /** Undefined if there is no goal. */
  readonly met: boolean | undefined
}

/** Each row names its machine, because a run may measure only some rows. */
const MEASURED = `${new Date().toISOString().slice(0, 10)}, ${arch()}`

const FILE = new URL('./RESULTS.md', import.meta.url)

export async function writeReport(
  results: readonly Result[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<void> {
  const rows = await listRows()
  for (const { what, figure, detail, goal, met } of results) {
    const words = met === undefined ? '' : met ? 'yes' : '**no**'
    rows.set(what, `| ${what} | **${figure}** | ${goal} | ${words} | ${MEASURED} | ${detail} |`)
  }
  await writeFile(
    FILE,
    `# Benchmark results

Written by \`npm run bench\`. Absolute figures depend on the machine and its load; ratios hold elsewhere too.

- Last run: Node ${process.version} on ${platform()} ${arch()}, ${cpus().length} cores (${cpus()[0]?.model.trim()}).
- 10,000 dashboards of 6 tiles in SQLite, \`synchronous=FULL\`; server on one core, ${GENERATOR} with 32 connections on the other.
- "Bare" is a \`node:http\` server that sends the same bytes, headers included, under the same load in turns: ${rounds} rounds of ${seconds} s, median ratio.
- "Past the cache" sends \`Cache-Control: no-cache\`, so every response is read from the database.
- "Abuse": the load runs at the lowest priority, and a separate process requests \`/_health\` 50 times a second; the figure of a \`node:http\` server that only responds to the same load is given for comparison. A pause is the processor time that the main thread used between two ticks of a timer, without garbage collection. Growth is resident memory above that of the server at rest.
- "Servers", and events in ClickHouse: a load average above the number of cores means that other work took part of them. Then compare only figures of one run.

| What | Figure | Goal | Met | Measured | Each round |
|---|---|---|---|---|---|
${[...rows.values()].join('\n')}
`,
  )
}

/** Earlier measurements by name: a partial run keeps the others. */
async function listRows(): Promise<Map<string, string>> {
  const text = await readFile(FILE, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => /^\| (?!What )/.test(line))
  return new Map(lines.map((line) => [line.split(' | ', 1)[0]?.slice(2) ?? '', line]))
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
