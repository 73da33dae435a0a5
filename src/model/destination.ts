/** The part of an app's setting that decides whether it is an address. */
export interface DestinationField {
  readonly key?: string | undefined
  readonly secret?: boolean | undefined
  readonly address?: boolean | undefined
}

/**
 * Lists the settings that determine where an app sends secrets: those that it marks as addresses. If it marks none, any
 * setting that is not secret counts as one, and only admins may change it.
 */
export function listDestinationKeys(
  fields: readonly DestinationField[],
  isAdmin: boolean,
): string[] {
  const marked = fields.filter(({ address }) => address)
  const open = isAdmin ? [] : fields.filter(({ secret }) => !secret)
  return (marked.length > 0 ? marked : open).flatMap(({ key }) => (key === undefined ? [] : [key]))
}
