/** The process's side, as the code in the app's context sees it. */
export interface Bridge {
  /** Returns false if the text is too large to send. */
  sendControl(text: string): boolean
  sendCapture(text: string): boolean
  sendBytes(stream: number, chunk: Uint8Array): void
  /** Runs a script in the app's context. */
  run(code: string, file: string): unknown
  loadModule(name: 'crypto' | 'url' | 'zlib'): object
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
