import { CopyText } from './copy-button.tsx'

interface ApiCall {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}

/** Quotes a text for a POSIX shell. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function toCurl(origin: string, { method = 'GET', path, body }: ApiCall): string {
  const parts = ['curl', '-H "Authorization: Bearer $HEDGEROW_KEY"']
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`)
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${shellQuote(JSON.stringify(body))}`)
  }
  return [...parts, shellQuote(origin + path)].join(' \\\n  ')
}

/** Copies the page's API call as a curl command. */
export function CopyCurl(call: ApiCall) {
  return <CopyText label="Copy as curl" value={toCurl(location.origin, call)} />
}
