/** The owner in the prepared storage. */
export const OWNER = {
  apiKey: 'phx_0000000000000000000000000000000000000000000',
  email: 'owner@example.com',
  password: 'correct horse battery staple',
}
