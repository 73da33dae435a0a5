import { IconTerminal2 } from '@tabler/icons-react'
import { CopyIcon } from './copy-button.tsx'

interface ApiCall {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}

/** Quotes a text for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function toCurl(origin: string, { method = 'GET', path, body }: ApiCall): string {
  const parts = ['curl', '-H "Authorization: Bearer $HEDGEROW_KEY"']
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`)
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${shellQuote(JSON.stringify(body))}`)
  }
  return [...parts, shellQuote(origin + path)].join(' \\\n  ')
}

/** Copies the page's API call as a curl command. Phones have no terminal. */
export function CopyCurl(call: ApiCall) {
  return (
    <CopyIcon
      label="Copy as curl"
      icon={IconTerminal2}
      value={toCurl(location.origin, call)}
      visibleFrom="xs"
    />
  )
}
