import { Drawer, Select, Stack, Switch, TagsInput, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { User } from '#server/features/accounts/users/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { notify } from '../../ui/dialog/notify.ts'
import { Form } from '../../ui/form/form-dialog.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { membersQuery } from '../sharing/api.ts'
import {
  type Definition,
  isEvent,
  type PropertyDefinitionPatch,
  useUpdateDefinition,
} from './api.ts'
import classes from './data-management.module.css'
import { TYPE_NAMES, toOption } from './option.ts'
import type { Tab } from './search.ts'

interface DefinitionDrawerProps {
  readonly tab: Tab
  readonly definition: Definition
  readonly onClose: () => void
}

/** Edits the description, owner, tags and marks of one event or property. */
export function DefinitionDrawer({ tab, definition, onClose }: DefinitionDrawerProps) {
  const { label } = toOption(definition)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={<Text fw={600}>{label}</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      <Stack gap="md">
        <About definition={definition} />
        <DefinitionForm tab={tab} definition={definition} onClose={onClose} />
      </Stack>
    </Drawer>
  )
}

/** The stored name, and our words if the team has written none. */
function About({ definition }: Pick<DefinitionDrawerProps, 'definition'>) {
  const { label, description } = toOption({ ...definition, description: '' })
  const { name, verified_by: by, verified_at: at } = definition
  if (label === name && !description && !at) return null
  return (
    <Stack gap={2}>
      {label !== name && <Text className={classes.stored}>{name}</Text>}
      {description && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      {at && (
        <Text size="sm" c="dimmed">
          Verified {by && `by ${userName(by)} `}
          <TimeAgo time={at} />
        </Text>
      )}
    </Stack>
  )
}

function DefinitionForm({ tab, definition, onClose }: DefinitionDrawerProps) {
  const update = useUpdateDefinition(tab, definition)
  const form = useForm({ initialValues: toValues(definition) })
  const save = form.onSubmit(({ owner, ...values }) => {
    const all: PropertyDefinitionPatch = { ...values, owner: owner === null ? null : Number(owner) }
    const patch = Object.fromEntries(Object.entries(all).filter(([key]) => form.isDirty(key)))
    update.mutate(patch, {
      onSuccess: () => {
        notify({ message: `Saved “${toOption(definition).label}”` })
        onClose()
      },
    })
  })
  return (
    <Form yes="Save" saving={update} form={form} onSubmit={save} onCancel={onClose}>
      <Textarea
        label="Description"
        placeholder="When is it sent, and what does it mean?"
        autosize
        minRows={3}
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('description')}
      />
      <Select
        label="Owner"
        placeholder="No owner"
        data={useOwners(definition.owner)}
        searchable
        clearable
        nothingFoundMessage="No matching members"
        {...form.getInputProps('owner')}
      />
      <TagsInput
        label="Tags"
        description="Press Enter or comma to add a tag."
        maxLength={255}
        acceptValueOnBlur
        {...form.getInputProps('tags')}
      />
      {!isEvent(definition) && (
        <Select
          label="Type"
          data={Object.entries(TYPE_NAMES).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('property_type')}
        />
      )}
      <Switch
        label="Verified"
        description="Comes first in pickers, with a mark."
        checked={form.values.verified}
        onChange={({ currentTarget: { checked } }) =>
          form.setValues({ verified: checked, ...(checked && { hidden: false }) })
        }
      />
      <Switch
        label="Hidden"
        description="Left out of pickers. Insights still find it."
        checked={form.values.hidden}
        onChange={({ currentTarget: { checked } }) =>
          form.setValues({ hidden: checked, ...(checked && { verified: false }) })
        }
      />
    </Form>
  )
}

const toValues = (definition: Definition) => ({
  description: definition.description,
  owner: definition.owner ? `${definition.owner.id}` : null,
  tags: [...definition.tags],
  verified: definition.verified,
  hidden: definition.hidden,
  ...(!isEvent(definition) && { property_type: definition.property_type }),
})

/** Members of the project, and the current owner even if they left. */
function useOwners(owner: User | null) {
  const members = useQuery(membersQuery(useProjectId())).data ?? []
  const users = new Map(members.map(({ user }) => [user.id, userName(user)]))
  if (owner) users.set(owner.id, userName(owner))
  return [...users].map(([id, label]) => ({ value: `${id}`, label }))
}
