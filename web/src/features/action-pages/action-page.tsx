import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiError } from '../../api/client.ts'
import { Form } from '../../ui/form/form-dialog.tsx'
import { moveWithUndo } from '../../ui/list/undo.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import { type Action, type ActionStep, useAction, useSaveAction } from '../actions/api.ts'
import classes from './actions.module.css'
import { MatchingEvents } from './matching-events.tsx'
import { StepFields } from './step-fields.tsx'
import { isStepComplete, NEW_STEP } from './steps.ts'

const route = getRouteApi('/project/$projectId/actions/$actionId')

export function ActionPage() {
  const { actionId } = route.useParams()
  return actionId === 'new' ? <ActionForm key="new" /> : <SavedAction id={Number(actionId)} />
}

function SavedAction({ id }: { readonly id: number }) {
  const action = useAction(id)
  if (action.data) return <ActionForm key={`${id} ${action.data.deleted}`} action={action.data} />
  return (
    <Page title="Action">
      <QueryContent query={action}>{() => null}</QueryContent>
    </Page>
  )
}

interface Values {
  readonly name: string
  readonly description: string
  readonly steps: ActionStep[]
}

function ActionForm({ action }: { readonly action?: Action }) {
  const { projectId } = route.useParams()
  const navigate = route.useNavigate()
  const saving = useSaveAction(action?.id)
  const form = useForm<Values>({
    initialValues: {
      name: action?.name ?? '',
      description: action?.description ?? '',
      steps: action && action.steps.length > 0 ? [...action.steps] : [NEW_STEP],
    },
  })
  const { steps } = form.values
  const setSteps = (next: ActionStep[]) => form.setFieldValue('steps', next)
  const save = form.onSubmit((values) =>
    saving.mutate(values, {
      onSuccess: () => void navigate({ to: '/project/$projectId/actions', params: { projectId } }),
    }),
  )
  return (
    <Page
      title={action?.name ?? 'New action'}
      about={
        <Link className={classes.back} to="/project/$projectId/actions" params={{ projectId }}>
          Actions
        </Link>
      }
      actions={action && <TrashButton action={action} />}
    >
      {action?.deleted && (
        <Alert color="gray" icon={<IconTrash size={18} />} title="In the trash" mb="md">
          Restore the action to count it.
        </Alert>
      )}
      <div className={classes.columns}>
        <Form
          onSubmit={save}
          saving={saving}
          form={form}
          yes={action ? 'Save' : 'Create action'}
          yesProps={{ disabled: !steps.every(isStepComplete) }}
        >
          <TextInput
            label="Name"
            placeholder="Bought"
            required
            maxLength={400}
            {...form.getInputProps('name')}
          />
          <Textarea
            label="Description"
            autosize
            maxLength={1000}
            {...form.getInputProps('description')}
          />
          <Stack gap="xs">
            {steps.map((step, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no ids
              <Stack gap="xs" key={at}>
                {at > 0 && (
                  <Text size="sm" c="dimmed">
                    or
                  </Text>
                )}
                <StepFields
                  step={step}
                  name={`Step ${at + 1}`}
                  error={errorOf(saving.error, at)}
                  onChange={(changed) => setSteps(steps.with(at, changed))}
                  onRemove={steps.length > 1 ? () => setSteps(steps.toSpliced(at, 1)) : undefined}
                />
              </Stack>
            ))}
            <Group>
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => setSteps([...steps, NEW_STEP])}
              >
                Add step
              </Button>
            </Group>
          </Stack>
        </Form>
        <MatchingEvents steps={steps} />
      </div>
    </Page>
  )
}

/** Finds the message about a step. */
const errorOf = (error: Error | null, at: number): string | undefined =>
  error instanceof ApiError && `${error.attr}__`.startsWith(`steps__${at}__`)
    ? error.message
    : undefined

function TrashButton({ action }: { readonly action: Action }) {
  const { mutateAsync } = useSaveAction(action.id)
  const { name, deleted } = action
  return (
    <Button
      size="xs"
      variant="subtle"
      color={deleted ? undefined : 'red'}
      leftSection={deleted ? undefined : <IconTrash size={14} />}
      onClick={() =>
        void moveWithUndo(`“${name}”`, !deleted, (next) => mutateAsync({ deleted: next }))
      }
    >
      {deleted ? 'Restore' : 'Move to trash'}
    </Button>
  )
}
