import { Modal, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Passkey, PasskeyProof } from '#server/features/accounts/passkeys/schema.ts'
import { notify } from '../../../../ui/dialog/notify.ts'
import { Form } from '../../../../ui/form/form-dialog.tsx'
import { toDevice } from '../device.ts'
import { CodeField, CurrentPassword } from '../second-factor/fields.tsx'
import { RecoveryCodes } from '../second-factor/recovery-codes.tsx'
import { useCreatePasskey, useRemovePasskey } from './api.ts'

interface DialogProps {
  readonly hasPassword: boolean
  /** Whether codes of an authenticator app are asked for. */
  readonly hasApp: boolean
  readonly onClose: () => void
}

export function CreatePasskeyDialog({ hasPassword, hasApp, onClose }: DialogProps) {
  const create = useCreatePasskey()
  const codes = create.data?.recovery_codes
  const { name } = toDevice(navigator.userAgent)
  const form = useForm({ initialValues: { name, current_password: '', code: '' } })
  const finish = () => {
    onClose()
    notify({ message: 'Passkey created.' })
  }
  const submit = form.onSubmit((values) =>
    create.mutate(
      { name: values.name, ...toProof(values, { hasPassword, hasApp }) },
      { onSuccess: ({ recovery_codes }) => recovery_codes === null && finish() },
    ),
  )
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      title={codes ? 'Recovery codes' : 'Create passkey'}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={finish} />
      ) : (
        <Form yes="Create passkey" saving={create} form={form} onSubmit={submit}>
          <Text size="sm">
            Your device asks for your fingerprint, face or PIN. Afterwards your password alone no
            longer signs you in.
          </Text>
          <TextInput label="Name" maxLength={60} required {...form.getInputProps('name')} />
          {hasPassword && (
            <CurrentPassword data-autofocus {...form.getInputProps('current_password')} />
          )}
          {hasApp && <CodeField {...form.getInputProps('code')} />}
        </Form>
      )}
    </Modal>
  )
}

interface RemoveProps extends DialogProps {
  readonly passkey: Passkey
}

export function RemovePasskeyDialog({ passkey, hasPassword, hasApp, onClose }: RemoveProps) {
  const remove = useRemovePasskey(passkey.id)
  const form = useForm({ initialValues: { current_password: '', code: '' } })
  const finish = () => {
    onClose()
    notify({ message: 'Passkey deleted. Other sessions were signed out.' })
  }
  const submit = form.onSubmit((values) =>
    remove.mutate(toProof(values, { hasPassword, hasApp }), { onSuccess: finish }),
  )
  return (
    <Modal opened onClose={onClose} title={`Delete passkey “${passkey.name}”?`}>
      <Form
        yes="Delete passkey"
        yesProps={{ color: 'red' }}
        saving={remove}
        form={form}
        onSubmit={submit}
      >
        <Text size="sm">
          It no longer signs you in. Delete it from your device or password manager too.
        </Text>
        {hasPassword && (
          <CurrentPassword data-autofocus {...form.getInputProps('current_password')} />
        )}
        {hasApp && <CodeField {...form.getInputProps('code')} />}
      </Form>
    </Modal>
  )
}

const toProof = (
  { current_password, code }: { readonly current_password: string; readonly code: string },
  { hasPassword, hasApp }: Pick<DialogProps, 'hasPassword' | 'hasApp'>,
): PasskeyProof => ({ ...(hasPassword && { current_password }), ...(hasApp && { code }) })
