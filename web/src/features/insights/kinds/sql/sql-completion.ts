import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EVENT_COLUMNS, escapeQuotes, FUNCTIONS, toPropertyText } from './sql-words.ts'

/** Suggested names of the project. */
export interface SqlNames {
  readonly events: readonly string[]
  readonly properties: readonly string[]
}

const columns: readonly Completion[] = EVENT_COLUMNS.map((label) => ({
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
  (names: () => SqlNames) =>
  (context: CompletionContext): CompletionResult | null => {
    const property = context.matchBefore(/properties[.[]['$\w]*/)
    if (property) {
      return {
        from: property.from + 'properties'.length,
        options: names().properties.map((name) => ({
          label: toPropertyText(name),
          type: 'property',
        })),
      }
    }
    const quoted = context.matchBefore(/'[^']*/)
    if (quoted && isInQuotes(context)) {
      return {
        from: quoted.from + 1,
        options: names().events.map((name) => ({
          label: name,
          apply: escapeQuotes(name),
          type: 'constant',
        })),
      }
    }
    const word = context.matchBefore(/\w+/)
    if (!word && !context.explicit) return null
    return { from: word?.from ?? context.pos, options: [...columns, ...functions] }
  }

/** An odd number of quotes precedes the cursor; an escaped quote counts twice. */
const isInQuotes = ({ state, pos }: CompletionContext): boolean =>
  (state.sliceDoc(0, pos).match(/'/g)?.length ?? 0) % 2 === 1
