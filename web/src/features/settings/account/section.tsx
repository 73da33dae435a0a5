import { useMe } from '../../../api/session.ts'
import { Part, Parts } from '../shared/section.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'

export function AccountSection() {
  const me = useMe()
  return (
    <Parts>
      <Part title="You" about="What others see next to what you make.">
        <NameForm me={me} />
      </Part>
      <Part
        title="Password"
        about={
          me.has_password
            ? 'A new one signs you out everywhere else.'
            : 'You have none yet. With one you can sign in by e-mail.'
        }
      >
        <PasswordForm key={`${me.has_password}`} hasOne={me.has_password} />
      </Part>
      <Sessions />
    </Parts>
  )
}
