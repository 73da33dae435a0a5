import { toDistinct, toGraphemes } from '../format.ts'

/** Shortens labels in the middle, or before the point where they begin to differ, so that they stay different. */
export function shortenLabels(labels: readonly string[], maxLength: number): string[] {
  const cut = labels.map((label) => cutMiddle(label, maxLength))
  if (areDifferent(cut, labels)) return cut
  const start = sharedStart(labels.filter((label) => label.length > maxLength))
  const before = labels.map((label) => cutBefore(label, start, maxLength))
  if (start > HEAD && areDifferent(before, labels)) return before
  return cutApart(cut, labels, maxLength)
}

/** Cuts labels that became equal before the point where they differ, and numbers those that are still equal. */
function cutApart(cut: readonly string[], labels: readonly string[], maxLength: number): string[] {
  const next = labels.map((label, at) => {
    const alike = labels.filter((_, other) => cut[other] === cut[at])
    if (new Set(alike).size < 2) return cut[at] as string
    return cutBefore(label, sharedStart(alike), maxLength)
  })
  return areDifferent(next, labels) ? next : toDistinct(next)
}

const areDifferent = (cut: readonly string[], labels: readonly string[]): boolean =>
  new Set(cut).size === new Set(labels).size

/** Shortens a label in the middle, because many IDs and addresses differ only at their ends. */
export function cutMiddle(label: string, maxLength: number): string {
  if (label.length <= maxLength) return label
  const graphemes = toGraphemes(label)
  if (graphemes.length <= maxLength) return label
  const head = Math.ceil((maxLength - 1) / 2)
  const tail = graphemes.slice(graphemes.length - (maxLength - 1 - head))
  return `${graphemes.slice(0, head).join('').trimEnd()}…${tail.join('').trimStart()}`
}

/** The characters that remain before the cut, unless there is room for few. */
const HEAD = 4
const FEW = 14

function cutBefore(label: string, start: number, maxLength: number): string {
  if (label.length <= maxLength) return label
  const graphemes = toGraphemes(label)
  const head = maxLength < FEW ? 0 : HEAD
  const rest = graphemes.slice(Math.max(head, maxLength < FEW ? start : start - 2))
  const room = maxLength - head - 1
  const shown = rest.length <= room ? rest : [...rest.slice(0, room - 1), '…']
  return `${graphemes.slice(0, head).join('')}…${shown.join('')}`
}

/** Counts the graphemes that all labels start with. */
function sharedStart([first = '', ...others]: readonly string[]): number {
  const graphemes = toGraphemes(first)
  const different = graphemes.findIndex((_, at) => {
    const start = graphemes.slice(0, at + 1).join('')
    return !others.every((label) => label.startsWith(start))
  })
  return different < 0 ? graphemes.length : different
}
