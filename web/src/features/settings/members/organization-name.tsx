import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Panel } from '../../../ui/page/panel.tsx'
import { useRenameOrganization } from './api.ts'

export function OrganizationName({ name }: { readonly name: string }) {
  const rename = useRenameOrganization()
  const form = useForm({ initialValues: { name } })
  const save = form.onSubmit((values) =>
    rename.mutate(values.name, {
      onSuccess: () => form.resetDirty(),
      onError: (error) => form.setErrors({ name: error.message }),
    }),
  )
  return (
    <Panel title="Organization" about="Shown in invitations.">
      <form onSubmit={save}>
        <Group align="flex-end">
          <TextInput
            label="Name"
            required
            maxLength={100}
            flex={1}
            miw={200}
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={rename.isPending} disabled={!form.isDirty()}>
            Rename organization
          </Button>
        </Group>
      </form>
    </Panel>
  )
}
