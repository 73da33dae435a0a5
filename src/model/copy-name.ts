const SUFFIX = ' (Copy)'

/** Names a copy, in at most `maxLength` characters. An empty name stays empty. */
export const toCopyName = (name: string, maxLength = 400): string =>
  // spread to characters, because half a surrogate pair cannot be stored
  name && [...name].slice(0, maxLength - SUFFIX.length).join('') + SUFFIX
