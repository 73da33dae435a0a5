import { Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SecondFactorKey } from '#server/features/accounts/account/second-factor-schema.ts'
import { Form } from '../../../../ui/form/form-dialog.tsx'
import { CopyIcon } from '../../../../ui/page/copy-button.tsx'
import { useConfirmSecondFactor, useStartSecondFactor } from './api.ts'
import { CodeField, CurrentPassword } from './fields.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface SetUpProps {
  readonly hasPassword: boolean
  /** Whether the user has a second factor, which is in use until the new one is confirmed. */
  readonly isReplacing: boolean
  readonly onClose: () => void
}

/** Sets up an authenticator app: the password, the QR code, then the recovery codes. */
export function SetUpDialog({ onClose, ...user }: SetUpProps) {
  const start = useStartSecondFactor()
  const confirm = useConfirmSecondFactor()
  const codes = confirm.data?.recovery_codes
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      title={codes ? 'Recovery codes' : 'Set up second factor'}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : start.data ? (
        <ScanStep authenticatorKey={start.data} confirm={confirm} />
      ) : (
        <PasswordStep {...user} start={start} />
      )}
    </Modal>
  )
}

interface PasswordStepProps extends Omit<SetUpProps, 'onClose'> {
  readonly start: ReturnType<typeof useStartSecondFactor>
}

function PasswordStep({ hasPassword, isReplacing, start }: PasswordStepProps) {
  const form = useForm({ initialValues: { current_password: '', code: '' } })
  const submit = form.onSubmit(({ current_password, code }) =>
    start.mutate({ ...(hasPassword && { current_password }), ...(isReplacing && { code }) }),
  )
  return (
    <Form yes="Continue" saving={start} form={form} onSubmit={submit}>
      <Text size="sm">
        You need an authenticator app, such as the one of your phone or password manager. Your other
        sessions are signed out once it is set up.
      </Text>
      {hasPassword && (
        <CurrentPassword data-autofocus {...form.getInputProps('current_password')} />
      )}
      {isReplacing && (
        <CodeField
          description="From the app you have now, or a recovery code."
          {...form.getInputProps('code')}
        />
      )}
    </Form>
  )
}

interface ScanStepProps {
  readonly authenticatorKey: SecondFactorKey
  readonly confirm: ReturnType<typeof useConfirmSecondFactor>
}

function ScanStep({ authenticatorKey: { uri, secret }, confirm }: ScanStepProps) {
  const form = useForm({ initialValues: { code: '' } })
  return (
    <Form
      yes="Turn on"
      saving={confirm}
      form={form}
      onSubmit={form.onSubmit((values) => confirm.mutate(values))}
    >
      <Text size="sm">Scan this with your authenticator app, or type the key.</Text>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <Stack gap={2} align="center">
        <Text size="xs" ff="monospace" ta="center" data-testid="key">
          {secret.replace(/.{4}(?=.)/g, '$& ')}
        </Text>
        <CopyIcon value={secret} label="Copy key" />
      </Stack>
      <CodeField
        data-autofocus
        inputMode="numeric"
        description="The six digits that the app shows now."
        {...form.getInputProps('code')}
      />
    </Form>
  )
}
