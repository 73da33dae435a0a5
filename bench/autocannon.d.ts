declare module 'autocannon' {
  interface Result {
    readonly errors: number
    readonly timeouts: number
    readonly non2xx: number
    readonly requests: { readonly average: number }
    readonly latency: { readonly p99: number }
  }
  export default function autocannon(options: object): Promise<Result>
}
