import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { toEventLabel } from '#model/names/event-label.ts'
import { toActionsNode } from '#model/query-kinds/events.ts'
import type { PathsFilter, PathsQuery } from '#model/query-kinds/paths.schema.ts'
import { filterNames, NamePill, renderName } from '../../../../ui/form/name-options.tsx'
import { useActionChoices } from '../../../actions/api.ts'
import { useEventDefinitions } from '../../../definitions/api.ts'
import { toEventOption } from '../../../definitions/name-option.ts'
import { useFieldError } from '../../editor/errors.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'
import { Section } from '../../editor/forms/section.tsx'

const TYPES = [
  { value: '$pageview', label: 'Pages' },
  { value: '$screen', label: 'Screens' },
  { value: 'custom_event', label: 'Custom events' },
]

export default function PathsForm({ source, onChange }: FormProps<PathsQuery>) {
  const filter = source.pathsFilter ?? {}
  const set = (changed: Partial<PathsFilter>) =>
    onChange({ ...source, pathsFilter: { ...filter, ...changed } })
  const number = (value: string | number) => (typeof value === 'number' ? value : null)
  const stepError = useFieldError('pathsFilter__stepLimit')
  return (
    <>
      <Section title="Path items">
        <Checkbox.Group
          aria-label="Path items"
          value={filter.includeEventTypes ?? TYPES.map(({ value }) => value)}
          onChange={(types) =>
            set({
              includeEventTypes:
                (types.length === 0 && !filter.includeActions) || types.length === TYPES.length
                  ? null
                  : (types as PathsFilter['includeEventTypes']),
            })
          }
        >
          <Stack gap="xs">
            {TYPES.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ActionSelect value={filter.includeActions ?? []} onChange={set} />
        <TagsInput
          label="Exclude"
          placeholder="Events or pages"
          data={useEventDefinitions().data?.map((each) => toEventOption(each.name, each)) ?? []}
          filter={filterNames}
          renderOption={renderName}
          renderPill={({ option, onRemove }) => (
            <NamePill
              name={`${option.value}`}
              label={toEventLabel(`${option.value}`)}
              onRemove={onRemove}
            />
          )}
          value={filter.excludeEvents ?? []}
          onChange={(names) => set({ excludeEvents: names.length === 0 ? null : names })}
          acceptValueOnBlur
        />
        <TagsInput
          label="Group by pattern"
          placeholder="/products/*"
          value={filter.pathGroupings ?? []}
          onChange={(names) => set({ pathGroupings: names.length === 0 ? null : names })}
          acceptValueOnBlur
        />
      </Section>
      <Section title="Start and end">
        <TextInput
          label="Start at"
          placeholder="Anywhere"
          value={filter.startPoint ?? ''}
          onChange={({ currentTarget }) => set({ startPoint: currentTarget.value || null })}
        />
        <TextInput
          label="End at"
          placeholder="Anywhere"
          value={filter.endPoint ?? ''}
          onChange={({ currentTarget }) => set({ endPoint: currentTarget.value || null })}
        />
        <Group gap="xs" grow wrap="nowrap" align="flex-start">
          <NumberInput
            label="Steps"
            min={2}
            max={20}
            allowDecimal={false}
            value={filter.stepLimit ?? 5}
            error={stepError}
            onChange={(value) => set({ stepLimit: number(value) })}
          />
          <NumberInput
            label="Max. paths"
            min={1}
            max={1000}
            allowDecimal={false}
            value={filter.edgeLimit ?? 50}
            onChange={(value) => set({ edgeLimit: number(value) })}
          />
        </Group>
      </Section>
    </>
  )
}

interface ActionSelectProps {
  readonly value: NonNullable<PathsFilter['includeActions']>
  readonly onChange: (changed: Pick<PathsFilter, 'includeActions'>) => void
}

/** Chooses actions whose events are steps, if the project has actions. */
function ActionSelect({ value, onChange }: ActionSelectProps) {
  const actions = useActionChoices().data ?? []
  if (actions.length + value.length === 0) return null
  const names = new Map(
    [...value, ...actions].map(({ id, name }) => [`${id}`, name || `Action ${id}`]),
  )
  return (
    <MultiSelect
      label="Actions"
      placeholder={value.length === 0 ? 'Events of an action as one step' : undefined}
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={value.map(({ id }) => `${id}`)}
      onChange={(ids) =>
        onChange({
          includeActions:
            ids.length === 0
              ? null
              : ids.map((id) => toActionsNode({ id: Number(id), name: names.get(id) ?? '' })),
        })
      }
      maxValues={10}
      searchable
    />
  )
}
