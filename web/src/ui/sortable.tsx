import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './sortable.module.css'

interface Item {
  readonly id: number
  /** What it is called aloud. */
  readonly name: string
}

interface SortableProps {
  readonly items: readonly Item[]
  readonly onMove: (from: number, to: number) => void
  readonly children: ReactNode
}

/** Rows that are put into another order by mouse, finger or keyboard. */
export function Sortable({ items, onMove, children }: SortableProps) {
  const ids = items.map(({ id }) => id)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (!over || over.id === active.id) return
    onMove(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        announcements: toAnnouncements(items),
        screenReaderInstructions: {
          draggable: 'Space picks it up, the arrow keys move it, space drops it, escape cancels.',
        },
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

/** What makes an element such a row, and the handle to hold it by. */
export function useSortableRow(id: number, name: string) {
  const { setNodeRef, setActivatorNodeRef, transform, transition, ...sortable } = useSortable({
    id,
  })
  const { attributes, listeners, isDragging } = sortable
  return {
    ref: setNodeRef,
    className: isDragging ? classes.dragged : '',
    style: { transform: CSS.Translate.toString(transform), transition },
    handle: (
      <ActionIcon
        ref={setActivatorNodeRef}
        className={classes.handle ?? ''}
        variant="subtle"
        color="gray"
        size="sm"
        {...attributes}
        {...listeners}
        aria-label={`Move ${name}`}
      >
        <IconGripVertical size={16} />
      </ActionIcon>
    ),
  }
}

function toAnnouncements(items: readonly Item[]): Announcements {
  const nameOf = ({ id }: { id: UniqueIdentifier }) =>
    items.find((item) => item.id === id)?.name ?? 'It'
  const placeOf = (over: { id: UniqueIdentifier } | null) =>
    over
      ? `place ${items.findIndex(({ id }) => id === over.id) + 1} of ${items.length}`
      : 'no place'
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active)}, at ${placeOf(active)}.`,
    onDragOver: ({ active, over }) => `${nameOf(active)} is at ${placeOf(over)}.`,
    onDragEnd: ({ active, over }) => `Dropped ${nameOf(active)} at ${placeOf(over)}.`,
    onDragCancel: ({ active }) => `${nameOf(active)} is back where it was.`,
  }
}
