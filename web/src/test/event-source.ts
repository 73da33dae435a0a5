import { onTestFinished, vi } from 'vitest'

type Listener = (event: { readonly data: string }) => void

/** The browser side of a stream of server-sent events, driven by the test. */
export class FakeEventSource {
  static readonly CLOSED = 2
  readonly url: string
  readyState = 0
  onopen: (() => void) | undefined
  onerror: (() => void) | undefined
  readonly #listeners = new Map<string, Listener>()

  constructor(url: string) {
    this.url = url
    opened.push(this)
  }

  addEventListener(name: string, listener: Listener): void {
    this.#listeners.set(name, listener)
  }

  send(name: string, data: unknown): void {
    this.#listeners.get(name)?.({ data: JSON.stringify(data) })
  }

  /** Ends the stream as an error response does: the browser does not reconnect. */
  fail(): void {
    this.close()
    this.onerror?.()
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
    opened = opened.filter((source) => source !== this)
  }
}

let opened: FakeEventSource[] = []

/** Replaces `EventSource` until the test ends. Returns a function that finds the open stream. */
export function stubEventSource(): () => FakeEventSource {
  opened = []
  vi.stubGlobal('EventSource', FakeEventSource)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return () => {
    const [source] = opened
    if (!source) throw new Error('No stream is open.')
    return source
  }
}
