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
  /** Announced to screen readers. */
  readonly name: string
}

interface SortableProps {
  readonly items: readonly Item[]
  readonly onMove: (from: number, to: number) => void
  readonly children: ReactNode
}

/** Rows that can be reordered by mouse, touch or keyboard. */
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
          draggable: 'Press Space to pick up, arrow keys to move, Space to drop, Escape to cancel.',
        },
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

/** Props for one sortable row, and its drag handle. */
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
  const toName = ({ id }: { id: UniqueIdentifier }) =>
    items.find((item) => item.id === id)?.name ?? 'Item'
  const toPosition = (over: { id: UniqueIdentifier } | null) =>
    over
      ? `position ${items.findIndex(({ id }) => id === over.id) + 1} of ${items.length}`
      : 'no position'
  return {
    onDragStart: ({ active }) => `Picked up ${toName(active)} at ${toPosition(active)}.`,
    onDragOver: ({ active, over }) => `${toName(active)} is at ${toPosition(over)}.`,
    onDragEnd: ({ active, over }) => `Dropped ${toName(active)} at ${toPosition(over)}.`,
    onDragCancel: ({ active }) => `${toName(active)} returned to its original position.`,
  }
}
