import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Me } from '#server/features/accounts/projects/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { SettingsForm } from '../shared/settings-form.tsx'
import { usePatchMe } from './api.ts'

export function NameForm({ me }: { readonly me: Me }) {
  const patch = usePatchMe()
  const { first_name, last_name, email } = me
  const form = useForm({ initialValues: { first_name, last_name, email, current_password: '' } })
  const changesEmail = form.values.email !== email
  const needsPassword = changesEmail && me.has_password
  const save = form.onSubmit(({ email: newEmail, current_password, ...names }) =>
    patch.mutate(
      {
        ...names,
        ...(changesEmail && { email: newEmail }),
        ...(needsPassword && { current_password }),
      },
      {
        onSuccess: () => {
          form.setFieldValue('current_password', '')
          form.resetDirty()
          notify({ message: 'Profile saved.' })
        },
      },
    ),
  )
  return (
    <SettingsForm
      form={form}
      saving={patch}
      onSubmit={save}
      yes="Save profile"
      isDisabled={!form.isDirty()}
    >
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
          label="Current password"
          description="Required to change your e-mail."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
      )}
    </SettingsForm>
  )
}
