import { useLocalStorage } from '@mantine/hooks'
import { listOf } from '#model/json.ts'
import { useProjectId } from '../../../../api/project.ts'

/** A query that was run in this browser. */
export interface PastQuery {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const MAX_QUERIES = 50

/** Adds a query, or moves it to the front. */
export const addToHistory = (
  past: readonly PastQuery[],
  text: string,
  at: number,
): readonly PastQuery[] =>
  text.trim() === ''
    ? past
    : [{ text, at }, ...past.filter((each) => each.text !== text)].slice(0, MAX_QUERIES)

/** Reads what the browser kept, which anyone could have edited. */
export function readHistory(kept: string | undefined): readonly PastQuery[] {
  try {
    return listOf<PastQuery>(JSON.parse(kept ?? '[]')).filter(
      (each) => typeof each?.text === 'string' && typeof each.at === 'number',
    )
  } catch {
    return []
  }
}

/** The queries that were run in this browser and project, the last one first. */
export function useHistory() {
  const [past, setPast] = useLocalStorage<readonly PastQuery[]>({
    key: `hedgerow-sql-${useProjectId()}`,
    defaultValue: [],
    deserialize: readHistory,
  })
  return {
    past,
    remember: (text: string) => setPast((before) => addToHistory(before, text, Date.now())),
    forget: () => setPast([]),
  }
}
