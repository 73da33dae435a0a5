/** The version of what a URL returned, as its server names it. */
export interface UrlVersion {
  readonly url: string
  readonly etag: string | null
  readonly changed: string | null
}

/** Returns undefined if the server names none. */
export function toVersion(
  url: string,
  { headers }: { readonly headers: { get(name: string): string | null } },
): UrlVersion | undefined {
  const [etag, changed] = [headers.get('etag'), headers.get('last-modified')]
  return etag || changed ? { url, etag, changed } : undefined
}

/** Returns the headers by which a server responds 304 if it still has the known version. */
export function toConditions(url: string, known: UrlVersion | undefined): Record<string, string> {
  if (known?.url !== url) return {}
  if (known.etag) return { 'if-none-match': known.etag }
  return known.changed ? { 'if-modified-since': known.changed } : {}
}
