/** Converts a heading to its anchor, as GitHub does. */
export const toSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Numbers repeated anchors of a page, as GitHub does. */
export function createSlugger(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const slug = toSlug(heading)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
