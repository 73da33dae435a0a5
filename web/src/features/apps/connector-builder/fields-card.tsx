import { Autocomplete, Box, Group, Stack, TextInput, Title } from '@mantine/core'
import type { FieldType } from '#apps/connector/connector.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { ValueTree } from '../requests/value-tree.tsx'
import classes from './builder.module.css'
import { isRecord, listRecords } from './detect.ts'
import type { Draft } from './draft.ts'
import { fillFromSamples } from './parents.ts'
import { RemoveButton, Section } from './section.tsx'
import { applySteps, type Step, type StepKind, toStep } from './steps.ts'

/** The limit of a connector. */
const MAX_STEPS = 100

interface FieldsCardProps {
  readonly content: object
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** The steps that change the fields of each record, and the first record after them. */
export function FieldsCard({ content, draft, onChange }: FieldsCardProps) {
  const { steps, list } = draft
  const first = list === undefined ? undefined : listRecords(content, list)[0]
  const record = isRecord(first) ? first : {}
  const after = (count: number) =>
    applySteps(record, steps.slice(0, count), (text) => fillFromSamples(draft, text))
  return (
    <Card p="lg">
      <Stack gap="md">
        <Title order={2}>Fields</Title>
        <Section
          title="Steps"
          about="Change the fields of each record, one step after the other, before it becomes an event."
          action="Add step"
          onAdd={
            steps.length < MAX_STEPS
              ? () => onChange({ steps: [...steps, toStep('rename')] })
              : undefined
          }
        >
          {steps.map((step, index) => (
            <StepRow
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity
              key={index}
              name={`step ${index + 1}`}
              step={step}
              fields={Object.keys(after(index))}
              onChange={(changed) => onChange({ steps: steps.with(index, changed) })}
              onRemove={() => onChange({ steps: steps.toSpliced(index, 1) })}
            />
          ))}
        </Section>
        {steps.length > 0 && (
          <Stack gap="xs" role="region" aria-label="First record" aria-live="polite">
            <Title order={3} size="h5">
              First record
            </Title>
            <Box className={classes.response}>
              <ValueTree value={after(steps.length)} actions={() => null} />
            </Box>
          </Stack>
        )}
      </Stack>
    </Card>
  )
}

const KINDS: readonly { value: StepKind; label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'rename', label: 'Rename' },
  { value: 'cast', label: 'Cast' },
]

const TYPES: readonly { value: FieldType; label: string }[] = [
  { value: 'string', label: 'to text' },
  { value: 'number', label: 'to a number' },
  { value: 'boolean', label: 'to true or false' },
  { value: 'time', label: 'to a time' },
]

interface StepRowProps {
  /** Tells rows apart for those who do not see them. */
  readonly name: string
  readonly step: Step
  /** The fields that the record has before this step. */
  readonly fields: readonly string[]
  readonly onChange: (step: Step) => void
  readonly onRemove: () => void
}

function StepRow({ name, step, fields, onChange, onRemove }: StepRowProps) {
  return (
    <Group gap="xs" wrap="wrap">
      <Choice
        aria-label={`Kind of ${name}`}
        data={KINDS}
        w={110}
        value={step.kind}
        onChange={(kind) => onChange(toStep(kind, step.field))}
      />
      <Autocomplete
        aria-label={`Field of ${name}`}
        placeholder="Field"
        flex={1}
        miw={140}
        data={step.kind === 'add' ? [] : [...fields]}
        value={step.field}
        onChange={(field) => onChange({ ...step, field })}
      />
      <StepValue name={name} step={step} onChange={onChange} />
      <RemoveButton name={name} onRemove={onRemove} />
    </Group>
  )
}

type StepValueProps = Pick<StepRowProps, 'name' | 'step' | 'onChange'>

function StepValue({ name, step, onChange }: StepValueProps) {
  switch (step.kind) {
    case 'remove':
      return null
    case 'cast':
      return (
        <Choice
          aria-label={`Type of ${name}`}
          data={TYPES}
          w={160}
          value={step.type}
          onChange={(type) => onChange({ ...step, type })}
        />
      )
    case 'rename':
      return (
        <TextInput
          aria-label={`New name of ${name}`}
          placeholder="New name"
          flex={1}
          miw={140}
          value={step.to}
          onChange={({ currentTarget }) => onChange({ ...step, to: currentTarget.value })}
        />
      )
    case 'add':
      return (
        <TextInput
          aria-label={`Value of ${name}`}
          placeholder="Value"
          flex={1}
          miw={140}
          value={step.value}
          onChange={({ currentTarget }) => onChange({ ...step, value: currentTarget.value })}
        />
      )
  }
}
