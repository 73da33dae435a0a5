import { createHash } from 'node:crypto'
import type { FetchResponse } from './app.ts'
import { describeError, type Requester, request, withoutQuery } from './requests.ts'
import { isTemporary, pause, TemporaryProblem } from './retries.ts'

/**
 * Reads the body of a response of any size. If it breaks off, it is requested again and continues where it was, after
 * a comparison of what was read before, so that each byte is read once.
 */
export async function* readBody(
  app: Requester,
  url: string,
  headers: Readonly<Record<string, string>>,
  first: FetchResponse,
): AsyncGenerator<Uint8Array> {
  const read = createHash('sha256')
  let position = 0
  let response = first
  for (let attempt = 1; ; attempt += 1) {
    const again = createHash('sha256')
    let at = 0
    try {
      for await (const chunk of response.body ?? []) {
        const known = Math.min(position - at, chunk.length)
        if (known > 0) {
          again.update(chunk.subarray(0, known))
          at += known
          if (at < position) continue
          if (!again.digest().equals(read.copy().digest())) throw changed(url, position)
        }
        const rest = chunk.subarray(known)
        if (rest.length === 0) continue
        read.update(rest)
        position += rest.length
        at = position
        attempt = 1 // it got further than before
        yield rest
      }
      if (at < position) throw changed(url, position)
      return
    } catch (error) {
      if (!isTemporary(error)) throw error
      await pause(app, new TemporaryProblem(error.message), attempt)
    }
    response = await request(app, url, headers)
    if (!response.ok) throw new Error(await describeError(url, response))
  }
}

const changed = (url: string, position: number): Error =>
  new Error(
    `${withoutQuery(url)} broke off after ${position} bytes and had other content afterwards. Run it again.`,
  )
