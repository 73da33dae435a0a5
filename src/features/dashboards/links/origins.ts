import { invalid } from '#server/errors.ts'

/** Requires `https://host` or `http://host:port`, which a policy for frames names as they are. */
export const requireOrigins = (origins: readonly string[]): string[] =>
  origins.map((text, position) => {
    const url = URL.parse(text.trim())
    if (url && /^https?:$/.test(url.protocol) && url.origin === text.trim().replace(/\/$/, '')) {
      return url.origin
    }
    throw invalid(
      `embed_origins__${position}`,
      'Enter an origin such as `https://example.com`, without a path.',
    )
  })
