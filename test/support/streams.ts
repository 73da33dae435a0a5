import { onTestFinished } from 'vitest'

/** Opens a stream and collects its text until the stream or the test ends. */
export async function openStream(url: string, headers: Record<string, string>) {
  const control = new AbortController()
  onTestFinished(() => control.abort())
  const response = await fetch(url, { headers, signal: control.signal })
  let text = ''
  let isEnded = false
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
    isEnded = true
  })()
  reading.catch(() => {})
  return { response, text: () => text, isEnded: () => isEnded }
}

export interface ServerEvent {
  readonly event: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the data
  readonly data: any
}

/** Parses the events that an EventSource would have received. */
export const parseServerEvents = (text: string): ServerEvent[] =>
  text
    .split('\n\n')
    .filter((part) => part.includes('data:'))
    .map((part) => ({
      event: /^event: (.*)$/m.exec(part)?.[1] ?? '',
      id: /^id: (.*)$/m.exec(part)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? 'null'),
    }))
