import { Button, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notify } from '../../../ui/notify.ts'
import { checkPassword, NewPassword } from '../../account/fields.tsx'
import { Refusal, toFieldErrors } from '../../account/refusal.tsx'
import { useChangePassword } from './api.ts'

export function PasswordForm({ hasOne }: { readonly hasOne: boolean }) {
  const change = useChangePassword()
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: { new_password: checkPassword },
  })
  const save = form.onSubmit(({ current_password, new_password }) =>
    change.mutate(hasOne ? { current_password, new_password } : { new_password }, {
      onSuccess: () => {
        form.reset()
        notify({ message: 'The password is changed. Other sessions have ended.' })
      },
      onError: (error) => form.setErrors(toFieldErrors(error)),
    }),
  )
  return (
    <form onSubmit={save}>
      <Stack>
        <Refusal error={change.error} values={form.values} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {hasOne && (
            <PasswordInput
              label="Password now"
              autoComplete="current-password"
              required
              {...form.getInputProps('current_password')}
            />
          )}
          <NewPassword
            label="New password"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('new_password')}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {hasOne ? 'Change the password' : 'Set a password'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
