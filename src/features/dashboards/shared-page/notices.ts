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

/** Asks for the password of a link. */
export const passwordForm = (token: string, problem?: string): Notice => ({
  status: 401,
  title: 'Enter the password',
  content: html`<p>This page is protected. The person who sent you the link knows the password.</p>
<form method="post" action="/shared/${token}/password">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="200" required autofocus${problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`}>
${problem !== undefined && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<button>View</button>
</form>`,
})

/** A frame on another site has no cookies, so it can neither remember a password nor a view that was counted. */
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

export const toNotice = ({ closed }: ClosedLink, token: string): Notice =>
  closed === 'locked' ? passwordForm(token) : closed === 'ended' ? ENDED : UNKNOWN
