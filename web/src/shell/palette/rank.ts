import type { SpotlightActionData } from '@mantine/spotlight'

/** Puts the exact name first, then names that start with the text; keeps the order otherwise. */
export function rankByName(
  actions: readonly SpotlightActionData[],
  text: string,
): SpotlightActionData[] {
  const wanted = text.trim().toLowerCase()
  const toRank = ({ label = '' }: SpotlightActionData): number => {
    const name = label.toLowerCase()
    if (name === wanted) return 0
    return name.startsWith(wanted) ? 1 : 2
  }
  return actions.toSorted((a, b) => toRank(a) - toRank(b))
}
