export interface SourcePosition {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** 0-based. */
  readonly column: number
}

/** Parses the position from a compiler message: `/index.ts: Expected ";" (3:14)`. */
export function parsePosition(message: string): SourcePosition | undefined {
  const [, file, line, column] = /^\/(.+?): [\s\S]*? \((\d+):(\d+)\)/.exec(message) ?? []
  if (file === undefined) return undefined
  return { file, line: Number(line), column: Number(column) }
}
