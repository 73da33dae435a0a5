import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconFilter,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { useSortableRow } from '../../../../ui/list/sortable.tsx'
import { EventPicker } from '../../../actions/event-picker.tsx'
import classes from '../editor.module.css'
import { useFieldError } from '../errors.tsx'
import { FilterGroups } from '../filters/filter-groups.tsx'
import { seriesLetter } from '../query-model.ts'
import { MathFields } from './math-fields.tsx'

export interface SeriesWords {
  /** "series" or "step". */
  readonly one: string
  /** Series have letters, which formulas use; steps have numbers. */
  readonly mark: 'letter' | 'number' | 'none'
}

const seriesMark = ({ mark }: SeriesWords, at: number): string =>
  mark === 'letter' ? seriesLetter(at) : `${at + 1}`

/** "series A", "step 2", or "event" if there is only one. */
export const seriesName = (words: SeriesWords, at: number): string =>
  words.mark === 'none' ? words.one : `${words.one} ${seriesMark(words, at)}`

interface SeriesRowProps {
  readonly id: number
  readonly node: EventsNode
  readonly at: number
  readonly words: SeriesWords
  readonly hasMath: boolean
  readonly isMovable: boolean
  readonly onChange: (node: EventsNode) => void
  readonly onUp?: () => void
  readonly onDown?: () => void
  readonly onCopy?: () => void
  readonly onRemove?: () => void
}

export function SeriesRow({
  id,
  node,
  at,
  words,
  hasMath,
  isMovable,
  onChange,
  ...moves
}: SeriesRowProps) {
  const name = seriesName(words, at)
  const { ref, className, style, handle } = useSortableRow(id, name)
  const [isFiltering, filtering] = useDisclosure(Boolean(node.properties))
  const [isNaming, naming] = useDisclosure(Boolean(node.custom_name))
  const eventError = useFieldError(`series__${at}__event`)
  const problem = useFieldError(`series__${at}__id`) ?? eventError
  return (
    <fieldset
      ref={ref}
      className={`${classes.series} ${className}`}
      style={style}
      aria-label={name}
    >
      <div className={classes.line}>
        {isMovable && handle}
        {words.mark !== 'none' && (
          <span className={classes.letter} aria-hidden>
            {seriesMark(words, at)}
          </span>
        )}
        <div className={classes.wide}>
          <EventPicker
            label={`Event of ${name}`}
            value={node}
            error={problem}
            onChange={(counted) => onChange(withCounted(node, counted))}
          />
        </div>
        <ActionIcon
          variant={node.properties ? 'light' : 'subtle'}
          color={node.properties ? 'hedge' : 'gray'}
          aria-label={`Filter ${name}`}
          aria-expanded={isFiltering}
          onClick={filtering.toggle}
        >
          <IconFilter size={16} />
        </ActionIcon>
        <RowMenu name={name} onName={naming.open} {...moves} />
      </div>
      {hasMath && <MathFields node={node} at={at} onChange={onChange} />}
      {isNaming && (
        <TextInput
          aria-label={`Name of ${name}`}
          placeholder="Name in the chart"
          maxLength={400}
          value={node.custom_name ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...node, custom_name: currentTarget.value || null })
          }
        />
      )}
      {isFiltering && (
        <FilterGroups
          properties={node.properties}
          path={`series__${at}__properties`}
          event={node.event}
          isSingle
          onChange={(properties) =>
            onChange({ ...node, properties: properties ?? null } as EventsNode)
          }
        />
      )}
    </fieldset>
  )
}

/** Keeps the measure and the filters of a series. */
const withCounted = (
  { id: _, event: __, ...node }: EventsNode,
  counted: EventsNode,
): EventsNode => ({
  ...node,
  ...counted,
})

interface RowMenuProps extends Pick<SeriesRowProps, 'onUp' | 'onDown' | 'onCopy' | 'onRemove'> {
  readonly name: string
  readonly onName: () => void
}

function RowMenu({ name, onName, onUp, onDown, onCopy, onRemove }: RowMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={onName}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={onCopy} disabled={!onCopy}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowUp size={14} />} onClick={onUp} disabled={!onUp}>
          Move up
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={14} />} onClick={onDown} disabled={!onDown}>
          Move down
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={14} />}
          color="red"
          onClick={onRemove}
          disabled={!onRemove}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
