import { CopyText } from './copy-button.tsx'

interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}

/** Quoted for a shell: whatever stands in it stays text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function toCurl(origin: string, { method = 'GET', path, body }: Call): string {
  const parts = ['curl', '-H "Authorization: Bearer $HEDGEROW_KEY"']
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`)
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`)
  }
  return [...parts, quoted(origin + path)].join(' \\\n  ')
}

/** The same by the command line: everything a page does can be scripted. */
export function CopyCurl(call: Call) {
  return <CopyText label="Copy as curl" value={toCurl(location.origin, call)} />
}
