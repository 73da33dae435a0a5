import { kindOf } from '#model/query-kinds/index.ts'

/** Tells whether a chart needs the part of the renderer that draws paths. */
export const hasPaths = ({ query }: { readonly query: object | null }): boolean =>
  kindOf(query)?.id === 'paths'
