import { isCode, isTest, listFiles, readText } from './sources.ts'

const WINDOW = 6

interface Line {
  readonly number: number
  readonly text: string
}

/** Drops what every file repeats: imports, blank lines, comments and lone brackets. */
function readLines(file: string): Line[] {
  const code = readText(file)
    .replace(/^import [\s\S]*?from '[^']+'$/gm, (text) => text.replace(/[^\n]/g, ''))
    .replace(/\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, ''))
  return code
    .split('\n')
    .map((text, index) => ({ number: index + 1, text: text.replace(/\/\/.*$/, '').trim() }))
    .filter(({ text }) => /\w/.test(text))
}

export interface DuplicatePair {
  readonly first: string
  readonly second: string
}

/** Finds pairs of places that share six or more equal lines; a longer run of equal lines counts once. */
export function findDuplicates(folder: string): DuplicatePair[] {
  const seen = new Map<string, { file: string; index: number; number: number }[]>()
  const files = listFiles(folder).filter((file) => isCode(file) && !isTest(file))
  const pairs: DuplicatePair[] = []
  const covered = new Set<string>()
  for (const file of files) {
    const lines = readLines(file)
    for (let index = 0; index + WINDOW <= lines.length; index++) {
      const key = lines
        .slice(index, index + WINDOW)
        .map(({ text }) => text)
        .join('\n')
      const places = seen.get(key) ?? []
      const number = lines[index]?.number ?? 0
      for (const other of places) {
        if (!covered.has(`${other.file}:${other.index - 1}=${file}:${index - 1}`)) {
          pairs.push({ first: `${other.file}:${other.number}`, second: `${file}:${number}` })
        }
        covered.add(`${other.file}:${other.index}=${file}:${index}`)
      }
      places.push({ file, index, number })
      seen.set(key, places)
    }
  }
  return pairs
}
