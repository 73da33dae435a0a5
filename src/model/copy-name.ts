const SUFFIX = ' (Copy)'

/** Names a copy, in at most `maxLength` characters; what has no name keeps none. */
export const toCopyName = (name: string, maxLength = 400): string =>
  // by characters: half a surrogate pair cannot be stored
  name && [...name].slice(0, maxLength - SUFFIX.length).join('') + SUFFIX
