import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { type Cohort, useUpdateCohort } from '../../cohorts/api.ts'
import { ConditionFields } from '../condition-fields.tsx'
import { type Conditions, fromConditions, toConditions } from '../conditions.ts'
import { toDistinctIds } from '../member-fields.tsx'

interface EditDialogProps {
  readonly cohort: Cohort
  readonly onClose: () => void
}

/** Name and description, and the conditions or further members. */
export function EditDialog({ cohort, onClose }: EditDialogProps) {
  const update = useUpdateCohort(cohort.id, { showsError: true })
  const form = useForm({
    initialValues: {
      name: cohort.name,
      description: cohort.description,
      conditions: toConditions(cohort.filters) as Conditions | undefined,
      ids: '',
    },
  })
  const { conditions } = form.values
  const save = form.onSubmit(({ name, description, ids }) => {
    const added = toDistinctIds(ids)
    const sent = {
      name,
      description,
      ...(!cohort.is_static && conditions && { filters: fromConditions(conditions) }),
      ...(added.length > 0 && { distinct_ids: added }),
    }
    update.mutate(sent, {
      onSuccess: onClose,
    })
  })
  return (
    <FormDialog
      title="Edit cohort"
      size="lg"
      yes="Save"
      saving={update}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput label="Name" required maxLength={400} {...form.getInputProps('name')} />
      <Textarea
        label="Description"
        autosize
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      {cohort.is_static && (
        <Textarea
          label="Distinct IDs to add"
          description="One per line."
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('ids')}
        />
      )}
      {!cohort.is_static && conditions && (
        <ConditionFields
          value={conditions}
          onChange={(next) => form.setFieldValue('conditions', next)}
        />
      )}
      {!conditions && (
        <Text size="sm" c="dimmed">
          Nested groups, explicit dates, negated counts and actions can be edited over the API.
        </Text>
      )}
    </FormDialog>
  )
}
