/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The field at fault; nested names are joined by two underscores. */
  readonly attr: string | null

  constructor(status: number, body: Partial<Record<'code' | 'detail' | 'attr', string | null>>) {
    super(body.detail ?? `The server responded with status ${status}.`)
    this.status = status
    this.code = body.code ?? 'error'
    this.attr = body.attr ?? null
  }
}

type Scalar = string | number | boolean
type Query = Readonly<Record<string, Scalar | readonly Scalar[] | undefined | null>>

/** Omits unset parameters and repeats list values. */
export function withQuery(path: string, query: Query = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  )
  const text = new URLSearchParams(set).toString()
  return text ? `${path}?${text}` : path
}

/** Returns the body and the headers of a response. */
async function exchange<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly body: T; readonly headers: Headers }> {
  const isForm = body instanceof FormData
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, { code: 'offline', detail: "Can't reach the server." })
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const parsed = isJson && text !== '' ? JSON.parse(text) : text
  if (response.ok) return { body: parsed as T, headers: response.headers }
  throw new ApiError(response.status, isJson ? parsed : {})
}

const request = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await exchange<T>(method, path, body)).body

/** All calls to the server; the session cookie authenticates them. */
export const api = {
  get: <T>(path: string, query?: Query) => request<T>('GET', withQuery(path, query)),
  post: <T>(path: string, body?: unknown) => request<T>('POST', path, body),
  patch: <T>(path: string, body: unknown) => request<T>('PATCH', path, body),
  put: <T>(path: string, body: unknown) => request<T>('PUT', path, body),
  delete: <T = void>(path: string) => request<T>('DELETE', path),
  exchange,
}

/** One page of an API list. */
export interface ListPage<T> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly T[]
}
