import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notify } from '../../../ui/dialog/notify.ts'
import { findPasswordProblem, NewPasswordField } from '../../account/fields.tsx'
import { SettingsForm } from '../shared/settings-form.tsx'
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
    }),
  )
  return (
    <SettingsForm
      form={form}
      saving={change}
      onSubmit={save}
      yes={hasPassword ? 'Change password' : 'Set password'}
    >
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
    </SettingsForm>
  )
}
