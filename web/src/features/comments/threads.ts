import type { Comment } from '#server/features/dashboards/comments/schema.ts'

export interface Thread {
  readonly first: Comment
  /** The oldest first. */
  readonly replies: readonly Comment[]
}

/** Groups comments, which are given newest first, into threads: the one with the newest comment first. */
export function toThreads(comments: readonly Comment[]): Thread[] {
  const byThread = Map.groupBy(comments, ({ id, source_comment }) => source_comment ?? id)
  return [...byThread.values()].flatMap((ofThread) => {
    const [first, ...replies] = ofThread.toReversed()
    return first && first.source_comment === null ? [{ first, replies }] : []
  })
}
