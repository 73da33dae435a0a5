import type { Layout } from 'react-grid-layout/core'
import { compact } from './layout.ts'
import { groupLayout, heightOf, moveBy, type Sections } from './sections.ts'

/** Puts the hidden tiles of `layout` back below their titles. */
export function restoreFolded(shown: Layout, layout: Layout, sections: Sections): Layout {
  const hidden = new Map(
    groupLayout(layout, sections).flatMap((group) =>
      group.title && sections.folded.has(group.title.i) ? [[group.title.i, group] as const] : [],
    ),
  )
  let added = 0
  const all = groupLayout(shown, sections).flatMap(({ title, items }) => {
    const group = title && hidden.get(title.i)
    if (!title || !group?.title) return moveBy(title ? [title, ...items] : items, added)
    const own = moveBy(group.items, title.y + added - group.title.y)
    const moved = { ...title, y: title.y + added }
    added += heightOf(group) - title.h
    return [moved, ...own, ...moveBy(items, added)]
  })
  return compact(all)
}

/** Lists the folded sections into which a visible tile has come. */
export const listEntered = (shown: Layout, sections: Sections): number[] =>
  groupLayout(shown, sections).flatMap(({ title, items }) =>
    title && items.length > 0 && sections.folded.has(title.i) ? [Number(title.i)] : [],
  )
