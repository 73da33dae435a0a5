import type { FastifyInstance } from 'fastify'
import { giveWay } from '../turns.ts'

/** Converted at once: it takes under 2 ms. */
const PIECE_LENGTH = 256 * 1024

/** Converts long bodies before they are sent. Must be installed before hooks that keep bodies. */
export function installLargeBodies(app: FastifyInstance): void {
  // with a callback, because a promise for each short response would delay all of them
  app.addHook('onSend', (_request, _reply, payload, done) => {
    if (typeof payload === 'string' && isLong(payload)) {
      toBody(payload).then((bytes) => done(null, bytes), done)
    } else done(null, payload)
  })
}

const isLong = (text: string): boolean => text.length > PIECE_LENGTH

/**
 * Converts a long text to bytes in as many turns of the event loop as it takes: Node would convert it when it is
 * written, which takes 50 ms for 16 million characters. Returns a short text as it is.
 */
export async function toBody(text: string): Promise<string | Buffer> {
  if (!isLong(text)) return text
  const pieces = toPieces(text)
  let length = 0
  for (const piece of pieces) {
    await giveWay()
    length += Buffer.byteLength(piece)
  }
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) {
    await giveWay()
    at += bytes.write(piece, at)
  }
  return bytes
}

/** Splits a text, but no surrogate pair: half of one has no bytes. */
function toPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = from + PIECE_LENGTH
    const end = isFirstOfPair(text.charCodeAt(to - 1)) ? to - 1 : to
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

const isFirstOfPair = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
