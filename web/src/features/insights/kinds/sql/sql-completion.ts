import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Names } from '../../definitions-api.ts'
import { escapeQuotes, FUNCTIONS, SQL_NAMES, toPropertyText } from './sql-words.ts'

const names: readonly Completion[] = SQL_NAMES.map((label) => ({
  label,
  type: 'property',
  boost: 2,
}))
const functions: readonly Completion[] = FUNCTIONS.map((label) => ({
  label,
  type: 'function',
  apply: `${label}(`,
}))

/** Completes events between quotes, properties after `properties.`, and columns and functions elsewhere. */
export const completeFrom =
  (loadNames: () => Promise<Names>) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const property = context.matchBefore(/properties[.[]['$\w]*/)
    if (property) {
      const { properties } = await loadNames()
      return {
        from: property.from + 'properties'.length,
        options: properties.map((name) => ({
          label: toPropertyText(name),
          type: 'property',
        })),
      }
    }
    const quoted = context.matchBefore(/'[^']*/)
    if (quoted && isInQuotes(context)) {
      const { events } = await loadNames()
      return {
        from: quoted.from + 1,
        options: events.map((name) => ({
          label: name,
          apply: escapeQuotes(name),
          type: 'constant',
        })),
      }
    }
    const word = context.matchBefore(/\w+/)
    if (!word && !context.explicit) return null
    return { from: word?.from ?? context.pos, options: [...names, ...functions] }
  }

/** An odd number of quotes precedes the cursor; an escaped quote counts twice. */
const isInQuotes = ({ state, pos }: CompletionContext): boolean =>
  (state.sliceDoc(0, pos).match(/'/g)?.length ?? 0) % 2 === 1
