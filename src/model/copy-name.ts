const SUFFIX = ' (Copy)'
/** The length of the longest name. */
const MAX_LENGTH = 400

/** Names a copy. An empty name stays empty. */
export const toCopyName = (name: string): string =>
  // spread to characters, because half a surrogate pair cannot be stored
  name && [...name].slice(0, MAX_LENGTH - SUFFIX.length).join('') + SUFFIX
