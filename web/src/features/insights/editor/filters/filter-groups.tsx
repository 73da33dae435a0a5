import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import type { Properties, PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { FilterRow } from '../../../properties/filter-row.tsx'
import {
  type FilterGroup,
  filterPath,
  fromGroups,
  type GroupedFilters as Groups,
  type Match,
  NEW_FILTER,
  toGroups,
} from '../../../properties/filters-model.ts'
import classes from '../editor.module.css'
import { useFieldError } from '../errors.tsx'

interface FilterGroupsProps {
  readonly properties: Properties | null | undefined
  /** Path of the properties in the query. */
  readonly path: string
  readonly event?: string | null | undefined
  /** Allows one group only. */
  readonly isSingle?: boolean
  readonly onChange: (properties: Properties | undefined) => void
}

const replaceAt = <T,>(list: readonly T[], at: number, ...by: T[]): T[] => [
  ...list.slice(0, at),
  ...by,
  ...list.slice(at + 1),
]

export function FilterGroups({ properties, path, event, isSingle, onChange }: FilterGroupsProps) {
  const all = toGroups(properties)
  if (!all) {
    return (
      <Stack gap="xs" align="flex-start">
        <Text size="sm" c="dimmed">
          These filters are too deeply nested to edit here. They still apply.
        </Text>
        <Button size="xs" variant="default" onClick={() => onChange(undefined)}>
          Remove all filters
        </Button>
      </Stack>
    )
  }
  const change = (next: Groups) => onChange(fromGroups(next))
  const setGroup = (at: number, group: FilterGroup) =>
    change({ ...all, groups: replaceAt(all.groups, at, group) })
  const addGroup = () =>
    change({ ...all, groups: [...all.groups, { type: 'AND', filters: [NEW_FILTER] }] })
  const [first] = all.groups
  return (
    <Stack gap="xs">
      {all.groups.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no ids
        <Stack key={at} gap="xs">
          {at > 0 && (
            <MatchChoice
              label="Combine groups"
              value={all.type}
              onChange={(type) => change({ ...all, type })}
            />
          )}
          <div className={all.groups.length > 1 ? classes.group : undefined}>
            <OneGroup
              all={all}
              at={at}
              path={path}
              event={event}
              onChange={(changed) => setGroup(at, changed)}
            />
          </div>
        </Stack>
      ))}
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            first && all.groups.length === 1
              ? setGroup(0, { ...first, filters: [...first.filters, NEW_FILTER] })
              : addGroup()
          }
        >
          {all.groups.length > 1 ? 'Add group' : 'Add filter'}
        </Button>
        {!isSingle && all.groups.length === 1 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={addGroup}>
            Add group
          </Button>
        )}
      </Group>
    </Stack>
  )
}

interface OneGroupProps extends Pick<FilterGroupsProps, 'path' | 'event'> {
  readonly all: Groups
  readonly at: number
  readonly onChange: (group: FilterGroup) => void
}

function OneGroup({ all, at, path, event, onChange }: OneGroupProps) {
  const group = all.groups[at] as FilterGroup
  const setFilters = (filters: readonly PropertyFilter[]) => onChange({ ...group, filters })
  return (
    <Stack gap="xs">
      {group.filters.map((filter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: filters have no ids
        <Stack key={index} gap="xs">
          {index > 0 && (
            <MatchChoice
              label="Combine filters"
              value={group.type}
              onChange={(type) => onChange({ ...group, type })}
            />
          )}
          <FilterField
            filter={filter}
            path={`${path}__${filterPath(all, at, index)}`}
            event={event}
            onChange={(changed) => setFilters(replaceAt(group.filters, index, changed))}
            onRemove={() => setFilters(replaceAt(group.filters, index))}
          />
        </Stack>
      ))}
      {all.groups.length > 1 && (
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.start}
          leftSection={<IconPlus size={14} />}
          onClick={() => setFilters([...group.filters, NEW_FILTER])}
        >
          Add filter
        </Button>
      )}
    </Stack>
  )
}

type FilterFieldProps = ComponentProps<typeof FilterRow> & { readonly path: string }

function FilterField({ path, ...props }: FilterFieldProps) {
  return <FilterRow {...props} error={useFieldError(path)} />
}

interface MatchChoiceProps {
  readonly label: string
  readonly value: Match
  readonly onChange: (match: Match) => void
}

function MatchChoice({ label, value, onChange }: MatchChoiceProps) {
  return (
    <SegmentedControl
      aria-label={label}
      className={classes.start}
      size="xs"
      value={value}
      onChange={(match) => onChange(match as Match)}
      data={[
        { value: 'AND', label: 'and' },
        { value: 'OR', label: 'or' },
      ]}
    />
  )
}
