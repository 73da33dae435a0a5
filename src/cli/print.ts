import type { Command } from 'commander'

export interface Format {
  readonly json?: boolean
}

/** What every command has: `--json`, and a line to copy. */
export function withFormat(command: Command, example: string): Command {
  return command
    .option('--json', 'print one JSON object instead of words')
    .addHelpText('after', `\nExample:\n  $ hedgerow ${example}`)
}

export function print({ json }: Format, record: object, words: string): void {
  process.stdout.write(`${json ? JSON.stringify(record) : words}\n`)
}

/** Left-aligned columns under their titles. */
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

/** A label may hold what would move the terminal's cursor. */
const toCell = (text: string): string => text.replace(/\p{Cc}/gu, ' ') || '-'

const width = (text = ''): number => [...text].length

const pad = (text: string, to: number): string => text + ' '.repeat(to - width(text))
