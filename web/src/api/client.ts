/** What the server refused, in its own words. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  /** Which field it is about; levels are joined by two underscores. */
  readonly attr: string | null

  constructor(status: number, body: Partial<Record<'code' | 'detail' | 'attr', string | null>>) {
    super(body.detail ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'error'
    this.attr = body.attr ?? null
  }
}

type Scalar = string | number | boolean
type Query = Readonly<Record<string, Scalar | readonly Scalar[] | undefined | null>>

/** Leaves out what is not set, and repeats what there are several of. */
export function withQuery(path: string, query: Query = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  )
  const text = new URLSearchParams(set).toString()
  return text ? `${path}?${text}` : path
}

/** The whole answer, for what stands in its headers. */
async function exchange<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly answer: T; readonly headers: Headers }> {
  const isForm = body instanceof FormData
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new ApiProblem(0, { code: 'offline', detail: 'The server cannot be reached.' })
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer = isJson && text !== '' ? JSON.parse(text) : text
  if (response.ok) return { answer: answer as T, headers: response.headers }
  throw new ApiProblem(response.status, isJson ? answer : {})
}

const request = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await exchange<T>(method, path, body)).answer

/** The only way to the server, in the session of whoever is signed in. */
export const api = {
  get: <T>(path: string, query?: Query) => request<T>('GET', withQuery(path, query)),
  post: <T>(path: string, body?: unknown) => request<T>('POST', path, body),
  patch: <T>(path: string, body: unknown) => request<T>('PATCH', path, body),
  delete: <T = void>(path: string) => request<T>('DELETE', path),
  exchange,
}

/** A page of a list, as every list of the API answers. */
export interface Page<T> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly T[]
}
