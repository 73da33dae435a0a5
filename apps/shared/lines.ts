import { createDecoder } from './decode.ts'

/** The limit on a line, which bounds the memory. */
const MAX_LINE = 16 * 1024 * 1024

/** Splits chunks of bytes into lines. Yields the lines that each chunk completes. */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = createDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.push(piece)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE) {
      throw new Error(`A line is longer than ${MAX_LINE} characters. Is there one item per line?`)
    }
    yield lines
  }
  rest += decoder.push(new Uint8Array(), true)
  if (rest !== '') yield [rest]
}
