import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import type { PipelineConfig } from '../../../../src/features/pipeline-configs/schema.ts'

/** What is said aloud while a row moves. */
export function toAnnouncements(configs: readonly PipelineConfig[]): Announcements {
  const nameOf = ({ id }: { id: UniqueIdentifier }) =>
    configs.find((config) => config.id === id)?.name ?? 'The app'
  const placeOf = (over: { id: UniqueIdentifier } | null) =>
    over
      ? `place ${configs.findIndex(({ id }) => id === over.id) + 1} of ${configs.length}`
      : 'no place'
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active)}, at ${placeOf(active)}.`,
    onDragOver: ({ active, over }) => `${nameOf(active)} is at ${placeOf(over)}.`,
    onDragEnd: ({ active, over }) => `Dropped ${nameOf(active)} at ${placeOf(over)}.`,
    onDragCancel: ({ active }) => `${nameOf(active)} is back where it was.`,
  }
}
