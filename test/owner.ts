/** Who owns the storage that tests start from. */
export const OWNER = {
  apiKey: 'phx_0000000000000000000000000000000000000000000',
  email: 'owner@example.com',
  password: 'correct horse battery staple',
}
