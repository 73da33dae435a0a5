import type { Command } from 'commander'

export interface OutputFormat {
  readonly json?: boolean
}

/** Adds the `--json` option and an example to a command. */
export function withFormat(command: Command, example: string): Command {
  return command
    .option('--json', 'print one JSON object instead of text')
    .addHelpText('after', `\nExample:\n  $ hedgerow ${example}`)
}

export function print({ json }: OutputFormat, record: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(record) : text}\n`)
}

/** Aligns columns to the left, under their titles. */
export function toTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((cells) => cells.map(toCell))
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => width(line[column]))))
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Removes control characters, which could move the terminal's cursor. */
const toCell = (text: string): string => text.replace(/\p{Cc}/gu, ' ') || '-'

const width = (text = ''): number => [...text].length

const pad = (text: string, to: number): string => text + ' '.repeat(to - width(text))

export const toMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
