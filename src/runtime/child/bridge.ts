/** What the code inside the app's context gets from the process around it. */
export interface Bridge {
  /** false: too large to be sent. */
  control(text: string): boolean
  capture(text: string): boolean
  bytes(stream: number, part: Uint8Array): void
  /** Runs a script in the app's context. */
  run(code: string, file: string): unknown
  loadModule(name: 'crypto' | 'url' | 'zlib'): object
  readonly URL: typeof URL
  readonly URLSearchParams: typeof URLSearchParams
  readonly Buffer: typeof Buffer
  /** What `Buffer` is made of, so that the app must know the same ones. */
  readonly binary: Readonly<Record<string, unknown>>
}

/** What the process around it gets from the code inside the app's context. */
export interface Prelude {
  receive(text: string): void
  receiveBytes(stream: number, part: Uint8Array): void
  /** Something was thrown where nobody waits for it. */
  problem(reason: unknown): void
}
