export interface Place {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 0. */
  readonly column: number
}

/** Where the compiler says that the mistake is: `/index.ts: Expected ";" (3:14)`. */
export function placeOf(problem: string): Place | undefined {
  const [, file, line, column] = /^\/(.+?): [\s\S]*? \((\d+):(\d+)\)/.exec(problem) ?? []
  if (file === undefined) return undefined
  return { file, line: Number(line), column: Number(column) }
}
