import { Input, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { type Cohort, type NewCohort, useCreateCohort } from '../cohorts/api.ts'
import { ConditionFields } from './condition-fields.tsx'
import { type Conditions, fromConditions, NEW_CONDITION } from './conditions.ts'
import { MemberFields, type Members, toDistinctIds } from './member-fields.tsx'

interface CreateDialogProps {
  readonly onCreated: (cohort: Cohort) => void
  readonly onClose: () => void
}

interface Values {
  readonly name: string
  readonly kind: 'dynamic' | 'static'
  readonly conditions: Conditions
  readonly members: Members
}

export function CreateDialog({ onCreated, onClose }: CreateDialogProps) {
  const create = useCreateCohort()
  const form = useForm<Values>({
    initialValues: {
      name: '',
      kind: 'dynamic',
      conditions: { match: 'AND', all: [NEW_CONDITION] },
      members: { text: '', file: undefined },
    },
  })
  const { kind, conditions, members } = form.values
  const save = form.onSubmit((values) =>
    create.mutate(toSent(values), {
      onSuccess: onCreated,
    }),
  )
  return (
    <FormDialog
      title="New cohort"
      size="lg"
      yes="Create cohort"
      saving={create}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Paying customers"
        required
        maxLength={400}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Input.Wrapper
        label="Members"
        labelElement="div"
        description={
          kind === 'dynamic' ? 'All persons who match, at any time.' : 'The persons in a list.'
        }
      >
        <SegmentedControl
          aria-label="Members"
          mt={4}
          data={[
            { value: 'dynamic', label: 'By conditions' },
            { value: 'static', label: 'List' },
          ]}
          {...form.getInputProps('kind')}
        />
      </Input.Wrapper>
      {kind === 'dynamic' ? (
        <ConditionFields
          value={conditions}
          onChange={(next) => form.setFieldValue('conditions', next)}
        />
      ) : (
        <MemberFields value={members} onChange={(next) => form.setFieldValue('members', next)} />
      )}
    </FormDialog>
  )
}

function toSent({ name, kind, conditions, members: { file, text } }: Values): NewCohort {
  if (kind === 'dynamic') return { name, filters: fromConditions(conditions) }
  if (!file) return { name, is_static: true, distinct_ids: toDistinctIds(text) }
  const form = new FormData()
  form.append('name', name)
  form.append('is_static', 'true')
  form.append('csv', file)
  return form
}
