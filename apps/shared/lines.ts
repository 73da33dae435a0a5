import { createDecoder } from './decode.ts'

/** A line longer than this is no line: the memory for it would not be bounded. */
const LONGEST = 16 * 1024 * 1024

/** The lines of a text that comes in pieces of bytes, as many at a time as a piece completes. */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = createDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.push(piece)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST) {
      throw new Error(`A line is longer than ${LONGEST} characters: this is not one item per line.`)
    }
    yield lines
  }
  rest += decoder.push(new Uint8Array(), true)
  if (rest !== '') yield [rest]
}
