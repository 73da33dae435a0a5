/**
 * Every error of the API: status, type and meaning. A test compares `docs/errors.md` with this table. The codes are those
 * that clients of the API already know.
 */
export const ERRORS = {
  parse_error: [
    400,
    'invalid_request',
    'The body is not JSON, or is nested deeper than 64 levels.',
  ],
  required: [400, 'validation_error', 'A required field is missing.'],
  null: [400, 'validation_error', 'The field may not be null.'],
  blank: [400, 'validation_error', 'The field may not be empty.'],
  invalid_input: [400, 'validation_error', 'The value has the wrong type, or a rule forbids it.'],
  invalid_choice: [400, 'validation_error', 'The value is not one of the allowed ones.'],
  max_length: [400, 'validation_error', 'The text is too long.'],
  max_value: [400, 'validation_error', 'The number is too large.'],
  min_value: [400, 'validation_error', 'The number is too small.'],
  not_a_list: [400, 'validation_error', 'A list was expected.'],
  not_a_dict: [400, 'validation_error', 'An object was expected.'],
  does_not_exist: [400, 'validation_error', 'The field names a record that does not exist.'],
  null_characters_not_allowed: [400, 'validation_error', 'A text contains a NUL character.'],
  surrogate_characters_not_allowed: [
    400,
    'validation_error',
    'A text contains half a character (a lone surrogate).',
  ],
  secrets_required: [
    400,
    'validation_error',
    'The destination of a config changes, so its secrets must be entered again in the same request.',
  ],
  bad_request: [400, 'invalid_request', 'The request is not valid HTTP.'],
  not_authenticated: [
    401,
    'authentication_error',
    'The request has neither a key nor a session, or a public link needs its password or the code of a guest.',
  ],
  authentication_failed: [
    401,
    'authentication_error',
    'The key is unknown, revoked or expired, the session has ended, the password or code of a public link is wrong, or the token of an embed is wrong or has ended.',
  ],
  permission_denied: [403, 'authentication_error', 'The key, or its owner, may not do this.'],
  second_factor_required: [
    403,
    'authentication_error',
    'The organization requires a second factor, and the user of the session has none.',
  ],
  not_found: [404, 'invalid_request', 'No such path, project or record.'],
  method_not_allowed: [
    405,
    'invalid_request',
    'The path exists; the method does not. See `Allow`.',
  ],
  conflict: [409, 'invalid_request', 'The state of the record forbids this.'],
  gone: [410, 'invalid_request', 'The public link has ended.'],
  version_conflict: [
    412,
    'invalid_request',
    'The record was changed after the version that the request names. Read it again.',
  ],
  request_too_large: [
    413,
    'invalid_request',
    'The body, or a file in it, is too large, or holds too many values or events. `detail` names the limit.',
  ],
  unsupported_media_type: [415, 'invalid_request', 'The body is not `application/json`.'],
  throttled: [
    429,
    'throttled_error',
    'Too many wrong keys, passwords or tokens, or filters of a public link or an embed. See `Retry-After`.',
  ],
  error: [
    500,
    'server_error',
    'A bug in the service. The log shows the cause under the `X-Request-Id`.',
  ],
  unavailable: [
    503,
    'server_error',
    'The service is busy, or the storage or the app runtime does not respond just now. See `Retry-After`.',
  ],
} as const satisfies Record<string, readonly [status: number, type: string, meaning: string]>

export type ErrorCode = keyof typeof ERRORS

const RETRY_SOON = { 'retry-after': '5' }

/** An `unavailable` always says when to try again. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly attr: string | null
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    detail: string,
    attr: string | null = null,
    headers: Record<string, string> = {},
  ) {
    super(detail)
    this.code = code
    this.statusCode = ERRORS[code][0]
    this.attr = attr
    this.headers = code === 'unavailable' ? { ...RETRY_SOON, ...headers } : headers
  }

  get body() {
    return { type: ERRORS[this.code][1], code: this.code, detail: this.message, attr: this.attr }
  }
}

/** Refuses what there is no room for now. The log has no error of it, because it is no fault of the server. */
export class BusyError extends ApiError {
  constructor(detail: string) {
    super('unavailable', detail)
  }
}

export const invalid = (
  attr: string | null,
  detail: string,
  code: ErrorCode = 'invalid_input',
): ApiError => new ApiError(code, detail, attr)

export const required = (attr: string): ApiError =>
  invalid(attr, 'This field is required.', 'required')

export const mayNotBeNull = (attr: string): ApiError =>
  invalid(attr, 'This field may not be null.', 'null')

export const parseError = (reason: string): ApiError =>
  new ApiError('parse_error', `JSON parse error - ${reason}`)

/** Refuses a field that refers to no record. */
export const doesNotExist = (attr: string, id: number | string): ApiError =>
  invalid(attr, `Invalid pk "${id}" - object does not exist.`, 'does_not_exist')

export const notFound = (thing?: string): ApiError =>
  new ApiError('not_found', thing ? `${thing} not found.` : 'Not found.')

export const forbidden = (detail: string): ApiError => new ApiError('permission_denied', detail)

export const conflict = (detail: string): ApiError => new ApiError('conflict', detail)

/** A problem that the operator can fix. Reported in one line, without a stack. */
export class OperatorError extends Error {}

/** Returns an error of the API; throws any other. */
export function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}
