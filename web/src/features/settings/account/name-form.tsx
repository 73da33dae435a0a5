import { Button, Group, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Me } from '#server/features/people/projects/schema.ts'
import { notify } from '../../../ui/notify.ts'
import { Refusal, toFieldErrors } from '../../account/refusal.tsx'
import { usePatchMe } from './api.ts'

export function NameForm({ me }: { readonly me: Me }) {
  const patch = usePatchMe()
  const { first_name, last_name, email } = me
  const form = useForm({ initialValues: { first_name, last_name, email, current_password: '' } })
  const movesEmail = form.values.email !== email
  const needsPassword = movesEmail && me.has_password
  const save = form.onSubmit(({ email: wanted, current_password, ...names }) =>
    patch.mutate(
      {
        ...names,
        ...(movesEmail && { email: wanted }),
        ...(needsPassword && { current_password }),
      },
      {
        onSuccess: () => {
          form.setFieldValue('current_password', '')
          form.resetDirty()
          notify({ message: 'Saved.' })
        },
        onError: (error) => form.setErrors(toFieldErrors(error)),
      },
    ),
  )
  return (
    <form onSubmit={save}>
      <Stack>
        <Refusal error={patch.error} values={form.values} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <TextInput
            label="First name"
            autoComplete="given-name"
            required
            maxLength={150}
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            maxLength={150}
            {...form.getInputProps('last_name')}
          />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="email"
            required
            {...form.getInputProps('email')}
          />
          {needsPassword && (
            <PasswordInput
              label="Your password"
              description="To be sure that it is you who changes the e-mail."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="current-password"
              required
              {...form.getInputProps('current_password')}
            />
          )}
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={patch.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
