import { PROJECT, type TestApp, useApp } from '../app/app.ts'

export interface Capturing extends TestApp {
  readonly token: string
  /** Sends a raw body; returns the status and the error's detail. */
  send(
    path: string,
    body: string | Uint8Array<ArrayBuffer> | object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>
  /** Lists the project's events, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: the test knows its properties
  stored(): Promise<any[]>
}

/** Captures into a fresh project of the shared app, or of an app of the test's own. */
export async function startCapturing(app: Promise<TestApp> = useApp()): Promise<Capturing> {
  const api = await app
  const { body: project } = await api.get(PROJECT)
  return {
    ...api,
    token: project.api_token,
    async send(path, body, headers = {}) {
      const isBytes = typeof body === 'string' || body instanceof Uint8Array
      const response = await fetch(api.url + path, {
        method: 'POST',
        body: isBytes ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
      return {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      }
    },
    stored: async () => (await api.get('events?limit=1000')).body.results,
  }
}
