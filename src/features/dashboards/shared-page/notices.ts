import type { ApiError } from '#server/errors.ts'
import { type Html, html } from '#server/html/html.ts'
import type { ClosedLink } from '../links/open-link.ts'

/** A page that says why there is no dashboard. */
export interface Notice {
  readonly status: number
  readonly title: string
  readonly content: Html
}

/** One page for every link that does not work, so that it does not tell which ones exist. */
const UNKNOWN: Notice = {
  status: 404,
  title: 'Dashboard not found',
  content: html`<p>The link may be incomplete, or sharing may be off. Ask the sender for a new link.</p>`,
}

const ENDED: Notice = {
  status: 410,
  title: 'This link has ended',
  content: html`<p>It was made for a limited time or a number of views. Ask the sender for a new link.</p>`,
}

interface LinkForm {
  readonly token: string
  /** Why what was sent before is refused. */
  readonly problem?: ApiError | undefined
}

const toProblem = (problem: ApiError | undefined): Html | false =>
  problem !== undefined && html`<p class="problem" id="problem" role="alert">${problem.message}</p>`

const toInvalid = (problem: ApiError | undefined): Html | false =>
  problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`

/** Asks for the password of a link. */
export const passwordForm = ({ token, problem }: LinkForm): Notice => ({
  status: problem?.statusCode ?? 401,
  title: 'Enter the password',
  content: html`<p>This page is protected. The person who sent you the link knows the password.</p>
<form method="post" action="/shared/${token}/password">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="200" required autofocus${toInvalid(problem)}>
${toProblem(problem)}
<button>View</button>
</form>`,
})

/** Asks a visitor of a link for people who they are. */
export const addressForm = ({ token, problem }: LinkForm): Notice => ({
  status: problem?.statusCode ?? 401,
  title: 'Who are you?',
  content: html`<p>This page is for invited people. Enter the e-mail address that was invited to get a code.</p>
<form method="post" action="/shared/${token}/code">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required autofocus${toInvalid(problem)}>
${toProblem(problem)}
<button>Send code</button>
</form>`,
})

/** Asks for the code, in the same words whether the address is invited or not. */
export const codeForm = ({
  token,
  email,
  problem,
}: LinkForm & { readonly email: string }): Notice => ({
  status: problem?.statusCode ?? 200,
  title: 'Enter the code',
  content: html`<p>If ${email} is invited, a mail with a code of six digits is on its way. The code works once, for ten minutes.</p>
<form method="post" action="/shared/${token}/guest">
<input type="hidden" name="email" value="${email}">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus${toInvalid(problem)}>
${toProblem(problem)}
<button>View</button>
</form>
<p>No mail? Look in the spam folder, or <a href="/shared/${token}">ask for another code</a>. Not invited? Ask the sender of the link.</p>`,
})

/** A frame on another site has no cookies, so it can remember neither a password or guest nor a view that was counted. */
export const ownWindow = (link: string): Notice => ({
  status: 200,
  title: 'This page opens in its own window',
  content: html`<p><a href="${link}" target="_blank" rel="noopener">Open the page</a></p>`,
})

/** Says which choice of a viewer was refused. */
export const refusedChoice = ({ statusCode, message }: ApiError, page: string): Notice => ({
  status: statusCode,
  title: "This choice can't be shown",
  content: html`<p>${message}</p>
<p><a href="${page}">View everything</a></p>`,
})

/** Says why a signed embed does not open. Its viewer can only reload it; its developer learns what the token lacks. */
export const refusedEmbed = ({ statusCode, message, attr }: ApiError): Notice => ({
  status: statusCode,
  title: "This page can't be shown",
  content: html`<p>${attr !== null && html`<code>${attr}</code>: `}${message}</p>`,
})

export const toNotice = ({ closed }: ClosedLink, token: string): Notice => {
  if (closed === 'locked') return passwordForm({ token })
  if (closed === 'guests') return addressForm({ token })
  return closed === 'ended' ? ENDED : UNKNOWN
}
