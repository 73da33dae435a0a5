/** Trimmed; empty ones and exact repeats dropped; case and order kept. */
export const toTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
]
