import { useMe } from '../../../api/session.ts'
import { Panel, PanelStack } from '../../../ui/page/panel.tsx'
import { NameForm } from './name-form.tsx'
import { PasskeyPanel } from './passkeys/panel.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactorPanel } from './second-factor/panel.tsx'
import { Sessions } from './sessions.tsx'

export function AccountSection() {
  const me = useMe()
  return (
    <PanelStack>
      <Panel title="Profile" about="Your name, as others see it.">
        <NameForm me={me} />
      </Panel>
      <Panel
        title="Password"
        about={
          me.has_password
            ? 'Changing it signs you out everywhere else.'
            : 'Not set. Set one to sign in with your e-mail.'
        }
      >
        <PasswordForm key={`${me.has_password}`} hasPassword={me.has_password} />
      </Panel>
      <SecondFactorPanel hasPassword={me.has_password} />
      <PasskeyPanel hasPassword={me.has_password} />
      <Sessions />
    </PanelStack>
  )
}
