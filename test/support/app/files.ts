import { type TestApp, toPath } from './app.ts'
import { OWNER } from './owner.ts'

export interface Sent {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the response
  readonly body: any
}

export type Sendable = string | Uint8Array<ArrayBuffer> | FormData | ReadableStream

/** Sends a body that is not JSON. */
export async function sendBody(
  { url, projectId = 1 }: Pick<TestApp, 'url'> & Partial<Pick<TestApp, 'projectId'>>,
  method: string,
  path: string,
  body: Sendable,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await fetch(url + toPath(projectId, path), {
    method,
    body,
    headers: { authorization: `Bearer ${OWNER.apiKey}`, ...headers },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Takes files as `File` and everything else as text. */
export function toForm(parts: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) form.append(name, part)
  return form
}
