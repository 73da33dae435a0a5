interface StreamHandlers {
  readonly onConnection: (isConnected: boolean) => void
  /** Handlers of events, by name. */
  readonly on: Readonly<Record<string, (data: string) => void>>
}

/** Browsers reconnect after a lost connection, but not after an error response, such as that of a restarting proxy. */
const REOPEN_MS = 5000

/** Keeps a stream of server-sent events open. Returns a function that closes it. */
export function openStream(url: string, { onConnection, on }: StreamHandlers): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource

  function open(): void {
    source = new EventSource(url)
    source.onopen = () => onConnection(true)
    source.onerror = () => {
      onConnection(false)
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS)
    }
    for (const [name, handle] of Object.entries(on)) {
      source.addEventListener(name, ({ data }) => handle(data))
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
