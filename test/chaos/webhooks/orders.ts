/** Where the bus is; plain JSON, because it goes to other processes on their command line. */
export type Carrier =
  | { readonly kind: 'postgres' }
  | { readonly kind: 'kafka'; readonly brokers: readonly string[]; readonly sessionTimeoutMs: number };

export type Orders = {
  readonly databaseUrl: string;
  readonly carrier: Carrier;
  /** Of one attempt; a delivery that its notifier did not outlive comes up again after twice as long. */
  readonly attemptLimitMs: number;
};

export const SECRETS_KEY = 'a key of tests';
