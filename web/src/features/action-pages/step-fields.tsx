import { Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconFilterPlus, IconTrash } from '@tabler/icons-react'
import { Choice } from '../../ui/form/choice.tsx'
import { EventSelect } from '../actions/event-select.tsx'
import { FilterRow } from '../properties/filter-row.tsx'
import { NEW_FILTER } from '../properties/filters-model.ts'
import classes from './actions.module.css'
import { type ActionStep, MATCHINGS } from './steps.ts'

interface StepFieldsProps {
  readonly step: ActionStep
  /** "Step 2". */
  readonly name: string
  readonly error: string | undefined
  readonly onChange: (step: ActionStep) => void
  readonly onRemove?: (() => void) | undefined
}

/** The conditions of one step of an action. */
export function StepFields({ step, name, error, onChange, onRemove }: StepFieldsProps) {
  const filters = step.properties ?? []
  const setFilters = (properties: ActionStep['properties']) => onChange({ ...step, properties })
  return (
    <fieldset className={classes.step} aria-label={name}>
      <Stack gap="xs">
        <Group gap="xs">
          <EventSelect
            placeholder="Any event"
            value={step.event ?? undefined}
            onChange={(event) => onChange({ ...step, event: event ?? null })}
          />
          {onRemove && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={14} aria-hidden />}
              aria-label={`Remove ${name.toLowerCase()}`}
              onClick={onRemove}
            >
              Remove
            </Button>
          )}
        </Group>
        <MatchedText
          label="URL"
          placeholder="/checkout"
          text={step.url}
          matching={step.url_matching ?? 'contains'}
          onText={(url) => onChange({ ...step, url })}
          onMatching={(url_matching) => onChange({ ...step, url_matching })}
        />
        <MatchedText
          label="Clicked text"
          placeholder="Buy now"
          text={step.text}
          matching={step.text_matching ?? 'exact'}
          onText={(text) => onChange({ ...step, text })}
          onMatching={(text_matching) => onChange({ ...step, text_matching })}
        />
        {filters.map((filter, at) => (
          <FilterRow
            // biome-ignore lint/suspicious/noArrayIndexKey: filters have no ids
            key={at}
            filter={filter}
            event={step.event}
            onChange={(changed) => setFilters(filters.with(at, changed))}
            onRemove={() => setFilters(filters.toSpliced(at, 1))}
          />
        ))}
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconFilterPlus size={14} aria-hidden />}
            onClick={() => setFilters([...filters, NEW_FILTER])}
          >
            Add filter
          </Button>
        </Group>
        {error && (
          <Input.Error role="alert" size="sm">
            {error}
          </Input.Error>
        )}
      </Stack>
    </fieldset>
  )
}

type Matching = (typeof MATCHINGS)[number]['value']

interface MatchedTextProps {
  readonly label: string
  readonly placeholder: string
  readonly text: string | null | undefined
  readonly matching: Matching
  readonly onText: (text: string | null) => void
  readonly onMatching: (matching: Matching) => void
}

const MatchedText = ({ label, text, matching, onText, onMatching, ...props }: MatchedTextProps) => (
  <div className={classes.matching}>
    <Choice
      label={label}
      aria-label={`How to compare ${label.toLowerCase()}`}
      data={MATCHINGS}
      value={matching}
      onChange={onMatching}
    />
    <TextInput
      aria-label={label}
      maxLength={1000}
      spellCheck={false}
      value={text ?? ''}
      onChange={({ currentTarget }) => onText(currentTarget.value || null)}
      {...props}
    />
  </div>
)
