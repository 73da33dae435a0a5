/**
 * The process's side, as the code in the app's context sees it. That code shares the context with the app, so the bridge
 * must be safe with whatever it is given.
 */
export interface Bridge {
  /** Returns the number of bytes sent: 0 if the text is too large. */
  sendControl(text: string): number
  /** Sends a batch of events: its ID and a JSON list. */
  sendCapture(id: number, text: string): number
  sendBytes(stream: number, chunk: Uint8Array): void
  /** Runs a script in the app's context. */
  run(code: string, file: string): unknown
  /** Calls back in the next turn of the event loop. */
  defer(callback: () => void): void
  /** Loads a module that apps may import. Returns undefined for any other. */
  loadModule(name: string): object | undefined
  readonly URL: typeof URL
  readonly URLSearchParams: typeof URLSearchParams
  readonly Buffer: typeof Buffer
  /** `ArrayBuffer` and its views. The app must use the same classes as `Buffer` does. */
  readonly binary: Readonly<Record<string, unknown>>
}

/** The code in the app's context, as the process sees it. */
export interface Prelude {
  receive(text: string): void
  receiveBytes(stream: number, chunk: Uint8Array): void
  /** Reports an error that no code was waiting for. */
  reportUncaught(reason: unknown): void
}
