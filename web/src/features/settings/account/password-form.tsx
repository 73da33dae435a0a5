import { Button, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notify } from '../../../ui/dialog/notify.ts'
import { FormError, toFieldErrors } from '../../../ui/form/form-error.tsx'
import { findPasswordProblem, NewPasswordField } from '../../account/fields.tsx'
import { useChangePassword } from './api.ts'

export function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const change = useChangePassword()
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: { new_password: findPasswordProblem },
  })
  const save = form.onSubmit(({ current_password, new_password }) =>
    change.mutate(hasPassword ? { current_password, new_password } : { new_password }, {
      onSuccess: () => {
        form.reset()
        notify({ message: 'Password changed. Other sessions were signed out.' })
      },
      onError: (error) => form.setErrors(toFieldErrors(error)),
    }),
  )
  return (
    <form onSubmit={save}>
      <Stack>
        <FormError error={change.error} values={form.values} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {hasPassword && (
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              {...form.getInputProps('current_password')}
            />
          )}
          <NewPasswordField
            label="New password"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('new_password')}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
