import { Modal, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { SecondFactorProof } from '#server/features/accounts/account/second-factor-schema.ts'
import { notify } from '../../../../ui/dialog/notify.ts'
import { Form } from '../../../../ui/form/form-dialog.tsx'
import { useRemoveSecondFactor, useReplaceRecoveryCodes } from './api.ts'
import { CodeField, CurrentPassword } from './fields.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface DialogProps {
  readonly hasPassword: boolean
  readonly onClose: () => void
}

export function NewCodesDialog({ hasPassword, onClose }: DialogProps) {
  const replace = useReplaceRecoveryCodes()
  const codes = replace.data?.recovery_codes
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      title="Recovery codes"
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <ProofForm
          hasPassword={hasPassword}
          yes="Create codes"
          saving={replace}
          onSubmit={(proof) => replace.mutate(proof)}
        >
          New codes replace the ones you have.
        </ProofForm>
      )}
    </Modal>
  )
}

export function RemoveDialog({ hasPassword, onClose }: DialogProps) {
  const remove = useRemoveSecondFactor()
  const finish = () => {
    onClose()
    notify({ message: 'Second factor removed. Other sessions were signed out.' })
  }
  return (
    <Modal opened onClose={onClose} title="Remove second factor?">
      <ProofForm
        hasPassword={hasPassword}
        yes="Remove second factor"
        isDangerous
        saving={remove}
        onSubmit={(proof) => remove.mutate(proof, { onSuccess: finish })}
      >
        Your password alone will sign you in. Your recovery codes stop working.
      </ProofForm>
    </Modal>
  )
}

interface ProofFormProps {
  readonly hasPassword: boolean
  readonly yes: string
  readonly isDangerous?: boolean
  readonly saving: { readonly isPending: boolean; readonly error: Error | null }
  readonly onSubmit: (proof: SecondFactorProof) => void
  /** Says what will happen. */
  readonly children: ReactNode
}

function ProofForm({ hasPassword, yes, isDangerous, saving, onSubmit, children }: ProofFormProps) {
  const form = useForm({ initialValues: { current_password: '', code: '' } })
  const submit = form.onSubmit(({ current_password, code }) =>
    onSubmit({ ...(hasPassword && { current_password }), code }),
  )
  return (
    <Form
      yes={yes}
      yesProps={isDangerous ? { color: 'red' } : {}}
      saving={saving}
      form={form}
      onSubmit={submit}
    >
      <Text size="sm">{children}</Text>
      {hasPassword && (
        <CurrentPassword data-autofocus {...form.getInputProps('current_password')} />
      )}
      <CodeField
        description="From your authenticator app, or a recovery code."
        {...form.getInputProps('code')}
      />
    </Form>
  )
}
